import Bytes

struct CellNumber {
    /// Whether day 0 is 1904-01-01, as on early Macintoshes.
    var startsIn1904 = false

    /// Returns the JSON text of a number: an integer as it is written, or the shortest decimal that
    /// is the same in double precision.
    static func text(_ written: String) -> String? {
        if let integer = Int64(written), "\(integer)" == written { return written }
        guard let value = Double(written), value.isFinite else { return nil }
        return text(value)
    }

    static func text(_ written: String, decimals: Int) -> String? {
        guard let text = text(written), !text.contains("e") else { return text(written) }
        let found = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 }
        let zeros = String(repeating: "0", count: max(0, decimals - (found ?? 0)))
        return text + (found == nil ? "." : "") + zeros
    }

    private static func text(_ value: Double) -> String {
        // Up to here, each integer in double precision is exact.
        guard abs(value) >= 9_007_199_254_740_992 || value != value.rounded() else {
            return "\(Int64(value))"
        }
        return "\(value)"
    }

    /// ISO 8601, rounded to milliseconds.
    func text(_ written: String, as format: CellFormat) -> String? {
        guard let value = Double(written), abs(value) < 2_958_466 else { return nil }
        let milliseconds = Int64((value * 86_400_000).rounded())
        if format == .duration { return milliseconds < 0 ? nil : Self.clock(milliseconds) }
        let days = milliseconds.quotient(flooredBy: 86_400_000)
        let time = milliseconds - days * 86_400_000
        // Excel shows day 0 for times without a day.
        if days == 0, format == .time || !startsIn1904 && (format != .date || time > 0) {
            return Self.clock(time)
        }
        guard let date = date(days) else { return nil }
        let day = "\(Self.padded(date.year, 4))-\(Self.padded(date.month))-\(Self.padded(date.day))"
        guard format != .date || time > 0 else { return day }
        let isUTC = if case .dateTime(let parts) = format { parts.isUTC } else { false }
        return "\(day)T\(Self.clock(time))" + (isUTC ? "Z" : "")
    }

    /// Excel has no days before its first one.
    private func date(_ days: Int64) -> CivilDate? {
        if startsIn1904 { return Self.checked(CivilDate(daysSince1970: days - 24_107)) }
        // Day 60 is 1900-02-29, which Lotus 1-2-3 had and the calendar has not.
        guard days != 0, days != 60 else { return nil }
        let isEarly = days > 0 && days < 60
        return Self.checked(CivilDate(daysSince1970: days - (isEarly ? 25_568 : 25_569)))
    }

    private static func checked(_ date: CivilDate) -> CivilDate? { date.exists ? date : nil }

    static func clock(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        var text = "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
        let fraction = Int(milliseconds % 1000)
        if fraction > 0 {
            var digits = padded(fraction, 3)[...]
            while digits.last == "0" { digits.removeLast() }
            text += ".\(digits)"
        }
        return text
    }

    private static func padded(_ number: some BinaryInteger, _ width: Int = 2) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
