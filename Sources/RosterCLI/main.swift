import Glibc
import ListAPI
import RemoteCurl
import RemoteLists
import RosterProgram
import System

// This program starts itself under another name to fetch lists. The separate process isolates the
// parsing of untrusted responses and loads TLS libraries only when needed.
let all = ProcessArguments.all()
if all.first == ProcessTransport.programName {
    FetchWorker.run()
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
