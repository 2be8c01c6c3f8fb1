package import Bytes

/// A point in time as in HTTP: whole seconds, GMT (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Sendable, Comparable {
    /// Seconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
    package let secondsSince1970: Int64

    /// Creates a date; nil outside the years 1 to 9999, because a year has four digits.
    package init?(secondsSince1970: Int64) {
        guard (-62_135_596_800...253_402_300_799).contains(secondsSince1970) else { return nil }
        self.secondsSince1970 = secondsSince1970
    }

    /// Orders by time.
    package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// Appends the form that every recipient must accept, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    package func write(into buffer: inout ByteBuffer) {
        let (days, second) = daysAndSecond
        let date = CivilDate(daysSince1970: days)
        buffer.append(CalendarNames.weekdays[CivilDate.weekday(daysSince1970: days)])
        buffer.append(", ")
        buffer.append(decimal: date.day, width: 2)
        buffer.append(UInt8.space)
        buffer.append(CalendarNames.months[date.month - 1])
        buffer.append(UInt8.space)
        buffer.append(decimal: date.year, width: 4)
        buffer.append(UInt8.space)
        Self.write(timeOfDay: second, into: &buffer)
        buffer.append(" GMT")
    }

    /// Appends the form of the Common Log Format, as in `06/Nov/1994:08:49:37 +0000`.
    package func writeLogTime(into buffer: inout ByteBuffer) {
        let (days, second) = daysAndSecond
        let date = CivilDate(daysSince1970: days)
        buffer.append(decimal: date.day, width: 2)
        buffer.append(UInt8(ascii: "/"))
        buffer.append(CalendarNames.months[date.month - 1])
        buffer.append(UInt8(ascii: "/"))
        buffer.append(decimal: date.year, width: 4)
        buffer.append(UInt8(ascii: ":"))
        Self.write(timeOfDay: second, into: &buffer)
        buffer.append(" +0000")
    }

    /// Appends the form of logs and JSON, as in `1994-11-06T08:49:37Z` (RFC 3339).
    package func writeTimestamp(into buffer: inout ByteBuffer) {
        let (days, second) = daysAndSecond
        let date = CivilDate(daysSince1970: days)
        buffer.append(decimal: date.year, width: 4)
        buffer.append(UInt8(ascii: "-"))
        buffer.append(decimal: date.month, width: 2)
        buffer.append(UInt8(ascii: "-"))
        buffer.append(decimal: date.day, width: 2)
        buffer.append(UInt8(ascii: "T"))
        Self.write(timeOfDay: second, into: &buffer)
        buffer.append(UInt8(ascii: "Z"))
    }

    /// The days since 1970-01-01, and the second of the day.
    private var daysAndSecond: (Int64, Int) {
        let days = secondsSince1970.quotient(flooredBy: 86400)
        return (days, Int(secondsSince1970 - days * 86400))
    }

    /// Appends a second of a day, as in `08:49:37`.
    private static func write(timeOfDay second: Int, into buffer: inout ByteBuffer) {
        buffer.append(decimal: second / 3600, width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: second / 60 % 60, width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: second % 60, width: 2)
    }
}

/// The names in HTTP dates, independent of the locale.
enum CalendarNames {
    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
