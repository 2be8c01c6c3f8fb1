public import Bytes

/// A day of the Gregorian calendar, from 0001-01-01 to 9999-12-31.
public struct CalendarDate: Hashable, Sendable, Comparable {
    /// 1...9999.
    public let year: Int
    /// 1...12.
    public let month: Int
    /// 1...31, limited by the length of the month.
    public let day: Int

    /// Creates a date; nil for a day that does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard CivilDate(year: year, month: month, day: day).exists else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Parses the ten characters `YYYY-MM-DD` (ISO 8601); nil for anything else.
    public init?(_ text: String) {
        self.init(utf8: text.utf8.span)
    }

    /// Parses the ten bytes `YYYY-MM-DD`; nil for anything else.
    public init?(utf8: borrowing Span<UInt8>) {
        guard utf8.count == 10, utf8[4] == UInt8(ascii: "-"), utf8[7] == UInt8(ascii: "-") else {
            return nil
        }
        guard let year = Self.number(utf8, 0..<4), let month = Self.number(utf8, 5..<7),
            let day = Self.number(utf8, 8..<10)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Nil if a byte in the range is no digit.
    static func number(_ utf8: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            let digit = utf8[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// Whether a day is before another one.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        left.ordinal < right.ordinal
    }

    /// A number that increases with the date and fits into a cell.
    ///
    /// It is not a count of days.
    package var ordinal: Int64 { Int64(year) << 9 | Int64(month) << 5 | Int64(day) }

    package var dayNumber: Int64 { CivilDate(year: year, month: month, day: day).daysSince1970 }

    package init?(dayNumber: Int64) {
        guard (-719_162...2_932_896).contains(dayNumber) else { return nil }
        let date = CivilDate(daysSince1970: dayNumber)
        self.init(year: date.year, month: date.month, day: date.day)
    }

    package init?(ordinal: Int64) {
        self.init(year: Int(ordinal >> 9), month: Int(ordinal >> 5 & 15), day: Int(ordinal & 31))
    }
}

extension CalendarDate: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    public var description: String {
        var buffer = ByteBuffer(minimumCapacity: 16)
        write(to: &buffer)
        return buffer.text()
    }

    /// Appends `YYYY-MM-DD`.
    public func write(to buffer: inout ByteBuffer) { write(into: &buffer) }

    package func write(into sink: inout some ByteSink & ~Copyable) {
        // The type of the sink is not known here, so a call costs more than some digits.
        let hyphen = UInt64(UInt8(ascii: "-"))
        let monthAndDay = Self.digits(month) << 24 | hyphen << 16 | Self.digits(day)
        sink.append(bigEndian: Self.digits(year / 100), bytes: 2)
        sink.append(
            bigEndian: Self.digits(year % 100) << 48 | hyphen << 40 | monthAndDay,
            bytes: 8
        )
    }

    private static func digits(_ number: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: (number / 10) << 8 | number % 10 | 0x3030)
    }
}
