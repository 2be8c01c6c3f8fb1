import Bytes

extension HTTPDate {
    /// Reads a date in one of the three forms that a recipient must accept (RFC 9110 §5.6.7).
    ///
    /// nil if the text matches no form exactly, or names a day or time that does not exist. The
    /// weekday must be a valid name, but need not match the date. A leap second is read as the
    /// second after it.
    ///
    /// - Parameters:
    ///   - text: As in `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    ///     `Sun Nov  6 08:49:37 1994`.
    ///   - now: The current date. It decides the century of a two-digit year: at most 50 years
    ///     ahead.
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

    /// The second of the day.
    private mutating func time() -> Int? {
        guard let hour = number(2), skip(":"), let minute = number(2), skip(":"),
            let second = number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
