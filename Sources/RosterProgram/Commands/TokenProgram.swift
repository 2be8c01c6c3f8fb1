import ListAPI
import Rendering
import System

package struct TokenCommand: Hashable, Sendable {
    let name: String
    let scopes: [String]
}

/// Creates a token.
///
/// The line for the token file goes to standard output. The token itself goes to standard error and
/// is not stored.
enum TokenProgram {
    private static let byteCount = 32

    static func run(_ command: TokenCommand) throws(Failure) {
        let token = make()
        let words = [command.name, TokenDigest(of: token).text] + command.scopes
        _ = try AccessCredential(words, at: "roster token")
        StandardError.write("roster: the token of \(command.name), shown this once: \(token)\n")
        StandardOutput.write(words.joined(separator: " ") + "\n")
    }

    private static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        var digits = ""
        for _ in 0..<byteCount / 8 {
            let text = String(generator.next() as UInt64, radix: 16)
            digits += String(repeating: "0", count: 16 - text.count) + text
        }
        // Secret scanners recognize the prefix.
        return "roster_" + digits
    }
}
