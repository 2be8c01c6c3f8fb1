import Bytes

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

    /// Whether a part of a padded buffer is one.
    @inline(__always)
    static func holds(_ range: Range<Int>, of names: borrowing ByteBuffer) -> Bool {
        // Most ids are numbers.
        guard !names.holdsNone(of: marksOfOthersThanDigits, in: range) else {
            return !range.isEmpty
        }
        return names.withBytes { holds($0.extracting(range)) }
    }

    @inline(__always)
    private static func marksOfOthersThanDigits(in word: UInt64) -> UInt64 {
        let above = word &+ 0x4646_4646_4646_4646
        let below = word &- 0x3030_3030_3030_3030
        return (word | above | below) & 0x8080_8080_8080_8080
    }
}
