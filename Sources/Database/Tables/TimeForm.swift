import Bytes
import Listings

/// The formats of times whose texts sort by time among texts of the same format.
package enum TimeForm {
    static let date = 0
    private static let suffixes = ["", "Z", "z", "+00", "+0000", "+00:00"]

    /// Nil if the text is no time, or has an offset that may differ from row to row.
    package static func number(of utf8: borrowing Span<UInt8>) -> Int? {
        guard CalendarDate(utf8: utf8) == nil else { return date }
        guard Timestamp.isTimestamp(utf8) else { return nil }
        var end = 16
        if end < utf8.count, utf8[end] == UInt8(ascii: ":") { end += 3 }
        let (fraction, hasSeconds) = (end, end > 16)
        let point = end < utf8.count ? utf8[end] : 0
        if hasSeconds, point == UInt8(ascii: ".") || point == UInt8(ascii: ",") {
            end += 1
            while end < utf8.count, utf8[end] &- UInt8(ascii: "0") < 10 { end += 1 }
        }
        let suffix = suffixes.firstIndex(of: utf8.extracting(end...).text)
        guard let suffix else { return nil }
        let digits = end - fraction
        let parts = [Int(utf8[10]), digits > 0 ? Int(point) : 0, digits, hasSeconds ? 1 : 0]
        return parts.reduce(suffix) { $0 << 8 | $1 }
    }
}
