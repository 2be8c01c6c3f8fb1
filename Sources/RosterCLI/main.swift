import Glibc
import Roster
import Sockets

exit(
    Program.run(
        arguments: Array(CommandLine.arguments.dropFirst()),
        environment: ProcessEnvironment.variables()
    )
)
