/// Names that are the same wherever they are written: in JSON, in HTML, in tags and in addresses.
enum PlainName {
    /// Whether a name is one: letters and digits of ASCII, `-`, `_` and `~`, and at least one.
    static func holds(_ utf8: borrowing Span<UInt8>) -> Bool {
        for index in 0..<utf8.count {
            let byte = utf8[index]
            guard
                byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "~")
            else { return false }
        }
        return !utf8.isEmpty
    }
}
