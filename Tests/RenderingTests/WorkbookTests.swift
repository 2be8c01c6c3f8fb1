import Bytes
import Listings
import TestSupport
import Testing

@testable import Rendering

@Suite("Excel workbooks")
struct WorkbookTests {
    private struct Values: Identifiable, Sendable {
        let id: String
        let values: [CellValue]
    }

    private struct ValuesController: RowController {
        let kind = "values.row"
        let columns: [Column]

        func write(_ context: Context<Values>, to cells: inout CellBuffer) throws {
            if context.model.values.isEmpty { throw PersonController.Failure() }
            for value in context.model.values { cells.append(value) }
        }

        func revision(of model: Values) -> Int64? { nil }
    }

    /// Sections by title, each with rows of values.
    private typealias Sections = [(title: String, rows: [[CellValue]])]

    private static let types: [ColumnType] = [
        .text, .integer, .real, .boolean, .date, .timestamp, .json,
    ]

    private func render(
        _ pages: [Sections],
        columns: [Column],
        query: ListQuery = ListQuery(shape: .flow(limit: 4)),
        splitsSections: Bool = false,
        maximumRows: Int = 1_048_576
    ) throws -> ReadWorkbook {
        var registry = ControllerRegistry()
        let registration = try registry.register(ValuesController(columns: columns))
        let schema = try ListSchema(columns: columns)
        var renderer = XLSXRowRenderer(
            splitsSections: splitsSections,
            maximumRows: maximumRows,
            deflate: ZipWriter.stored
        )
        var buffer = ByteBuffer()
        var number = 0
        for (position, sections) in pages.enumerated() {
            var page = Page(list: "people", schema: schema)
            page.begin(query, version: ListVersion(epoch: 1, counter: 1))
            for section in sections {
                let key = SectionKey.value(.text(section.title))
                page.beginSection(
                    SectionInfo(id: SectionID(section.title), key: key, header: section.title)
                )
                for values in section.rows {
                    number += 1
                    page.append(Values(id: "\(number)", values: values), using: registration)
                }
            }
            try page.end()
            if position == 0 { renderer.renderStart(of: page, to: &buffer) }
            renderer.renderRows(of: page, to: &buffer)
        }
        renderer.renderEnd(to: &buffer)
        return try ReadWorkbook(buffer.array())
    }

    private func cell(_ value: CellValue) throws -> ReadWorkbook.Cell? {
        let column = Column("value", isMixed: true)
        let workbook = try render([[("all", [[value]])]], columns: [column])
        #expect(workbook.sheets.map(\.name) == ["people"])
        #expect(workbook.sheets[0].rows.first == [.text("value")])
        return workbook.sheets[0].rows[1].first ?? nil
    }

    @Test(
        "numbers that no double has are texts",
        arguments: [
            ("0", "0"), ("-7", "-7"), ("9007199254740992", "9007199254740992"),
            ("-9007199254740992", "-9007199254740992"),
            ("9007199254740993", nil), ("-9007199254740993", nil), ("9223372036854775807", nil),
            ("1.50", "1.5"), ("-0.000001", "-0.000001"), ("0.123456789012345", "0.123456789012345"),
            ("0.1234567890123456", "0.1234567890123456"),
            ("123456789012345.5", "123456789012345.5"), ("0.123456789012345678", nil),
            ("100000000000000000000", "1e20"), ("0.00", "0"),
        ] as [(String, String?)]
    )
    func numbers(text: String, number: String?) throws {
        let value = try #require(
            CellValue.parse(text, as: .integer) ?? ExactDecimal(text).map(CellValue.decimal)
        )
        let expected = number.flatMap(Double.init).map(ReadWorkbook.Cell.number) ?? .text(text)
        #expect(try cell(value) == expected)
    }

    @Test(
        "reals are numbers, unless no number has the value",
        arguments: [
            (0.1 + 0.2, nil), (-0.0, nil), (.leastNonzeroMagnitude, nil),
            (.greatestFiniteMagnitude, nil),
            (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"),
        ] as [(Double, String?)]
    )
    func reals(real: Double, text: String?) throws {
        #expect(try cell(.real(real)) == text.map(ReadWorkbook.Cell.text) ?? .number(real))
    }

    @Test(
        "dates of the 1900 system are numbers with a format, all others texts",
        arguments: [
            ("1899-12-31", nil), ("1900-01-01", 1), ("1900-02-28", 59), ("1900-03-01", 61),
            ("1970-01-01", 25_569), ("2024-02-29", 45_351), ("9999-12-31", 2_958_465),
            ("0001-01-01", nil),
        ] as [(String, Double?)]
    )
    func dates(text: String, serial: Double?) throws {
        let date = try #require(CalendarDate(text))
        let expected =
            serial.map { ReadWorkbook.Cell.date($0, format: "yyyy-mm-dd") } ?? .text(text)
        #expect(try cell(.date(date)) == expected)
    }

    @Test(
        "timestamps are in UTC where they have an offset, and texts beyond milliseconds",
        arguments: [
            ("1970-01-01T12:00", 25_569.5, " hh:mm"), ("1970-01-01 12:00", 25_569.5, "\\ hh:mm"),
            ("1970-01-01T18:00:00Z", 25_569.75, " hh:mm:ss\"Z\""),
            ("1970-01-01T08:00:00+02:00", 25_569.25, " hh:mm:ss\"Z\""),
            ("1970-01-01T00:00:00.125", 25_569 + 0.125 / 86_400, " hh:mm:ss.000"),
            ("1970-01-01 00:00:00.5-01:00", 25_569 + 3_600.5 / 86_400, "\\ hh:mm:ss.0\"Z\""),
            ("1970-01-01T00:00:00.000Z", 25_569, " hh:mm:ss.000\"Z\""),
            ("1900-01-01T06:00:00", 1.25, " hh:mm:ss"), ("1899-12-31T06:00:00", nil, ""),
            ("1900-01-01T00:00:00+01:00", nil, ""), ("2024-01-01T00:00:00.0001", nil, ""),
        ] as [(String, Double?, String)]
    )
    func timestamps(text: String, serial: Double?, end: String) throws {
        let timestamp = try #require(Timestamp(text))
        let format = "yyyy-mm-dd" + end
        let expected = serial.map { ReadWorkbook.Cell.date($0, format: format) } ?? .text(text)
        #expect(try cell(.timestamp(timestamp)) == expected)
    }

    @Test("other values are what they are", arguments: [true, false])
    func others(flag: Bool) throws {
        #expect(try cell(.boolean(flag)) == .boolean(flag))
        #expect(try cell(.null) == nil)
        #expect(try cell(.json(#"{"a":[1,"<"]}"#)) == .text(#"{"a":[1,"<"]}"#))
        #expect(try cell(.bytes(ByteValue(count: 7))) == .text("7 bytes"))
    }

    @Test(
        "texts come back as they are",
        arguments: [
            "", " ", "=1+1", "@a", "a<b>&\"c\"'", " a ", "a\nb", "a\r\nb\rc", "\u{0}\u{B}\u{1F}",
            "\t",
            "_x000B_", "_x005F_x000B_", "_X000b_", "_x00", "a_x12G4_", "\u{FFFE}\u{FFFF}\u{FFFD}",
            "שלום", "👩‍👩‍👧", "\u{7F}\u{85}\u{A0}", "]]>", "0123", "e\u{301}",
        ]
    )
    func texts(text: String) throws {
        guard case .text(let found)? = try cell(.text(text)) else {
            Issue.record("no text for \(text.debugDescription)")
            return
        }
        #expect(
            found.unicodeScalars.elementsEqual(text.unicodeScalars),
            "\(found.debugDescription)"
        )
    }

    @Test("a text that no cell holds ends with a note", arguments: ["a", "é", "😀"])
    func longTexts(character: String) throws {
        let limit = SheetWriter.maximumText / character.utf16.count
        let whole = String(repeating: character, count: limit)
        #expect(try cell(.text(whole)) == .text(whole))
        let long = String(repeating: character, count: limit + 1)
        guard case .text(let cut)? = try cell(.text(long)) else {
            Issue.record("no text")
            return
        }
        #expect(cut.utf16.count <= SheetWriter.maximumText)
        #expect(cut.utf16.count > SheetWriter.maximumText - 3)
        let note = "… [cut by Roster: the value has \(long.utf16.count) characters, a cell 32767]"
        #expect(cut.hasSuffix(note))
        #expect(long.hasPrefix(cut.dropLast(note.count)))
    }

    @Test("random values come back, whatever the pages", arguments: UInt64(1)...60)
    func randomValues(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let columns = Self.types.map { Column("c_\($0)", type: $0) }
        let rows = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
            Self.types.map { generator.value(of: $0) }
        }
        let cut = Int.random(in: 0...rows.count, using: &generator)
        let maximum = Int.random(in: 2...12, using: &generator)
        let pages: [Sections] = [[("all", Array(rows[..<cut]))], [("all", Array(rows[cut...]))]]
        let workbook = try render(pages, columns: columns, maximumRows: maximum)
        let header = columns.map { ReadWorkbook.Cell.text($0.id) }
        #expect(workbook.sheets.allSatisfy { $0.rows.first == header }, "seed \(seed)")
        #expect(workbook.sheets.allSatisfy { $0.rows.count <= maximum }, "seed \(seed)")
        let found = workbook.sheets.flatMap { $0.rows.dropFirst() }
        #expect(found.count == rows.count, "seed \(seed)")
        for (cells, values) in zip(found, rows) {
            for (position, value) in values.enumerated() {
                let cell = position < cells.count ? cells[position] : nil
                #expect(cell == Self.expected(value), "seed \(seed): \(value)")
            }
        }
    }

    /// The cell of a value that no spreadsheet would round.
    private static func expected(_ value: CellValue) -> ReadWorkbook.Cell? {
        switch value {
        case .null: nil
        case .integer(let integer): .number(Double(integer))
        case .real(let real): .number(real)
        case .boolean(let boolean): .boolean(boolean)
        case .date(let date): .date(Double(date.dayNumber + 25_569), format: "yyyy-mm-dd")
        case .timestamp(let timestamp):
            .date(
                Double(timestamp.seconds.quotient(flooredBy: 86_400) + 25_569)
                    + Double(
                        timestamp.seconds - timestamp.seconds.quotient(flooredBy: 86_400) * 86_400
                    )
                    / 86_400,
                format: "yyyy-mm-dd hh:mm:ss" + (timestamp.hasOffset ? "\"Z\"" : "")
            )
        default: .text(value.plainText)
        }
    }

    @Test("the header stays in view and has a filter")
    func header() throws {
        let columns = (0..<28).map { Column("c\($0)") }
        let workbook = try render([[("all", [[.text("a")]])]], columns: columns)
        #expect(workbook.entries.first?.name == "_rels/.rels")
        #expect(workbook.entries.last?.name == "[Content_Types].xml")
        let xml = workbook.sheets[0].xml
        #expect(xml.contains(#"<pane ySplit="1" topLeftCell="A2""#))
        #expect(xml.contains(#"<autoFilter ref="A1:AB2"/>"#))
        #expect(xml.contains(#"<c r="AB1" s="1" t="inlineStr">"#))
    }

    @Test("each section has a sheet, or all rows have one with a column for it")
    func sections() throws {
        let pages: [Sections] = [
            [("a/b", [[.integer(1)]]), ("none", []), ("A_B", [[.integer(2)]])],
            [("A_B", [[.integer(3)]]), ("c", [[.integer(4)], []])],
        ]
        let columns = [Column("n", type: .integer, isGroupable: true)]
        let query = ListQuery(grouping: Grouping(column: 0), shape: .flow(limit: 4))
        let split = try render(pages, columns: columns, query: query, splitsSections: true)
        #expect(split.sheets.map(\.name) == ["a_b", "A_B (2)", "c"])
        let head: [ReadWorkbook.Cell?] = [.text("n")]
        #expect(
            split.sheets.map(\.rows) == [
                [head, [.number(1)]], [head, [.number(2)], [.number(3)]],
                [head, [.number(4)], [.text("#error: row-failed")]],
            ]
        )
        let whole = try render(pages, columns: columns, query: query)
        #expect(whole.sheets.map(\.name) == ["people"])
        #expect(
            whole.sheets[0].rows.map(\.first) == [
                .text("section"), .text("a/b"), .text("A_B"), .text("A_B"), .text("c"), .text("c"),
            ]
        )
    }

    @Test("a list without rows has a sheet with its header", arguments: [true, false])
    func empty(splitsSections: Bool) throws {
        let workbook = try render([[]], columns: [Column("a")], splitsSections: splitsSections)
        #expect(workbook.sheets.map(\.name) == ["people"])
        #expect(workbook.sheets[0].rows == [[.text("a")]])
    }

    @Test(
        "names of sheets are valid and differ",
        arguments: [
            (["Designer", "designer"], ["Designer", "designer (2)"]),
            (["a[b]:*?/\\c"], ["a_b______c"]), (["", "  "], ["Sheet", "Sheet (2)"]),
            (["'a'"], ["_a_"]), (["History"], ["History_"]), (["a\u{0}\nb"], ["a__b"]),
            (
                [String(repeating: "x", count: 40), String(repeating: "X", count: 31)],
                [String(repeating: "x", count: 31), String(repeating: "X", count: 27) + " (2)"]
            ),
            ([String(repeating: "😀", count: 20)], [String(repeating: "😀", count: 15)]),
            (["a" + String(repeating: "\u{301}", count: 40)], ["Sheet"]),
        ]
    )
    func names(titles: [String], expected: [String]) {
        var names = SheetNames()
        #expect(titles.map { names.name(for: $0) } == expected)
    }

    @Test("a directory after 4 GiB says so in eight bytes")
    func farFiles() {
        var near = ByteBuffer()
        var far = ByteBuffer()
        for offset in [UInt64(0), 0xFFFF_FFF0] {
            var zip = ZipWriter(at: offset, deflate: ZipWriter.stored)
            var buffer = ByteBuffer()
            for name in ["a", "b"] { zip.add(name, to: &buffer) { $0.append("abc") } }
            zip.finish(to: &buffer)
            if offset == 0 { near = buffer } else { far = buffer }
        }
        // The offset of the second entry, and the end of the directory with its own.
        #expect(far.count == near.count + 12 + 56 + 20)
        let end = far.array().suffix(22)
        #expect(Array(end[(end.startIndex + 16)...].prefix(4)) == [0xFF, 0xFF, 0xFF, 0xFF])
    }
}

extension SeededGenerator {
    fileprivate mutating func value(of type: ColumnType) -> CellValue {
        guard Int.random(in: 0..<5, using: &self) > 0 else { return .null }
        switch type {
        case .integer: return .integer(.random(in: -(1 << 53)...1 << 53, using: &self))
        case .real: return .real(.random(in: -1e9...1e9, using: &self))
        case .boolean: return .boolean(.random(using: &self))
        case .date:
            let day = Int64.random(in: -25_508...2_932_896, using: &self)
            return CalendarDate(dayNumber: day).map(CellValue.date) ?? .null
        case .timestamp:
            let seconds = Int64.random(in: -2_203_891_200...253_402_300_799, using: &self)
            let hasOffset = Bool.random(using: &self)
            return .timestamp(
                Timestamp(seconds: seconds, nanoseconds: 0, hasOffset: hasOffset)
            )
        case .text, .email, .link, .json, .bytes:
            let letters = Array("a_x0B<>&\"' \n\r\t\u{B}\u{0}é漢😀א=\u{FFFF}".unicodeScalars)
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &self) {
                text.unicodeScalars.append(letters.randomElement(using: &self) ?? "a")
            }
            return type == .json ? .json("[\(text)]") : .text(text)
        }
    }
}
