/// The place of a date or timestamp in the order of times: by instant, and at one instant dates
/// first, then timestamps without an offset.
package struct TimeRank: Hashable, Sendable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; a date begins at midnight UTC.
    package let seconds: Int64
    /// 0...999,999,999 behind the seconds.
    package let nanoseconds: Int32
    /// 0 for a date, 1 for a timestamp without an offset, 2 with one.
    package let form: Int

    /// Ranks a date or timestamp; every other value stands at the beginning.
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

    /// Whether one time stands before another.
    package static func < (left: TimeRank, right: TimeRank) -> Bool {
        (left.seconds, left.nanoseconds, left.form)
            < (right.seconds, right.nanoseconds, right.form)
    }
}
