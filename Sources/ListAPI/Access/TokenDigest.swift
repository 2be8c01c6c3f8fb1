import Bytes

/// The SHA-256 digest of a token, which is the only stored form of it.
///
/// A token has 256 random bits, so guessing is infeasible even with a fast digest. Slow functions
/// such as bcrypt are for passwords, and would slow every request.
package struct TokenDigest: Hashable, Sendable {
    private static let prefix = "sha256:"
    private let words: SIMD4<UInt64>

    package init(of token: String) {
        var hash = SHA256()
        hash.add(token.utf8.span)
        let bytes = hash.digest()
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.enumerated() {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        self.words = words
    }

    /// Reads `sha256:` and 64 hexadecimal digits; nil for any other text.
    package init?(text: String) {
        let digits = text.dropFirst(Self.prefix.count)
        guard text.hasPrefix(Self.prefix), digits.utf8.count == 64 else { return nil }
        var words = SIMD4<UInt64>()
        for (index, digit) in digits.enumerated() {
            guard let value = digit.hexDigitValue, digit.isASCII else { return nil }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = words
    }

    package var text: String {
        let digits = (0..<4).map { index in
            let text = String(words[index], radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return Self.prefix + digits.joined()
    }

    /// Whether both digests are equal, compared in constant time.
    func matches(_ other: TokenDigest) -> Bool {
        let difference = words ^ other.words
        return difference[0] | difference[1] | difference[2] | difference[3] == 0
    }
}
