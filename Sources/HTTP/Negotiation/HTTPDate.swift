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
        let days = secondsSince1970.quotient(flooredBy: 86400)
        let second = Int(secondsSince1970 - days * 86400)
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
        let days = secondsSince1970.quotient(flooredBy: 86400)
        let second = Int(secondsSince1970 - days * 86400)
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
        let days = secondsSince1970.quotient(flooredBy: 86400)
        let second = Int(secondsSince1970 - days * 86400)
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

    /// Appends a second of a day, as in `08:49:37`.
    private static func write(timeOfDay second: Int, into buffer: inout ByteBuffer) {
        buffer.append(decimal: second / 3600, width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: second / 60 % 60, width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: second % 60, width: 2)
    }
}

/// A day of the Gregorian calendar.
struct CivilDate: Equatable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day that is a number of days after 1970-01-01.
    ///
    /// Counts in eras of 400 years, with years that begin in March so that leap days come last.
    init(daysSince1970: Int64) {
        let shifted = daysSince1970 + 719_468
        let era = shifted.quotient(flooredBy: 146_097)
        let dayOfEra = Int(shifted - era * 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; nil if the calendar has no such day.
    var daysSince1970: Int64? {
        guard (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year) else {
            return nil
        }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era * 146_097 + dayOfEra - 719_468)
        // A day that the month does not have overflows into the next month.
        return CivilDate(daysSince1970: days) == self ? days : nil
    }

    /// Returns the number of the weekday, 0 for Sunday.
    static func weekday(daysSince1970 days: Int64) -> Int {
        let sinceSunday = days + 4
        return Int(sinceSunday - sinceSunday.quotient(flooredBy: 7) * 7)
    }
}

extension Int64 {
    /// The quotient rounded down, for divisors above 0.
    func quotient(flooredBy divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
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
