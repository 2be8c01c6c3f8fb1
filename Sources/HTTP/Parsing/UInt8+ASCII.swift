extension UInt8 {
    static var carriageReturn: UInt8 { 0x0D }
    static var lineFeed: UInt8 { 0x0A }
    static var tab: UInt8 { 0x09 }
    static var space: UInt8 { 0x20 }

    /// Whether the byte is SP or HTAB, the only optional white space (RFC 9110 §5.6.3).
    var isBlank: Bool { self == .space || self == .tab }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// The byte with A...Z changed to a...z, and any other byte unchanged.
    var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
