/// The spelling of dates in digits, in another form than `2024-03-14`.
package struct TimeSpelling: Hashable, Sendable {
    /// The order of day, month and year.
    package enum Order: String, Hashable, Sendable, CaseIterable {
        case dmy
        case mdy
        case ymd

        package var text: String {
            switch self {
            case .dmy: "day, month, year"
            case .mdy: "month, day, year"
            case .ymd: "year, month, day"
            }
        }
    }

    package let order: Order
    package let separator: UInt8
    /// Whether years have two digits: 69 to 99 are of the 20th century, and 00 to 68 of the 21st
    /// (POSIX, `strptime`).
    package let isShort: Bool
    /// Whether days and months have two digits.
    package let isPadded: Bool
    /// Whether hours before ten have one digit.
    package var hasShortHours = false

    package struct Found {
        /// With day and month as they are for each order that is possible.
        package fileprivate(set) var usual: [TimeSpelling: String] = [:]
        package fileprivate(set) var hasTime = false
        package fileprivate(set) var hasShortHour = false
        /// Whether a day or a month begins with 0.
        package fileprivate(set) var hasLeadingZero = false
    }

    /// The spellings are the same but for the digits of days and months.
    package func isSame(as other: TimeSpelling) -> Bool {
        order == other.order && separator == other.separator && isShort == other.isShort
    }

    /// Finds the dates that a text can mean; nil if there is none.
    package static func find(_ utf8: borrowing Span<UInt8>) -> Found? {
        guard utf8.count >= 6, utf8.count <= 40 else { return nil }
        var (parts, lengths, index) = ([0], [0], 0)
        var separator: UInt8 = 0
        while index < utf8.count {
            let byte = utf8[index]
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                guard lengths[lengths.count - 1] < 4 else { return nil }
                parts[parts.count - 1] = parts[parts.count - 1] * 10 + Int(digit)
                lengths[lengths.count - 1] += 1
            } else if parts.count < 3, "/.-".utf8.contains(byte),
                separator == 0 || byte == separator
            {
                separator = byte
                parts.append(0)
                lengths.append(0)
            } else {
                break
            }
            index += 1
        }
        guard parts.count == 3, let time = time(utf8.extracting(index...)) else { return nil }
        var found = Found(hasTime: !time.isEmpty)
        found.hasLeadingZero = (0..<3).contains { lengths[$0] == 2 && parts[$0] < 10 }
        found.hasShortHour = !time.isEmpty && utf8.count - index < time.utf8.count
        for order in Order.allCases {
            let (day, month, year) =
                switch order {
                case .dmy: (0, 1, 2)
                case .mdy: (1, 0, 2)
                case .ymd: (2, 1, 0)
                }
            guard 1...2 ~= lengths[day], 1...2 ~= lengths[month],
                lengths[year] == 4 || lengths[year] == 2 && order != .ymd
            else { continue }
            let isShort = lengths[year] == 2
            let century = !isShort ? 0 : parts[year] < 69 ? 2_000 : 1_900
            let date = CalendarDate(
                year: century + parts[year],
                month: parts[month],
                day: parts[day]
            )
            guard let date else { continue }
            let spelling = TimeSpelling(
                order: order,
                separator: separator,
                isShort: isShort,
                isPadded: lengths[day] == 2 && lengths[month] == 2
            )
            found.usual[spelling] = date.description + time
        }
        return found.usual.isEmpty ? nil : found
    }

    /// The time of day as a timestamp has it; empty for none, nil for anything else.
    private static func time(_ utf8: borrowing Span<UInt8>) -> String? {
        guard utf8.count > 0 else { return "" }
        guard utf8[0] == 0x20 || utf8[0] == UInt8(ascii: "T") else { return nil }
        for index in utf8.indices where utf8[index] > 0x7F { return nil }
        var time = String(decoding: utf8.extracting(1...))
        if time.utf8.count > 1, Array(time.utf8)[1] == UInt8(ascii: ":") { time = "0" + time }
        return Timestamp("2000-01-01 \(time)") == nil ? nil : " \(time)"
    }

    private static let shortYears = 1969...2068

    /// Years of two digits are those of one century.
    func covers(_ value: CellValue) -> Bool {
        guard isShort, let date = CalendarDate(String(value.plainText.prefix(10))) else {
            return true
        }
        return Self.shortYears.contains(date.year)
    }

    func text(of value: CellValue) -> String {
        let plain = value.plainText
        guard let date = CalendarDate(String(plain.prefix(10))) else { return plain }
        func digits(_ number: Int) -> String {
            isPadded && number < 10 ? "0\(number)" : "\(number)"
        }
        let year = isShort ? String(plain.prefix(4).suffix(2)) : String(plain.prefix(4))
        let parts =
            switch order {
            case .dmy: [digits(date.day), digits(date.month), year]
            case .mdy: [digits(date.month), digits(date.day), year]
            case .ymd: [year, digits(date.month), digits(date.day)]
            }
        let sign = String(Unicode.Scalar(separator))
        var time = plain.dropFirst(10).replacing("T", with: " ", maxReplacements: 1)
        if hasShortHours, time.hasPrefix(" 0") {
            time.remove(at: time.index(after: time.startIndex))
        }
        return parts.joined(separator: sign) + time
    }
}
