struct TimestampReader {
    /// Since 1970-01-01T00:00:00Z.
    private(set) var seconds: Int64 = 0
    private(set) var nanoseconds: Int32 = 0
    private(set) var hasOffset = false
    private(set) var precision = Timestamp.Precision.year

    /// Nil if the bytes are neither a timestamp nor a period.
    init?(_ utf8: borrowing Span<UInt8>) {
        let count = utf8.count
        guard count >= 4, count <= 64, let year = CalendarDate.number(utf8, 0..<4) else {
            return nil
        }
        var (month, day) = (1, 1)
        if count >= 7, utf8[4] == UInt8(ascii: "-") {
            guard let number = CalendarDate.number(utf8, 5..<7) else { return nil }
            (month, precision) = (number, .month)
        }
        if count >= 10, precision == .month, utf8[7] == UInt8(ascii: "-") {
            guard let number = CalendarDate.number(utf8, 8..<10) else { return nil }
            (day, precision) = (number, .day)
        }
        guard let date = CalendarDate(year: year, month: month, day: day) else { return nil }
        seconds = date.dayNumber * 86_400
        let read = precision == .year ? 4 : precision == .month ? 7 : 10
        guard count > read else { return }
        guard precision == .day, readTime(utf8) else { return nil }
    }

    private mutating func readTime(_ utf8: borrowing Span<UInt8>) -> Bool {
        guard utf8[10] == UInt8(ascii: " ") || utf8[10] | 0x20 == UInt8(ascii: "t"),
            utf8.count >= 16, utf8[13] == UInt8(ascii: ":"),
            let hour = CalendarDate.number(utf8, 11..<13), hour < 24,
            let minute = CalendarDate.number(utf8, 14..<16), minute < 60
        else { return false }
        precision = .minute
        seconds += Int64(hour * 3600 + minute * 60)
        var index = 16
        if index + 2 < utf8.count, utf8[index] == UInt8(ascii: ":") {
            guard let second = CalendarDate.number(utf8, 17..<19), second < 60 else { return false }
            precision = .instant
            seconds += Int64(second)
            index = 19
            guard readFraction(utf8, &index) else { return false }
        }
        return readOffset(utf8, index)
    }

    private mutating func readFraction(_ utf8: borrowing Span<UInt8>, _ index: inout Int) -> Bool {
        guard index < utf8.count,
            utf8[index] == UInt8(ascii: ".") || utf8[index] == UInt8(ascii: ",")
        else { return true }
        index += 1
        var (count, value) = (0, 0)
        while index < utf8.count, utf8[index] &- UInt8(ascii: "0") < 10 {
            value = value * 10 + Int(utf8[index] &- UInt8(ascii: "0"))
            count += 1
            index += 1
            guard count <= 9 else { return false }
        }
        guard count > 0 else { return false }
        for _ in count..<9 { value *= 10 }
        nanoseconds = Int32(value)
        return true
    }

    private mutating func readOffset(_ utf8: borrowing Span<UInt8>, _ start: Int) -> Bool {
        guard start < utf8.count else { return true }
        hasOffset = true
        let sign = utf8[start]
        if sign | 0x20 == UInt8(ascii: "z") { return start + 1 == utf8.count }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), start + 3 <= utf8.count,
            let hours = CalendarDate.number(utf8, start + 1..<start + 3), hours < 24
        else { return false }
        var minutes = 0
        if start + 3 < utf8.count {
            let first = utf8[start + 3] == UInt8(ascii: ":") ? start + 4 : start + 3
            guard first + 2 == utf8.count,
                let number = CalendarDate.number(utf8, first..<first + 2),
                number < 60
            else { return false }
            minutes = number
        }
        let offset = Int64(hours * 3600 + minutes * 60)
        seconds -= sign == UInt8(ascii: "-") ? -offset : offset
        return true
    }
}
