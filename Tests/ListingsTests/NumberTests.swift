import Listings
import Testing

@Suite("Numbers by exact value")
struct NumberTests {
    @Test(
        "a plain decimal is a number in its own spelling",
        arguments: [
            "0", "-0", "007", "+5", ".5", "-.5", "1.50", "1.10", String(repeating: "9", count: 60),
        ]
    )
    func plainDecimals(_ text: String) throws {
        let decimal = try #require(ExactDecimal(text))
        #expect(decimal.text == text)
        #expect(CellValue.natural(text).kind == .number)
        #expect(CellValue.natural(text).plainText == text)
    }

    @Test(
        "other spellings are texts",
        arguments: [
            "", "-", "+", ".", "5.", "1e5", "10E5", "0x10", "1_000", "1,5", " 5", "5 ", "NaN",
            "--5",
        ]
    )
    func texts(_ text: String) { #expect(CellValue.natural(text) == .text(text)) }

    @Test("numbers of one value are equal whatever their type and spelling")
    func equality() throws {
        let one: [CellValue] = [
            .integer(1), .real(1), .natural("1.0"), .natural("01"), .natural("+1"),
        ]
        #expect(Set(one).count == 1)
        #expect(CellValue.natural("-0") == .integer(0))
        #expect(CellValue.natural("0.1") == .real(0.1))
        #expect(CellValue.integer(.min) == .real(-0x1p63))
        #expect(CellValue.natural("0.10000000000000000555") != .real(0.1))
        #expect(CellValue.integer(9_007_199_254_740_993) != .real(9_007_199_254_740_992))
        #expect(CellValue.natural("1").isIdentical(to: .integer(1)))
        #expect(!CellValue.natural("1.0").isIdentical(to: .natural("1.00")))
    }

    @Test("numbers stand by value, also past 64 bits and between types")
    func order() throws {
        let ascending: [CellValue] = [
            .real(-.infinity), .natural("-123456789012345678901234567890"), .integer(.min),
            .real(-1.5), .natural("-0.001"), .integer(0), .natural(".5"), .natural("0.51"),
            .integer(1), .natural("1.0000000000000000000000000001"), .real(1.5),
            .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993),
            .natural("9007199254740993.5"), .integer(.max), .real(0x1p63),
            .natural("123456789012345678901234567890"), .real(.infinity), .real(.nan),
        ]
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                let result = RowOrder.compare(first, second).signum()
                #expect(result == (left - right).signum(), "\(first) and \(second)")
            }
        }
    }

    @Test(
        "the canonical text of a number is one for all spellings",
        arguments: [
            ("1.50", "1.5"), ("007", "7"), ("-0", "0"), (".5", "0.5"), ("+12.0", "12"),
            ("0.00", "0"), ("100", "100"), ("-001.10", "-1.1"), ("0.0001", "0.0001"),
        ]
    )
    func canonicalTexts(text: String, canonical: String) throws {
        #expect(try #require(ExactDecimal(text)).canonicalText == canonical)
    }

    @Test("the canonical text of a real has all its digits")
    func canonicalReal() {
        #expect(CellValue.real(1e21).canonicalText == "1000000000000000000000")
    }
}

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "ISO 8601 forms name an instant",
        arguments: [
            "2024-03-12T02:30:00Z", "2024-03-12 02:30:00Z", "2024-03-12t02:30:00z",
            "2024-03-12T03:30:00+01:00", "2024-03-12T03:30:00+0100", "2024-03-12T03:30+01",
            "2024-03-11T21:30:00-05:00", "2024-03-12T02:30:00.000Z",
        ]
    )
    func instants(_ text: String) throws {
        let timestamp = try #require(Timestamp(text))
        #expect(timestamp.seconds == 1_710_210_600)
        #expect(timestamp.hasOffset)
        #expect(timestamp.text == text)
    }

    @Test(
        "everything else is none",
        arguments: [
            "2024-03-12", "2024-03-12T", "2024-03-12T25:00:00Z", "2024-02-30T00:00:00", "yesterday",
            "2024-03-12T02:30:00ZZ", "2024-03-12T02:30:00+1", "2024-03-12T2:30:00",
            "2024-3-12T02:30:00",
            "2024-03-12T02:30:00.1234567890", "2024-03-12T02:60:00", "2024-03-12X02:30:00", "",
        ]
    )
    func refusals(_ text: String) { #expect(Timestamp(text) == nil) }

    @Test("days are counted alike in both directions, over all years")
    func dayNumbers() throws {
        #expect(CalendarDate(year: 1970, month: 1, day: 1)?.dayNumber == 0)
        #expect(CalendarDate(year: 1, month: 1, day: 1)?.dayNumber == -719_162)
        #expect(CalendarDate(year: 9999, month: 12, day: 31)?.dayNumber == 2_932_896)
        var previous: CalendarDate?
        for number in stride(from: Int64(-719_162), through: 2_932_896, by: 1) {
            let date = try #require(CalendarDate(dayNumber: number))
            if number % 1_000 == 0 { #expect(date.dayNumber == number) }
            if let previous {
                guard previous < date else {
                    Issue.record("\(date)")
                    return
                }
            }
            previous = date
        }
    }

    @Test(
        "in a mixed column a condition names every value that its text may be",
        arguments: [
            ("2024-03", "2024-03", 2), ("2024", "2024", 3), ("2024-03-12", "2024-03-12", 2),
            ("2024-03-12T02:30", "2024-03-12T02:30", 2), ("[1, 2]", "[1, 2]", 2),
            ("true", "true", 2), ("x", "x", 1),
        ]
    )
    func candidates(text: String, operand: String, count: Int) {
        let column = Column("v", isMixed: true)
        let candidates = column.candidates(for: text)
        #expect(candidates.count == count, "\(candidates)")
        #expect(candidates.contains(.text(text)))
        #expect(column.operand(for: text)?.plainText == operand)
        #expect(Column("v").candidates(for: text) == [.text(text)])
    }

    @Test("a time without seconds is the instant of its minute, but a period in a condition")
    func minutes() throws {
        let column = Column("at", type: .timestamp)
        let value = try #require(column.value(of: "2024-03-12T04:30+02"))
        #expect(value == column.value(of: "2024-03-12T02:30:00Z"))
        #expect(column.name(of: value) == "2024-03-12T02:30:00Z")
        #expect(column.operand(for: "2024-03-12T04:30+02").flatMap { TimeSpan($0)?.end } != nil)
    }

    @Test("a period holds its times and no others")
    func periods() throws {
        let cases: [(period: String, inside: [String], outside: [String])] = [
            ("2024", ["2024-01-01T00:00:00Z", "2024-12-31T23:59:59.9Z"], ["2025-01-01T00:00:00Z"]),
            (
                "2024-02", ["2024-02-29T23:59:59Z"],
                ["2024-03-01T00:00:00Z", "2024-01-31T23:59:59Z"]
            ),
            ("2024-02-29", ["2024-02-29T00:00:00Z"], ["2024-03-01T00:00:00Z"]),
            ("2024-02-29T12:30", ["2024-02-29T12:30:59.999Z"], ["2024-02-29T12:31:00Z"]),
            ("2024-02-29T12:30:00Z", ["2024-02-29T13:30:00+01:00"], ["2024-02-29T12:30:00.1Z"]),
        ]
        let column = Column("at", type: .timestamp)
        for (period, inside, outside) in cases {
            let operand = try #require(column.operand(for: period))
            let filters = [Filter(column: 0, .equal, [operand])]
            for text in inside + outside {
                let time = try CellValue.timestamp(#require(Timestamp(text)))
                let isInside = try filters.areMet(in: ListSchema(columns: [column])) { _ in time }
                #expect(isInside == inside.contains(text), "\(text) in \(period)")
            }
        }
        #expect(column.operand(for: "yesterday") == nil)
        #expect(column.operand(for: "2024-13") == nil)
    }
}

@Suite("One order for values of all types")
struct ValueOrderTests {
    @Test("booleans, numbers, times, texts, JSON and bytes follow one another")
    func kinds() throws {
        let ascending: [CellValue] = [
            .boolean(false), .boolean(true), .integer(-1), .natural("1.5"), .natural("2023-12-31"),
            .natural("2024-01-01"), .natural("2024-01-01T00:00:00"),
            .natural("2024-01-01T00:00:00Z"),
            .natural("2024-01-01T01:30:00+01:00"), .text(""), .text("1"), .text("a"), .text("B"),
            .json("[]"), .json("{}"), .bytes(ByteValue([])), .bytes(ByteValue([1])),
        ]
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                let result = RowOrder.compare(first, second).signum()
                #expect(result == (left - right).signum(), "\(first) and \(second)")
            }
        }
    }
}
