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

    /// The beginning of the texts of an instant, or of the next one that the form can name.
    ///
    /// Texts of earlier instants stand before it, and all others do not.
    package func prefix(of instant: TimeSpan.Instant) -> String {
        // Behind the last year no text of a time follows.
        guard let text = rounded(instant).text else { return ":" }
        return text.prefix(10) + separator + text.dropFirst(11).prefix(hasSeconds ? 18 : 5)
    }

    /// An instant, or the next one at a minute, second or fraction that the form can name.
    private func rounded(_ instant: TimeSpan.Instant) -> TimeSpan.Instant {
        let step: Int64
        if hasSeconds {
            step = (fractionDigits..<9).reduce(1) { step, _ in step * 10 }
        } else {
            step = 60 * 1_000_000_000
        }
        let inMinute = (instant.seconds % 60 + 60) % 60
        let part = inMinute * 1_000_000_000 + Int64(instant.nanoseconds)
        let next = (part + step - 1) / step * step
        return TimeSpan.Instant(
            seconds: instant.seconds - inMinute + next / 1_000_000_000,
            nanoseconds: Int32(next % 1_000_000_000)
        )
    }

    /// The text of an instant; nil where the form has no room for its seconds or fraction.
    package func text(of instant: TimeSpan.Instant) -> String? {
        guard rounded(instant) == instant else { return nil }
        var text = prefix(of: instant)
        guard hasSeconds else { return text + suffix }
        let digits = max(0, text.utf8.count - 20)
        if fractionDigits > 0 {
            text +=
                (digits == 0 ? "." : "") + String(repeating: "0", count: fractionDigits - digits)
        }
        return text + suffix
    }
}
