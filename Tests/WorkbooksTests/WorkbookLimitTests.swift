import Archives
import TestSupport
import Testing
import Workbooks

@Suite("Workbooks that would fill memory, and broken ones")
struct WorkbookLimitTests {
    private func expectRefused(
        _ writer: WorkbookWriter,
        _ expected: WorkbookError,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: expected, sourceLocation: sourceLocation) { try read(writer) }
    }

    @Test(
        "a document type is refused, so that no entity can be declared",
        arguments: [
            "<!DOCTYPE a [<!ENTITY x \"xxxxxxxx\"><!ENTITY y \"&x;&x;&x;\">]><a>&y;</a>",
            "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
            "<!DOCTYPE a [<!ENTITY % d SYSTEM \"http://127.0.0.1/\"> %d;]><a/>",
        ]
    )
    func documentType(xml: String) {
        for part in ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml"] {
            var writer = WorkbookWriter(rows: WorkbookWriter.row(["a"]))
            writer.parts[part] = xml
            let error = #expect(throws: WorkbookError.self) { try read(writer) }
            guard case .xml(.documentType, part, 1, _) = error else {
                Issue.record("\(error as Any) in \(part)")
                continue
            }
        }
    }

    @Test("an entity that nothing declares is refused")
    func undeclared() {
        var writer = WorkbookWriter(rows: "")
        writer.parts["xl/worksheets/sheet1.xml"] = "<a>&x;</a>"
        expectRefused(
            writer,
            .xml(.syntax("undefined entity"), part: "xl/worksheets/sheet1.xml", line: 1, column: 4)
        )
    }

    @Test("depth and length of tags are bounded")
    func nesting() {
        var writer = WorkbookWriter(rows: "")
        let part = "xl/worksheets/sheet1.xml"
        writer.parts[part] = String(repeating: "<a>", count: 100_000)
        expectRefused(writer, .xml(.tooDeep(limit: 64), part: part, line: 1, column: 64 * 3 + 1))
        writer.parts[part] = "<a b=\"" + String(repeating: "x", count: 3 << 20) + "\"/>"
        let error = #expect(throws: WorkbookError.self) { try read(writer) }
        guard case .xml(.tagTooLong, part, _, _) = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test("a million columns are refused at the first row")
    func manyColumns() {
        let cells = String(repeating: "<c><v>1</v></c>", count: 1_000_000)
        expectRefused(
            WorkbookWriter(rows: "<row>\(cells)</row>"),
            .cell(.tooManyValues(limit: 1000), row: 1, column: 1001)
        )
        expectRefused(
            WorkbookWriter(rows: "<row>\(cells.replacing("<v>1</v>", with: ""))</row>"),
            .cell(.columnLimit(16_384), row: 1, column: 16_384)
        )
        expectRefused(
            WorkbookWriter(rows: "<row><c r=\"BDWGO1\"><v>1</v></c></row>"),
            .cell(.columnLimit(16_384), row: 1, column: 1)
        )
    }

    @Test("a short cell that repeats a long text cannot fill memory")
    func repeatedText() throws {
        let cells = String(repeating: "<c t=\"s\"><v>0</v></c>", count: 900)
        var writer = WorkbookWriter(rows: "<row>\(cells)</row>")
        writer.strings = "<si><t>\(String(repeating: "x", count: 1 << 20))</t></si>"
        expectRefused(writer, .cell(.rowTooLarge(limit: 16 << 20), row: 1, column: 17))
        let rows = String(repeating: "<row><c t=\"s\"><v>0</v></c></row>", count: 900)
        writer.sheets = [.init("a", rows: rows)]
        var limits = ArchiveLimits()
        limits.freeBytes = 50 << 20
        limits.maximumRatio = 1
        let workbook = try Workbook(ByteSource(writer.bytes), limits: limits)
        #expect(throws: WorkbookError.archive(.expandsTooFar(limit: 50 << 20))) {
            try workbook.open(workbook.sheets[0])
        }
    }

    @Test("a value over 8 MiB is refused with its place")
    func longValue() {
        let text = String(repeating: "x", count: 8 << 20)
        expectRefused(
            WorkbookWriter(
                rows: WorkbookWriter.row(["a"]) + WorkbookWriter.row([nil, text + "x"])
            ),
            .cell(.valueTooLarge(limit: 8 << 20), row: 2, column: 2)
        )
    }

    @Test(
        "wrong cells are refused with their place",
        arguments: [
            ("<row r=\"2\"><c/></row><row r=\"2\"><c/></row>", WorkbookError.CellError.order, 2, 1),
            ("<row r=\"x\"/>", .reference("x"), 0, 1),
            ("<row r=\"1048577\"/>", .rowLimit(1_048_576), 0, 1),
            ("<row><c r=\"B1\"/><c r=\"A1\"/></row>", .order, 1, 2),
            ("<row><c r=\"A2\"/></row>", .order, 1, 1),
            ("<row><c r=\"1A\"/></row>", .reference("1A"), 1, 1),
            ("<row><c t=\"s\"><v>7</v></c></row>", .sharedString("7"), 1, 1),
            ("<row><c t=\"s\"><v>-1</v></c></row>", .sharedString("-1"), 1, 1),
            ("<row><c s=\"9\"><v>1</v></c></row>", .format("9"), 1, 1),
            ("<row><c/><c><v>1,5</v></c></row>", .number("1,5"), 1, 2),
            ("<row><c><v>1e999</v></c></row>", .number("1e999"), 1, 1),
        ]
    )
    func wrongCells(rows: String, reason: WorkbookError.CellError, row: Int, column: Int) {
        expectRefused(WorkbookWriter(rows: rows), .cell(reason, row: row, column: column))
    }

    @Test("missing parts are named")
    func missingParts() {
        var writer = WorkbookWriter(rows: "")
        writer.parts["_rels/.rels"] = "<Relationships/>"
        expectRefused(writer, .notAWorkbook)
        writer = WorkbookWriter(rows: "")
        writer.parts["xl/workbook.xml"] = "<workbook><sheet name=\"A\" id=\"z\"/></workbook>"
        expectRefused(writer, .missingPart("A (z)"))
        writer = WorkbookWriter(rows: "")
        writer.parts["_rels/.rels"] =
            "<Relationships><Relationship Id=\"a\" Type=\"/officeDocument\" "
            + "Target=\"xl/workbook.bin\"/></Relationships>"
        expectRefused(writer, .binary)
    }

    @Test("XML cut anywhere is refused or read, and never traps")
    func cut() throws {
        let rows = WorkbookWriter.row(["name", "n"]) + WorkbookWriter.row(["ä", "b"])
        let whole = WorkbookWriter.Sheet("a", rows: rows).xml
        for count in stride(from: 0, to: whole.utf8.count, by: 7) {
            var writer = WorkbookWriter(rows: "")
            writer.parts["xl/worksheets/sheet1.xml"] = String(
                decoding: whole.utf8.prefix(count),
                as: UTF8.self
            )
            #expect(throws: WorkbookError.self) { try read(writer) }
        }
    }
}
