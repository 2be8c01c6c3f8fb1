import Bytes
import Listings
import Testing

@Suite("Values")
struct ValueTests {
    @Test(
        "an instant that UTC has no date for is spelled with the least offset that has one",
        arguments: [
            ("9999-12-31T23:59:59-05", "9999-12-31T23:59:59-05:00"),
            ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-23:59"),
            ("9999-12-31T00:00:30-23:59", "9999-12-31T23:59:30Z"),
            ("9999-12-31T12:00:30.25-12", "9999-12-31T23:59:30.25-00:01"),
            ("0001-01-01T00:00:00+05:00", "0001-01-01T00:00:00+05:00"),
            ("0001-01-01T04:00:30+05:00", "0001-01-01T00:00:30+01:00"),
            ("2024-01-01T01:00:00+01:00", "2024-01-01T00:00:00Z"),
        ]
    )
    func canonicalTimes(text: String, canonical: String) throws {
        let time = try #require(Timestamp(text))
        let same = try #require(Timestamp(time.canonicalText))
        #expect(same == time)
        #expect(time.canonicalText == canonical)
    }

    @Test(
        "days that exist are read and written alike",
        arguments: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2021-11-13"]
    )
    func dates(text: String) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.description == text)
        #expect(CellValue.parse(text, as: .date) == .date(date))
    }

    @Test(
        "everything else is no day",
        arguments: [
            "2023-02-29", "1900-02-29", "2021-13-01", "2021-00-01", "2021-04-31", "2021-1-1",
            "0000-01-01", "2021/01/01", "2021-01-01 ", "+021-01-01", "２０２１-01-01", "",
        ]
    )
    func noDates(text: String) { #expect(CalendarDate(text) == nil) }

    @Test(
        "whole numbers are digits with an optional sign, and ids are integers in one spelling",
        arguments: [
            ("5", true, true), ("-5", true, true), ("0", true, true), ("+5", true, false),
            ("-0", true, false), ("05", true, false), ("9223372036854775808", true, false),
            (" 5", false, false), ("5.0", false, false), ("", false, false),
        ]
    )
    func integers(text: String, isInteger: Bool, isID: Bool) {
        #expect((CellValue.parse(text, as: .integer) != nil) == isInteger)
        #expect((CellValue.id(text, as: .integer) != nil) == isID)
    }

    @Test(
        "numbers with a point are read as they are written in decimal, and not otherwise",
        arguments: [
            ("1.5", 1.5), ("-0.25", -0.25), ("3", 3), ("+1.5", 1.5), (".5", 0.5),
            ("Infinity", .infinity), ("1e+16", 1e16), ("2.5e-300", 2.5e-300),
            ("0x10", nil), ("0x1p3", nil), ("1e999", nil), ("nan", nil),
            ("infinity", nil), ("1,5", nil), (" 1", nil), ("", nil), ("-", nil), ("1e", nil),
        ] as [(String, Double?)]
    )
    func reals(text: String, value: Double?) {
        #expect(CellValue.parse(text, as: .real) == value.map(CellValue.real))
    }

    @Test("texts are equal when their bytes are")
    func bytes() {
        #expect(CellValue.text("\u{E9}") != CellValue.text("e\u{301}"))
        #expect(CellValue.text("\u{E9}") == CellValue.text("\u{E9}"))
        #expect(CellValue.text("1") != CellValue.integer(1))
        #expect(Set([CellValue.null, .text(""), .null, .boolean(false)]).count == 3)
    }

    @Test("names of values lead back to them, and no two values share one")
    func namesOfValues() throws {
        let columns = [
            Column("text"), Column("number", type: .real), Column("day", type: .date),
            Column("yes", type: .boolean), Column("mixedText", isMixed: true),
            Column("mixedNumber", type: .integer, isMixed: true),
            Column("mixedTime", type: .timestamp, isMixed: true),
        ]
        let texts = [
            "", "~", "~~", "~t:x", "a b/c", "42", "1.50", "2024-02-29", "true", "\u{10FFFF}x",
        ]
        let values: [CellValue] =
            texts.map(CellValue.text) + texts.map(CellValue.natural).filter { $0.kind != .text } + [
                .null, .integer(-3), .real(0.25), .real(.infinity), .real(.nan), .boolean(false),
                .json("[1]"), .bytes(ByteValue([0, 255])), .json("{}"), .text("[1]"), .text("00ff"),
                .timestamp(try #require(Timestamp("2024-02-29 12:00:00.5+01:00"))),
                .timestamp(try #require(Timestamp("2024-02-29T11:00:00.5"))),
            ]
        for column in columns {
            var names: [String: CellValue] = [:]
            for value in Set(values) {
                let name = column.name(of: value)
                #expect(column.value(named: name) == value, "\(name) under \(column.id)")
                #expect(names.updateValue(value, forKey: name) == nil, "\(name) names two values")
            }
        }
        #expect(Column("number", type: .real).name(of: .text("42")) == "~t:42")
        #expect(Column("text").name(of: .text("42")) == "42")
        #expect(Column("text").value(named: "~x") == nil)
        #expect(Column("number", type: .integer).value(named: "x") == nil)
    }

    @Test(
        "labels are made of ids",
        arguments: [
            ("firstName", "First name"), ("first_name", "First name"), ("since", "Since"),
            ("a1B", "A1 b"), ("_", "_"), ("_id", "Id"), ("Id", "ID"), ("été", "Été"),
            ("customerID", "Customer ID"), ("userIDs", "User IDs"), ("x", "X"),
            ("SNAKE_CASE", "SNAKE CASE"), ("First_Name", "First Name"),
            ("GDP_per_capita", "GDP per capita"), ("pH_value", "pH value"),
        ]
    )
    func labels(id: String, label: String) { #expect(Column.label(from: id) == label) }

    @Test(
        "a name that is a heading already stays as it is",
        arguments: [
            "GDP per Capita", "New York", "Anzahl Kunden", "2024 Q1", "iPhone", "pH", "kWh", "URL",
            "PLZ2", "Plz", "PLZ ORT", "FirstName", "YouTube", "first name", "e-mail",
            "Sepal.Length", "price ($)", "2024-01",
        ]
    )
    func headingsStay(name: String) { #expect(Column.label(from: name) == name) }

    @Test("cells come back as they were put in, text for people beside them")
    func cells() {
        var cells = CellBuffer()
        let values: [CellValue] = [
            .null, .text(""), .text("né"), .integer(.min), .real(1.5), .boolean(true),
            .boolean(false), .date(CalendarDate("2024-02-29")!), .natural("1.50"),
            .natural("2024-02-29 12:00:00.5+01"), .json("[1]"), .bytes(ByteValue(count: 7)),
        ]
        for value in values { cells.append(value) }
        cells.appendNull(display: "No city")
        cells.append(.text("x"), display: "X!")
        cells.append(Double.nan)
        let count = cells.count
        #expect(count == values.count + 3)
        for (index, value) in values.enumerated() {
            let read = cells.value(index)
            let display = cells.display(index)
            #expect(read.isIdentical(to: value))
            #expect(display == nil)
        }
        let displays = (values.count..<count).map { cells.display($0) }
        #expect(displays == ["No city", "X!", nil])
        let last = cells.value(count - 1)
        #expect(last == .real(.nan))
        var copy = CellBuffer()
        for index in values.indices { copy.append(index, of: cells) }
        let copied = values.indices.map { copy.value($0) }
        #expect(copied == values)
    }

    @Test("a schema refuses equal and reserved column names", arguments: ["limit", "ID__", "a__b"])
    func reserved(id: String) {
        #expect(throws: ListingError.reservedColumn(id)) { try ListSchema(columns: [Column(id)]) }
        #expect(throws: ListingError.duplicateColumn("x")) {
            try ListSchema(columns: [Column("x"), Column("y"), Column("x")])
        }
    }
}
