/// The rules for texts of the data that may become links: no scripts and no hidden content.
enum SafeAddress {
    /// Whether a text is an `http` or `https` address in the characters of RFC 3986.
    static func isWeb(_ text: borrowing Span<UInt8>) -> Bool {
        let scheme = schemeLength(text)
        guard scheme > 0, text.count > scheme else { return false }
        for index in scheme..<text.count {
            switch text[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "/"),
                UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "]"),
                UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
                UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
                UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "%"):
                continue
            default: return false
            }
        }
        return true
    }

    /// Returns the length of a leading `http://` or `https://` in any case, or 0.
    static func schemeLength(_ text: borrowing Span<UInt8>) -> Int {
        if begins(text, with: "https://") { return 8 }
        return begins(text, with: "http://") ? 7 : 0
    }

    private static func begins(_ text: borrowing Span<UInt8>, with scheme: String) -> Bool {
        var index = 0
        for byte in scheme.utf8 {
            guard index < text.count else { return false }
            let letter = text[index]
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
            guard (isCapital ? letter | 0x20 : letter) == byte else { return false }
            index += 1
        }
        return true
    }

    /// Whether a text is an e-mail address that needs no encoding in a `mailto` address (RFC 6068).
    ///
    /// With `?` or `&`, it could carry more than an address.
    static func isMail(_ text: borrowing Span<UInt8>) -> Bool {
        var at: Int?
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "@"):
                guard at == nil else { return false }
                at = index
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "'"):
                continue
            default: return false
            }
        }
        guard let at else { return false }
        return at > 0 && at < text.count - 1
    }
}
