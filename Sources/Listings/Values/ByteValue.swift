import Bytes

/// A binary value: its length, and its bytes if they were read.
public struct ByteValue: Hashable, Sendable {
    /// The number of bytes.
    public let count: Int
    /// The bytes; nil on pages, which show only the length.
    public let bytes: [UInt8]?

    /// Creates a value from bytes.
    public init(_ bytes: [UInt8]) {
        count = bytes.count
        self.bytes = bytes
    }

    /// Creates a value whose bytes were not read, from their number.
    public init(count: Int) {
        self.count = count
        bytes = nil
    }

    /// The bytes as hexadecimal digits; empty if they were not read.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = (bytes ?? []).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses pairs of hexadecimal digits; nil for anything else.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].lowercaseHexadecimalValue,
                let low = digits[index + 1].lowercaseHexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes)
    }
}
