package enum AddressSyntax {
    /// ASCII, one `@`, and a domain of at least two labels after it.
    package static func isEmail(_ utf8: borrowing Span<UInt8>) -> Bool {
        guard utf8.count <= 254 else { return false }
        var at: Int?
        for index in utf8.indices {
            let byte = utf8[index]
            if byte == UInt8(ascii: "@") {
                guard at == nil else { return false }
                at = index
            } else if at == nil {
                guard isLocalByte(byte) else { return false }
            }
        }
        guard let at, at > 0, utf8[0] != UInt8(ascii: "."), utf8[at - 1] != UInt8(ascii: ".") else {
            return false
        }
        return isDomain(utf8.extracting((at + 1)...))
    }

    /// Whether a byte may precede the `@`: `atext` and `.` of RFC 5322 §3.2.3.
    private static func isLocalByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"):
            false
        default:
            byte > 0x20 && byte < 0x7F
        }
    }

    private static func isDomain(_ utf8: borrowing Span<UInt8>) -> Bool {
        var labels = 0
        var length = 0
        for index in utf8.indices {
            let byte = utf8[index]
            let isLast = index == utf8.count - 1
            switch byte {
            case UInt8(ascii: "."):
                guard length > 0, !isLast, utf8[index - 1] != UInt8(ascii: "-") else {
                    return false
                }
                labels += 1
                length = 0
            case UInt8(ascii: "-"):
                guard length > 0, !isLast else { return false }
                length += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                length += 1
            default:
                return false
            }
        }
        return labels > 0 && length > 0
    }

    /// Whether a text is an absolute `http` or `https` URL: a scheme, a host, and no character that
    /// must be escaped (RFC 3986 §2).
    ///
    /// Non-ASCII characters are allowed.
    package static func isLink(_ utf8: borrowing Span<UInt8>) -> Bool {
        guard let host = hostStart(utf8), host < utf8.count else { return false }
        switch utf8[host] {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ":"):
            return false
        default: break
        }
        for index in host..<utf8.count {
            switch utf8[index] {
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
                UInt8(ascii: "|"), UInt8(ascii: "}"):
                return false
            default: continue
            }
        }
        return true
    }

    private static func hostStart(_ utf8: borrowing Span<UInt8>) -> Int? {
        let scheme: [UInt8] = Array("http".utf8)
        guard utf8.count >= 8 else { return nil }
        for index in scheme.indices where utf8[index] | 0x20 != scheme[index] { return nil }
        let colon = utf8[4] | 0x20 == UInt8(ascii: "s") ? 5 : 4
        guard utf8[colon] == UInt8(ascii: ":"), utf8[colon + 1] == UInt8(ascii: "/"),
            utf8[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        return colon + 3
    }
}
