/// How the program ends, in the numbers of sysexits.h.
package enum ExitCode: Int32, Sendable {
    /// Done.
    case done = 0
    /// The command line is not understood.
    case usage = 64
    /// A file is not what its format asks for.
    case badData = 65
    /// A file is missing or cannot be read.
    case noInput = 66
    /// A database or an address is not to be had.
    case unavailable = 69
    /// The program is at fault.
    case software = 70
    /// A database cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case inputOutput = 74
    /// A setting is not understood.
    case configuration = 78
}

/// What the program says before it ends: one line, or one for each thing that is wrong.
package struct Failure: Error, Hashable, Sendable {
    /// How the program ends.
    package let code: ExitCode
    /// What is said, without the program's name.
    package let text: String

    /// Creates a failure.
    package init(_ code: ExitCode, _ text: String) {
        self.code = code
        self.text = text
    }
}
