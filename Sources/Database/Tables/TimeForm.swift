package import Listings

/// The format that all timestamps of a column share, so that their texts sort by time.
package struct TimeForm: Hashable, Sendable {
    /// `T`, `t` or a space.
    private let separator: String
    /// The text after the minutes, seconds or fraction.
    ///
    /// Only the number of fraction digits is stored.
    private let suffix: String
    private let hasSeconds: Bool
    private let fractionDigits: Int

    /// Creates the format of a timestamp.
    ///
    /// Nil if the text is not a timestamp or its offset may differ from row to row.
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

    /// The first characters of the texts of an instant, rounded up to the precision of the format.
    ///
    /// Texts of earlier instants sort before the result. All other texts do not.
    package func prefix(of instant: TimeSpan.Instant) -> String {
        // No text of a time follows the last year. A colon sorts after the digits.
        guard let text = rounded(instant).text else { return ":" }
        return text.prefix(10) + separator + text.dropFirst(11).prefix(hasSeconds ? 18 : 5)
    }

    /// An instant rounded up to a minute, second or fraction that the format can represent.
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

    /// The text of an instant, or nil if the format cannot represent its seconds or fraction.
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
