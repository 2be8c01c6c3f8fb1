import Rendering
import Sockets

/// What `roster token` is asked to make.
package struct TokenCommand: Hashable, Sendable {
    /// Who is to have it.
    let name: String
    /// What they may do.
    let scopes: [String]
}

/// Makes a token: the line for the file goes to standard output, the token itself, which is kept
/// nowhere, to standard error.
enum TokenProgram {
    /// Random bytes of a token.
    private static let byteCount = 32

    /// Makes a token.
    ///
    /// - Throws: ``Failure`` for a name or a scope that is not understood.
    static func run(_ command: TokenCommand) throws(Failure) {
        let token = make()
        let words = [command.name, TokenDigest(of: token).text] + command.scopes
        _ = try AccessEntry(words, at: "roster token")
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
        // What secret scanners find.
        return "roster_" + digits
    }
}
