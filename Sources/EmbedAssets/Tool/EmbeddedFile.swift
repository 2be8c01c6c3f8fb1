/// Why a file cannot be put into Swift source.
enum EmbeddingError: Error {
    case unknownType(String)
    case notText(String)
    case holdsControlCharacter(String, line: Int)
}

/// A text file on its way into Swift source.
struct EmbeddedFile {
    let name: String
    let mediaType: String
    private let content: String

    init(name: String, bytes: [UInt8]) throws(EmbeddingError) {
        self.name = name
        mediaType = try Self.mediaType(of: name)
        guard let content = String(validating: bytes, as: UTF8.self) else { throw .notText(name) }
        // A literal turns CR LF into LF, and the compiler refuses most other control characters.
        var line = 1
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                line += 1
            } else if byte < 0x20 && byte != UInt8(ascii: "\t") {
                throw .holdsControlCharacter(name, line: line)
            }
        }
        self.content = content
    }

    private static func mediaType(of name: String) throws(EmbeddingError) -> String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: throw .unknownType(name)
        }
    }

    /// `style.css` becomes `styleCSS`.
    var identifier: String {
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        guard let ending = parts.last, parts.count > 1 else { return name }
        let words = parts.dropLast().enumerated().map { index, word in
            index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst()
        }
        return words.joined() + ending.uppercased()
    }

    /// Names the content: FNV-1a, 64 bits (RFC 9923).
    var hash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in content.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        return hash
    }

    /// The declaration of the asset.
    ///
    /// The content is a raw string literal: the compiler takes 0.2 s for 330 kB of it and minutes
    /// for an array of as many bytes.
    var source: String {
        // One sign more than any run in the content ends or interrupts nothing in it.
        let fence = String(repeating: "#", count: longestRunOfNumberSigns + 1)
        return """
                /// The file `\(name)`.
                package static let \(identifier) = Asset(
                    name: "\(name)",
                    hash: "\(String(hash, radix: 16))",
                    mediaType: "\(mediaType)",
                    content: \(fence)\"\"\"
            \(content)
            \"\"\"\(fence)
                )
            """
    }

    private var longestRunOfNumberSigns: Int {
        var longest = 0
        var run = 0
        for byte in content.utf8 {
            run = byte == UInt8(ascii: "#") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
