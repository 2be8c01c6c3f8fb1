package import Listings

/// The one spelling that all timestamps of a column share, so that their texts stand in the order of
/// their times.
package struct TimeForm: Hashable, Sendable {
    /// `T`, `t` or a space.
    private let separator: String
    /// The ending after the minutes or seconds: a fraction's digits are counted, not kept.
    private let suffix: String
    private let hasSeconds: Bool
    private let fractionDigits: Int

    /// Takes the form of a timestamp; the result is nil for other texts, and where an offset may
    /// differ from row to row.
    package init?(_ text: String) {
        guard Timestamp(text) != nil else { return nil }
        let bytes = Array(text.utf8)
        var index = 16
        separator = String(decoding: bytes[10..<11], as: UTF8.self)
        hasSeconds = index < bytes.count && bytes[index] == UInt8(ascii: ":")
        if hasSeconds { index = 19 }
        let fraction = index
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        }
        fractionDigits = max(0, index - fraction - 1)
        suffix = String(decoding: bytes[index...], as: UTF8.self)
        guard ["", "Z", "z", "+00", "+0000", "+00:00"].contains(suffix) else { return nil }
    }

    /// The beginning of the texts of an instant: none of an earlier one stands behind it.
    package func prefix(of instant: TimeSpan.Instant) -> String {
        // The canonical text is `YYYY-MM-DDTHH:MM:SS`, and a fraction where there is one.
        let text = Timestamp(
            seconds: instant.seconds,
            nanoseconds: instant.nanoseconds,
            hasOffset: false
        ).canonicalText
        return text.prefix(10) + separator + text.dropFirst(11)
    }

    /// The text of an instant; nil where the form has no room for its seconds or fraction.
    package func text(of instant: TimeSpan.Instant) -> String? {
        var text = prefix(of: instant)
        guard hasSeconds else {
            guard instant.seconds % 60 == 0, instant.nanoseconds == 0 else { return nil }
            return text.prefix(16) + suffix
        }
        let digits = max(0, text.utf8.count - 20)
        guard digits <= fractionDigits else { return nil }
        if fractionDigits > 0 {
            text +=
                (digits == 0 ? "." : "") + String(repeating: "0", count: fractionDigits - digits)
        }
        return text + suffix
    }
}
