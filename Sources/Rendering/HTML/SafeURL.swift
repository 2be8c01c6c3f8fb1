import Bytes

enum SafeURL {
    /// A set of ASCII bytes, with a bit for each.
    private struct ByteSet {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        init(signs: String) {
            let letters = "abcdefghijklmnopqrstuvwxyz"
            for byte in (letters + letters.uppercased() + "0123456789" + signs).utf8 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
            }
        }

        func contains(_ byte: UInt8) -> Bool {
            byte < 0x80 && (byte < 64 ? low : high) &>> UInt64(byte) & 1 == 1
        }
    }

    private static let web = ByteSet(signs: "-._~:/?#[]!$&'()*+,;=%")
    private static let mail = ByteSet(signs: "-._+'@")

    /// Whether a text is an `http` or `https` address in the characters of RFC 3986 and the letters of
    /// RFC 3987, without controls of direction.
    static func isWeb(_ text: borrowing Span<UInt8>) -> Bool {
        let scheme = schemeLength(text)
        guard scheme > 0, text.count > scheme else { return false }
        let allowed = web
        for index in scheme..<text.count where !allowed.contains(text[index]) {
            // Controls begin with C2, E2, EF or F3, except U+061C.
            let isControl =
                [0xC2, 0xE2, 0xEF, 0xF3].contains(text[index])
                || text[index] == 0x9C && text[index - 1] == 0xD8
            if text[index] < 0x80 || isControl { return false }
        }
        return true
    }

    /// Returns the length of a leading `http://` or `https://` in any case, or 0.
    ///
    /// It is also 0 where nothing follows.
    static func schemeLength(_ text: borrowing Span<UInt8>) -> Int {
        guard text.count >= 8 else { return 0 }
        let word = text.word(at: 0)
        if word | 0x20_2020_2020 == 0x2F2F_3A73_7074_7468 { return 8 }
        return (word | 0x2020_2020) << 8 == 0x2F2F_3A70_7474_6800 ? 7 : 0
    }

    /// Whether a text is an e-mail address that needs no encoding in a `mailto` address (RFC 6068).
    ///
    /// With `?` or `&`, it could carry more than an address.
    static func isMail(_ text: borrowing Span<UInt8>) -> Bool {
        var at: Int?
        let allowed = mail
        for index in 0..<text.count {
            guard allowed.contains(text[index]) else { return false }
            guard text[index] == UInt8(ascii: "@") else { continue }
            guard at == nil else { return false }
            at = index
        }
        guard let at else { return false }
        return at > 0 && at < text.count - 1
    }
}
