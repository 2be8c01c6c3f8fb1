import Digest

/// The SHA-256 digest of a token, which is all that is kept of it.
///
/// A token has 256 random bits, so nobody finds it by trying, however fast a digest is made: bcrypt
/// and its like are for passwords, which people choose, and would cost every request.
struct TokenDigest: Hashable, Sendable {
    private static let prefix = "sha256:"
    private let words: SIMD4<UInt64>

    /// The digest of a token.
    init(of token: String) {
        var hash = SHA256()
        hash.add(token.utf8.span)
        let bytes = hash.digest()
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.enumerated() {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        self.words = words
    }

    /// Reads `sha256:` and 64 hexadecimal digits; nil for everything else.
    init?(text: String) {
        let digits = text.dropFirst(Self.prefix.count)
        guard text.hasPrefix(Self.prefix), digits.utf8.count == 64 else { return nil }
        var words = SIMD4<UInt64>()
        for (index, digit) in digits.enumerated() {
            guard let value = digit.hexDigitValue, digit.isASCII else { return nil }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = words
    }

    /// The digest as the file of tokens has it.
    var text: String {
        let digits = (0..<4).map { index in
            let text = String(words[index], radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return Self.prefix + digits.joined()
    }

    /// Whether both are the same; takes the same time whether they are or not.
    func matches(_ other: TokenDigest) -> Bool {
        let difference = words ^ other.words
        return difference[0] | difference[1] | difference[2] | difference[3] == 0
    }
}
