import Bytes

extension ByteClass {
    /// `tchar`: the bytes of names, methods and tokens (RFC 9110 §5.6.2).
    static let token = ByteClass((alphanumeric + "!#$%&'*+-.^_`|~").utf8)

    /// The bytes of a field value: HTAB, SP, VCHAR and obs-text (RFC 9110 §5.5).
    static let fieldValue = ByteClass([0x09] + (0x20...0x7E), nonASCII: true)

    /// The bytes of a path: those of RFC 3986 §2 less `#` and `?`, and the bytes of UTF-8.
    static let path = ByteClass(
        (alphanumeric + "-._~:/[]@!$&'()*+,;=%").utf8,
        nonASCII: true
    )

    /// The bytes of a query: those of a path, `?`, and characters that browsers send unencoded
    /// (WHATWG URL, query percent-encode set).
    static let query = ByteClass(
        (alphanumeric + "-._~:/[]@!$&'()*+,;=%^`{|}?\\").utf8,
        nonASCII: true
    )

    /// The bytes that a registered name may hold unencoded: unreserved and sub-delims less the
    /// comma.
    static let host = ByteClass((alphanumeric + "-._~!$&'()*+;=").utf8)
}

extension UInt8 {
    static var carriageReturn: UInt8 { 0x0D }
    static var lineFeed: UInt8 { 0x0A }
    static var tab: UInt8 { 0x09 }
    static var space: UInt8 { 0x20 }

    /// Whether the byte is SP or HTAB, the only optional white space (RFC 9110 §5.6.3).
    var isBlank: Bool { self == .space || self == .tab }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
