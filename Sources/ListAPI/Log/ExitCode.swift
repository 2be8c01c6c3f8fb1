/// The exit codes of the program, as sysexits.h numbers them.
package enum ExitCode: Int32, Sendable {
    case done = 0
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case cannotCreate = 73
    case inputOutput = 74
    case configuration = 78
}

package struct Failure: Error, Hashable, Sendable {
    package let code: ExitCode
    package let text: String

    package init(_ code: ExitCode, _ text: String) {
        self.code = code
        self.text = text
    }
}
