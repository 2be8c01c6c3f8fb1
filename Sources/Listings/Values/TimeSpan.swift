/// The time that an operand of a filter names: an instant, or a period with its end.
package struct TimeSpan: Hashable, Sendable {
    package struct Instant: Hashable, Sendable, Comparable {
        /// Since 1970-01-01T00:00:00Z.
        package let seconds: Int64
        /// 0...999,999,999, after the seconds.
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

        /// Days since 1970-01-01 in UTC.
        package var day: Int64 { seconds.floorDivided(by: 86_400) }

        package var isMidnight: Bool { seconds == day * 86_400 && nanoseconds == 0 }

        package static func < (left: Instant, right: Instant) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }

    package let start: Instant
    /// Nil for an instant.
    package let end: Instant?

    /// The span of a date is its day.
    ///
    /// Nil for other values than dates and timestamps.
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
    /// Since 1970-01-01T00:00:00Z.
    ///
    /// A date begins at midnight UTC.
    package let seconds: Int64
    /// 0...999,999,999, after the seconds.
    package let nanoseconds: Int32
    /// 0 for a date, 1 for a timestamp without an offset, 2 with one.
    package let form: Int

    /// Any other value than a date or timestamp is first.
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

    package static func < (left: TimeRank, right: TimeRank) -> Bool {
        (left.seconds, left.nanoseconds, left.form)
            < (right.seconds, right.nanoseconds, right.form)
    }
}
