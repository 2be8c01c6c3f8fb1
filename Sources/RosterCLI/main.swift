import Curl
import Glibc
import Remote
import Roster
import Sockets

// This program starts itself under another name to fetch lists: what parses the answers of strangers,
// and brings TLS and thirty libraries along, is better not in the process that serves.
let all = ProcessArguments.all()
if all.first == ProcessTransport.programName {
    FetchLoop.run()
    exit(0)
}
let arguments = Array(all.dropFirst())
ProcessArguments.hidePasswords()
exit(
    Program.run(
        arguments: arguments,
        environment: ProcessEnvironment.variables()
    )
)
