/// The exit codes of the program, as sysexits.h numbers them.
package enum ExitCode: Int32, Sendable {
    case done = 0
    /// The command line is invalid.
    case usage = 64
    /// A file violates its format.
    case badData = 65
    /// A file is missing or cannot be read.
    case noInput = 66
    /// A database or an address is unavailable.
    case unavailable = 69
    /// The program has a bug.
    case software = 70
    /// A database cannot be created.
    case cannotCreate = 73
    case inputOutput = 74
    /// A setting is invalid.
    case configuration = 78
}

/// The message that the program writes before it ends: one line, or one for each error.
package struct Failure: Error, Hashable, Sendable {
    package let code: ExitCode
    /// The message, without the program's name.
    package let text: String

    package init(_ code: ExitCode, _ text: String) {
        self.code = code
        self.text = text
    }
}
