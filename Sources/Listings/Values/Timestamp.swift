import Bytes

/// A point in time as ISO 8601 writes it, or a date and time of day without a place on Earth.
///
/// Timestamps with an offset are equal when they name one instant, however they are spelled. A
/// timestamp without one is compared as if it were UTC, and equals none that has one.
public struct Timestamp: Sendable {
    /// The part of time that the text names.
    public enum Precision: Int, Hashable, Sendable, Comparable {
        /// `2024`: a whole year.
        case year
        /// `2024-03`: a whole month.
        case month
        /// `2024-03-12`: a whole day.
        case day
        /// `2024-03-12T02:30`: a whole minute.
        case minute
        /// With seconds, and a fraction of up to nine digits: an instant.
        case instant

        /// Whether one names less of a time than another.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The timestamp as it was written.
    public let text: String
    /// Seconds since 1970-01-01T00:00:00Z of the beginning of what the text names.
    public let seconds: Int64
    /// 0...999,999,999 behind the seconds.
    public let nanoseconds: Int32
    /// Whether the text says `Z` or how far from UTC it is.
    public let hasOffset: Bool
    /// The part of time that the text names: an instant unless it is read as a period.
    public let precision: Precision

    /// Reads an instant or a local time: a date, `T` or a space, and hours with minutes at least.
    ///
    /// Seconds, a fraction behind `.` or `,`, and `Z`, `±HH`, `±HHMM` or `±HH:MM` may follow. The
    /// result is nil for anything else, a date alone among it.
    public init?(_ text: String) {
        guard let reader = TimestampReader(text.utf8.span), reader.precision >= .minute else {
            return nil
        }
        self.init(text, reader, .instant)
    }

    /// Reads a timestamp, a date, a month `YYYY-MM` or a year `YYYY`: what a condition may name.
    public init?(period text: String) {
        guard let reader = TimestampReader(text.utf8.span) else { return nil }
        self.init(text, reader, reader.precision)
    }

    /// Whether bytes are a timestamp.
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

    /// Names an instant, or a local time, in its canonical spelling.
    package init(seconds: Int64, nanoseconds: Int32, hasOffset: Bool) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.hasOffset = hasOffset
        precision = .instant
        text = Self.text(seconds, nanoseconds, hasOffset)
    }

    /// One spelling for a value: UTC with `Z`, or local; a fraction only where there is one.
    public var canonicalText: String { Self.text(seconds, nanoseconds, hasOffset) }

    private static func text(_ seconds: Int64, _ nanoseconds: Int32, _ hasOffset: Bool) -> String {
        let (days, time) = (seconds.floorDivided(by: 86_400), seconds.floorRemainder(by: 86_400))
        let date = CalendarDate(dayNumber: days)?.description ?? "0000-00-00"
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var text = "\(date)T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
        if nanoseconds > 0 {
            let digits = "\(1_000_000_000 + nanoseconds)".dropFirst()
            text += "." + String(digits.reversed().drop { $0 == "0" }.reversed())
        }
        return hasOffset ? text + "Z" : text
    }

    /// The first instant behind the period that the text names; nil for an instant, and behind the
    /// last year.
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
            // Behind the last month of the calendar nothing follows, so the end is a day ahead.
            return ((next?.dayNumber ?? date.dayNumber + 366) * day, 0)
        }
    }

    /// Compares two points in time: less than, equal to or greater than 0.
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

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
        hasher.combine(nanoseconds)
        hasher.combine(hasOffset)
        hasher.combine(precision)
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    /// The remainder that goes with ``floorDivided(by:)``, never below zero.
    fileprivate func floorRemainder(by divisor: Int64) -> Int64 {
        self - floorDivided(by: divisor) * divisor
    }
}
