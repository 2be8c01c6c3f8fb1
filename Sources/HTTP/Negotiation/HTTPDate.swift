package import Bytes

/// A point in time as in HTTP: whole seconds, GMT (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Sendable, Comparable {
    /// Seconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
    package let secondsSince1970: Int64

    /// Nil outside the years 1 to 9999, because a year has four digits.
    package init?(secondsSince1970: Int64) {
        guard (-62_135_596_800...253_402_300_799).contains(secondsSince1970) else { return nil }
        self.secondsSince1970 = secondsSince1970
    }

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

    private var daysAndSecond: (Int64, Int) {
        let days = secondsSince1970.quotient(flooredBy: 86400)
        return (days, Int(secondsSince1970 - days * 86400))
    }

    private static func write(timeOfDay second: Int, into buffer: inout ByteBuffer) {
        buffer.append(decimal: second / 3600, width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: second / 60 % 60, width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(decimal: second % 60, width: 2)
    }
}

/// Independent of the locale.
enum CalendarNames {
    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension HTTPDate {
    /// Reads a date in one of the three forms that a recipient must accept (RFC 9110 §5.6.7).
    ///
    /// nil if the text matches no form exactly, or names a day or time that does not exist. The
    /// weekday must be a valid name, but need not match the date. A leap second is read as the
    /// second after it.
    ///
    /// The current date decides the century of a two-digit year: at most 50 years ahead. The three
    /// forms are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`.
    package init?(parsing text: String, now: HTTPDate) {
        let reader = DateReader(text)
        let date = reader.readFixed() ?? reader.readObsolete(now: now) ?? reader.readAsctime()
        guard let date else { return nil }
        self = date
    }
}

/// A reader of the three forms, each from the beginning of the same text.
private struct DateReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func readFixed() -> HTTPDate? {
        var reader = self
        guard reader.name(of: CalendarNames.weekdays) != nil, reader.skip(", "),
            let day = reader.number(2), reader.skip(" "),
            let month = reader.name(of: CalendarNames.months), reader.skip(" "),
            let year = reader.number(4), reader.skip(" "),
            let time = reader.time(), reader.skip(" GMT"), reader.isAtEnd
        else { return nil }
        return date(CivilDate(year: year, month: month + 1, day: day), time)
    }

    func readObsolete(now: HTTPDate) -> HTTPDate? {
        var reader = self
        guard reader.name(of: CalendarNames.longWeekdays) != nil, reader.skip(", "),
            let day = reader.number(2), reader.skip("-"),
            let month = reader.name(of: CalendarNames.months), reader.skip("-"),
            let shortYear = reader.number(2), reader.skip(" "),
            let time = reader.time(), reader.skip(" GMT"), reader.isAtEnd
        else { return nil }
        let days = now.secondsSince1970.quotient(flooredBy: 86400)
        let thisYear = CivilDate(daysSince1970: days).year
        var year = thisYear - thisYear % 100 + shortYear
        if year > thisYear + 50 { year -= 100 }
        return date(CivilDate(year: year, month: month + 1, day: day), time)
    }

    func readAsctime() -> HTTPDate? {
        var reader = self
        guard reader.name(of: CalendarNames.weekdays) != nil, reader.skip(" "),
            let month = reader.name(of: CalendarNames.months), reader.skip(" "),
            let day = reader.skip(" ") ? reader.number(1) : reader.number(2), reader.skip(" "),
            let time = reader.time(), reader.skip(" "),
            let year = reader.number(4), reader.isAtEnd
        else { return nil }
        return date(CivilDate(year: year, month: month + 1, day: day), time)
    }

    private var isAtEnd: Bool { index == bytes.count }

    private func date(_ day: CivilDate, _ second: Int) -> HTTPDate? {
        guard day.exists else { return nil }
        return HTTPDate(secondsSince1970: day.daysSince1970 * 86400 + Int64(second))
    }

    private mutating func skip(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private mutating func name(of names: [String]) -> Int? {
        names.firstIndex { skip($0) }
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard bytes.count - index >= digits else { return nil }
        let text = bytes[index..<index + digits]
        guard text.allSatisfy(\.isDigit) else { return nil }
        index += digits
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func time() -> Int? {
        guard let hour = number(2), skip(":"), let minute = number(2), skip(":"),
            let second = number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
