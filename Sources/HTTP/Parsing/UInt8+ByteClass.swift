/// The sets of bytes the grammars of RFC 9110, RFC 9112 and RFC 3986 speak of, as a bit each in one
/// table of 256 entries: one load and one test per byte.
struct ByteClass: OptionSet {
    let rawValue: UInt8

    /// `tchar`: what names, methods and tokens are made of (RFC 9110 §5.6.2).
    static let token = ByteClass(rawValue: 1)
    /// What a field value may hold: HTAB, SP, VCHAR and obs-text (RFC 9110 §5.5).
    static let fieldValue = ByteClass(rawValue: 2)
    /// What a request target may hold: every byte RFC 3986 §2 knows, `[` and `]` included, less `#`.
    static let target = ByteClass(rawValue: 4)
    /// `unreserved` of RFC 3986 §2.3: what percent-encoding leaves alone everywhere.
    static let unreserved = ByteClass(rawValue: 8)
    /// `pchar` less `%`: what a path segment may hold as it is (RFC 3986 §3.3).
    static let pathSegment = ByteClass(rawValue: 16)
    /// What a registered name may hold as it is: unreserved and sub-delims, less the comma.
    static let host = ByteClass(rawValue: 32)

    /// The classes of each byte.
    static let table: InlineArray<256, UInt8> = {
        var table = InlineArray<256, UInt8>(repeating: 0)
        func add(_ byteClass: ByteClass, _ bytes: some Sequence<UInt8>) {
            for byte in bytes { table[Int(byte)] |= byteClass.rawValue }
        }
        let alphanumeric =
            Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
            + Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
            + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        add(.token, alphanumeric + Array("!#$%&'*+-.^_`|~".utf8))
        add(.fieldValue, [0x09] + Array(0x20...0x7E) + Array(0x80...0xFF))
        add(.target, alphanumeric + Array("-._~:/?[]@!$&'()*+,;=%".utf8))
        add(.unreserved, alphanumeric + Array("-._~".utf8))
        add(.pathSegment, alphanumeric + Array("-._~!$&'()*+,;=:@".utf8))
        add(.host, alphanumeric + Array("-._~!$&'()*+;=".utf8))
        return table
    }()
}

extension UInt8 {
    static var carriageReturn: UInt8 { 0x0D }
    static var lineFeed: UInt8 { 0x0A }
    static var tab: UInt8 { 0x09 }
    static var space: UInt8 { 0x20 }

    /// Whether the byte belongs to a class.
    func isIn(_ byteClass: ByteClass) -> Bool {
        ByteClass.table[Int(self)] & byteClass.rawValue != 0
    }

    var isTokenByte: Bool { isIn(.token) }

    /// SP or HTAB: the only optional white space there is (RFC 9110 §5.6.3).
    var isBlank: Bool { self == .space || self == .tab }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// The byte with A...Z made a...z and nothing else changed.
    var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
