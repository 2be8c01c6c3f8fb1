import Listings

/// The first time from an instant on that a column can store, in days or microseconds.
struct StoredTime {
    /// 10000-01-01T00:00:00Z.
    static let calendarEnd: Int64 = 253_402_300_800
    static let lastEnd = StoredTime(seconds: calendarEnd)

    private static let calendarStart: Int64 = -62_135_596_800
    private static let day: Int64 = 86_400
    /// A cycle of 400 years, after which days and months recur.
    private static let cycle: Int64 = 146_097 * day

    private var seconds: Int64
    private var nanoseconds: Int32 = 0
    private(set) var isExact = true

    private init(seconds: Int64) { self.seconds = seconds }

    init(_ instant: TimeSpan.Instant, isDay: Bool) {
        seconds = instant.seconds
        if isDay {
            isExact = instant.isMidnight
            seconds = (instant.day + (isExact ? 0 : 1)) * Self.day
        } else {
            isExact = instant.nanoseconds % 1000 == 0
            nanoseconds = isExact ? instant.nanoseconds : (instant.nanoseconds / 1000 + 1) * 1000
            if nanoseconds == 1_000_000_000 { (seconds, nanoseconds) = (seconds + 1, 0) }
        }
    }

    /// In UTC, in a form that columns of any time type accept.
    var value: CellValue {
        let shift =
            seconds >= Self.calendarEnd
            ? -Self.cycle
            : seconds < Self.calendarStart ? Self.cycle : 0
        let text = Timestamp(seconds: seconds + shift, nanoseconds: nanoseconds, hasOffset: true)
            .canonicalText
        if shift < 0 { return .text("10000\(text.dropFirst(4))") }
        return .text(shift > 0 ? "0001\(text.dropFirst(4)) BC" : text)
    }
}
