import Bytes

/// Percent-encoding like `encodeURIComponent` of ECMAScript, so that the page's script finds the
/// same names.
enum PercentEncoding {
    static func write(_ utf8: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        var start = 0
        for index in 0..<utf8.count where !isKept(utf8[index]) {
            buffer.append(utf8.extracting(start..<index))
            buffer.append(UInt8(ascii: "%"))
            buffer.append(digit(utf8[index] >> 4))
            buffer.append(digit(utf8[index] & 15))
            start = index + 1
        }
        buffer.append(utf8.extracting(start..<utf8.count))
    }

    static func text(_ text: String) -> String {
        var buffer = ByteBuffer(minimumCapacity: 64)
        write(text.utf8.span, to: &buffer)
        return buffer.text()
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "~"), UInt8(ascii: "*"),
            UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
