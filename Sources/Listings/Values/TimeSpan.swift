/// The time that an operand of a filter names: an instant, or a period with its end.
package struct TimeSpan: Hashable, Sendable {
    /// A point in time.
    package struct Instant: Hashable, Sendable, Comparable {
        /// The seconds since 1970-01-01T00:00:00Z.
        package let seconds: Int64
        /// The nanoseconds after the seconds, 0...999,999,999.
        package let nanoseconds: Int32

        package init(seconds: Int64, nanoseconds: Int32) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        /// `YYYY-MM-DDTHH:MM:SS` with a fraction unless it is 0; nil outside of the calendar.
        package var text: String? {
            guard Timestamp.calendar.contains(seconds) else { return nil }
            return Timestamp(seconds: seconds, nanoseconds: nanoseconds, hasOffset: false)
                .canonicalText
        }

        /// The day in UTC, in days since 1970-01-01.
        package var day: Int64 { seconds.floorDivided(by: 86_400) }

        /// Whether it is the beginning of its day.
        package var isMidnight: Bool { seconds == day * 86_400 && nanoseconds == 0 }

        /// Whether one instant is before another.
        package static func < (left: Instant, right: Instant) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }

    /// The start of the period, or the instant.
    package let start: Instant
    /// The first instant after a period; nil for an instant.
    package let end: Instant?

    /// Creates the span of a date, which is its day, or of a timestamp; nil for any other value.
    package init?(_ value: CellValue) {
        switch value {
        case .date(let date):
            start = Instant(seconds: date.dayNumber * 86_400, nanoseconds: 0)
            end = Instant(seconds: start.seconds + 86_400, nanoseconds: 0)
        case .timestamp(let timestamp):
            start = Instant(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
            end = timestamp.end.map { Instant(seconds: $0.seconds, nanoseconds: $0.nanoseconds) }
        default: return nil
        }
    }

    /// The comparisons that the beginning of a value meets together if a condition holds.
    ///
    /// A date begins at midnight in UTC and equals that instant.
    package func bounds(
        _ operation: Filter.Operator
    ) -> [(operation: Filter.Operator, instant: Instant)] {
        switch operation {
        case .less, .atLeast: [(operation, start)]
        case .atMost: [end.map { (.less, $0) } ?? (.atMost, start)]
        case .greater: [end.map { (.atLeast, $0) } ?? (.greater, start)]
        default: end.map { [(.atLeast, start), (.less, $0)] } ?? [(.equal, start)]
        }
    }
}

/// The rank of a date or timestamp in the order of times.
///
/// At one instant, dates precede timestamps without an offset, which precede those with one.
package struct TimeRank: Hashable, Sendable, Comparable {
    /// The seconds since 1970-01-01T00:00:00Z.
    ///
    /// A date begins at midnight UTC.
    package let seconds: Int64
    /// The nanoseconds after the seconds, 0...999,999,999.
    package let nanoseconds: Int32
    /// 0 for a date, 1 for a timestamp without an offset, 2 with one.
    package let form: Int

    /// Creates the rank of a date or timestamp; any other value is first.
    package init(_ value: CellValue) {
        switch value {
        case .date(let date):
            (seconds, nanoseconds, form) = (date.dayNumber * 86_400, 0, 0)
        case .timestamp(let timestamp):
            (seconds, nanoseconds) = (timestamp.seconds, timestamp.nanoseconds)
            form = timestamp.hasOffset ? 2 : 1
        default: (seconds, nanoseconds, form) = (.min, 0, 0)
        }
    }

    /// Whether a time precedes another one.
    package static func < (left: TimeRank, right: TimeRank) -> Bool {
        (left.seconds, left.nanoseconds, left.form)
            < (right.seconds, right.nanoseconds, right.form)
    }
}
