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
