import Bytes

/// An ISO 8601 point in time, or a local date and time.
///
/// Timestamps with an offset are equal if they name the same instant, independent of their
/// spelling. One without an offset is compared as UTC, and equals none that has an offset.
public struct Timestamp: Sendable {
    /// The precision of a time: an instant or a calendar period.
    public enum Precision: Int, Hashable, Sendable, Comparable {
        /// `2024`: a whole year.
        case year
        /// `2024-03`: a whole month.
        case month
        /// `2024-03-12`: a whole day.
        case day
        /// `2024-03-12T02:30`: a whole minute.
        case minute
        /// An instant, with seconds and a fraction of up to nine digits.
        case instant

        /// Whether a precision is less than another one.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The timestamp in its original spelling.
    public let text: String
    /// The start of the instant or period, in seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int64
    /// The nanoseconds after the seconds, 0...999,999,999.
    public let nanoseconds: Int32
    /// Whether the text has `Z` or an offset from UTC.
    public let hasOffset: Bool
    /// The precision of the text; ``Precision/instant`` unless it was parsed as a period.
    public let precision: Precision

    /// Parses an instant or a local time: a date, `T` or a space, and at least hours and minutes.
    ///
    /// Seconds, a fraction after `.` or `,`, and `Z`, `±HH`, `±HHMM` or `±HH:MM` may follow.
    /// Returns nil for anything else, including a date without a time.
    public init?(_ text: String) {
        guard let reader = TimestampReader(text.utf8.span), reader.precision >= .minute else {
            return nil
        }
        self.init(text, reader, .instant)
    }

    /// Parses a timestamp, a date, a month `YYYY-MM` or a year `YYYY`, as allowed in filters.
    public init?(period text: String) {
        guard let reader = TimestampReader(text.utf8.span) else { return nil }
        self.init(text, reader, reader.precision)
    }

    package static func isTimestamp(_ utf8: borrowing Span<UInt8>) -> Bool {
        TimestampReader(utf8).map { $0.precision >= .minute } ?? false
    }

    private init(_ text: String, _ reader: TimestampReader, _ precision: Precision) {
        self.text = text
        seconds = reader.seconds
        nanoseconds = reader.nanoseconds
        hasOffset = reader.hasOffset
        self.precision = precision
    }

    /// In its canonical spelling: an instant, or a local time.
    package init(seconds: Int64, nanoseconds: Int32, hasOffset: Bool) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.hasOffset = hasOffset
        precision = .instant
        text = Self.text(seconds, nanoseconds, hasOffset)
    }

    /// The seconds from 0001-01-01 to 9999-12-31 in UTC.
    static let calendar: Range<Int64> = -62_135_596_800..<253_402_300_800

    /// The unique spelling of the value: UTC with `Z`, or local, with a fraction unless it is 0.
    ///
    /// An instant that is in the calendar only with an offset has the least one, in minutes.
    public var canonicalText: String { Self.text(seconds, nanoseconds, hasOffset) }

    private static func text(_ seconds: Int64, _ nanoseconds: Int32, _ hasOffset: Bool) -> String {
        let first = calendar.lowerBound
        let late = max(0, (seconds - calendar.upperBound + 60) / 60)
        let minutes = max(0, (first - seconds + 59) / 60) - late
        let seconds = seconds + minutes * 60
        let (days, time) = (seconds.floorDivided(by: 86_400), seconds.floorRemainder(by: 86_400))
        let date = CalendarDate(dayNumber: days)?.description ?? "0000-00-00"
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var text = "\(date)T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
        if nanoseconds > 0 {
            let digits = "\(1_000_000_000 + nanoseconds)".dropFirst()
            text += "." + String(digits.reversed().drop { $0 == "0" }.reversed())
        }
        guard hasOffset, minutes != 0 else { return hasOffset ? text + "Z" : text }
        let size = abs(minutes)
        return text + "\(minutes < 0 ? "-" : "+")\(two(size / 60)):\(two(size % 60))"
    }

    /// Nil for an instant.
    package var end: (seconds: Int64, nanoseconds: Int32)? {
        let day: Int64 = 86_400
        switch precision {
        case .instant: return nil
        case .minute: return (seconds + 60, 0)
        case .day: return (seconds + day, 0)
        case .year, .month:
            guard let date = CalendarDate(dayNumber: seconds.floorDivided(by: day)) else {
                return nil
            }
            let isLast = precision == .year || date.month == 12
            let next = CalendarDate(
                year: isLast ? date.year + 1 : date.year,
                month: isLast ? 1 : date.month + 1,
                day: 1
            )
            // After December 9999 there is no date, so the end is computed from its first day.
            return ((next?.dayNumber ?? date.dayNumber + 366) * day, 0)
        }
    }

    /// Less than, equal to or greater than 0.
    package static func compare(
        _ left: (seconds: Int64, nanoseconds: Int32),
        _ right: (seconds: Int64, nanoseconds: Int32)
    ) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }
}

extension Timestamp: Hashable {
    /// Whether two timestamps name the same time.
    public static func == (left: Self, right: Self) -> Bool {
        left.seconds == right.seconds && left.nanoseconds == right.nanoseconds
            && left.hasOffset == right.hasOffset && left.precision == right.precision
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
        hasher.combine(nanoseconds)
        hasher.combine(hasOffset)
        hasher.combine(precision)
    }
}

extension Int64 {
    /// Rounds towards negative infinity.
    func floorDivided(by divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    fileprivate func floorRemainder(by divisor: Int64) -> Int64 {
        self - floorDivided(by: divisor) * divisor
    }
}
