import Archives
import TestSupport
import Testing

@testable import Workbooks

@Suite("Spreadsheets of OpenDocument")
struct OpenDocumentTests {
    private func workbook(
        _ tables: String,
        styles: String = "",
        limits: ArchiveLimits = ArchiveLimits()
    ) throws -> Workbook {
        let content =
            "<office:document-content xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\" "
            + "xmlns:calcext=\"c\"><office:automatic-styles>\(styles)</office:automatic-styles>"
            + "<office:body><office:spreadsheet>\(tables)</office:spreadsheet></office:body>"
            + "</office:document-content>"
        let entries = [
            ZipWriter.Entry("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ZipWriter.Entry("content.xml", content),
        ]
        return try Workbook(ByteSource(ZipWriter(entries).bytes), limits: limits)
    }

    private func table(_ rows: String, _ name: String = "a", style: String = "s") -> String {
        "<table:table table:name=\"\(name)\" table:style-name=\"\(style)\">\(rows)</table:table>"
    }

    private func row(_ cells: String, _ attributes: String = "") -> String {
        "<table:table-row \(attributes)>\(cells)</table:table-row>"
    }

    private func text(_ text: String, _ attributes: String = "") -> String {
        "<table:table-cell office:value-type=\"string\" \(attributes)><text:p>\(text)</text:p>"
            + "</table:table-cell>"
    }

    private func contents(_ rows: String) throws -> SheetContents {
        let workbook = try workbook(table(rows))
        return try read(workbook, workbook.sheets[0])
    }

    @Test(
        "values are read by the type of their cell",
        arguments: [
            ("office:value-type=\"float\" office:value=\"5\"", "<text:p>5 €</text:p>", "5"),
            ("office:value-type=\"currency\" office:value=\"0.1\"", "", "0.1"),
            ("office:value-type=\"percentage\" office:value=\"1E2\"", "", "100"),
            ("office:value-type=\"date\" office:date-value=\"2024-01-02\"", "", "'2024-01-02'"),
            ("office:value-type=\"time\" office:time-value=\"PT09H05M07S\"", "", "'09:05:07'"),
            ("office:value-type=\"boolean\" office:boolean-value=\"true\"", "", "true"),
            ("office:value-type=\"string\"", "<text:p>a<text:s text:c=\"2\"/>b</text:p>", "'a  b'"),
            ("office:value-type=\"string\"", "<text:p>a</text:p><text:p>b</text:p>", "'a\nb'"),
            ("office:value-type=\"string\"", "<text:p>a<text:span>b</text:span></text:p>", "'ab'"),
            ("office:value-type=\"string\" office:string-value=\"x\"", "<text:p>y</text:p>", "'x'"),
            (
                "office:value-type=\"string\"",
                "<office:annotation><text:p>remark</text:p></office:annotation><text:p>a</text:p>",
                "'a'"
            ),
            (
                "office:value-type=\"string\" office:string-value=\"\" "
                    + "calcext:value-type=\"error\"",
                "<text:p>#N/A</text:p>", ""
            ),
            ("", "", ""),
        ]
    )
    func values(attributes: String, content: String, expected: String) throws {
        let cell = "<table:table-cell \(attributes)>\(content)</table:table-cell>"
        let rows = row(text("n") + text("x")) + row(cell + text("y"))
        #expect(try contents(rows).rows == [[expected, "'y'"]])
    }

    @Test(
        "times of a day and durations",
        arguments: [
            ("PT10H30M00S", "10:30:00"), ("PT1H", "01:00:00"),
            ("PT36H00M05.250000001S", "36:00:05.25"),
            ("PT00H00M00.000000S", "00:00:00"), ("P1D", nil), ("PT", nil), ("PT5", nil),
            ("PT5S1H", nil), ("PT-1H", nil),
        ] as [(String, String?)]
    )
    func times(duration: String, expected: String?) {
        #expect(OpenDocumentSheet.clock(duration) == expected)
    }

    @Test("repeated cells and rows are read as often, and empty ones only move on")
    func repetitions() throws {
        let empty = "<table:table-cell table:number-columns-repeated=\"2\"/>"
        let rows =
            row(text("a") + text("b", "table:number-columns-repeated=\"2\"") + empty + text("c"))
            + row("<table:table-cell/>", "table:number-rows-repeated=\"3\"")
            + row(text("1") + empty + empty + text("2"), "table:number-rows-repeated=\"2\"")
            + row(empty, "table:number-rows-repeated=\"1048000\"")
            + row(empty, "table:number-rows-repeated=\"1048576\"") + row(empty)
        let contents = try contents(rows)
        #expect(contents.columns == ["a", "b", "b_2", "c"])
        #expect(contents.rows == [["'1'", "", "", "'2'"], ["'1'", "", "", "'2'"]])
        #expect(contents.rowNumbers == [5, 6])
    }

    @Test("tables have names and states, and merged headers name each column")
    func tables() throws {
        let styles =
            "<style:style xmlns:style=\"y\" style:name=\"h\"><style:table-properties "
            + "table:display=\"false\"/></style:style>"
        let header =
            row(
                text("n", "table:number-columns-spanned=\"1\"")
                    + text("Year", "table:number-columns-spanned=\"2\"")
                    + "<table:covered-table-cell/>"
            ) + row("<table:table-cell/>" + text("from") + text("to"))
        let rows = header + row(text("x") + text("1") + text("2"))
        let workbook = try workbook(
            table(row(text("x")), "hidden", style: "h") + table("", "empty") + table(rows, "shown"),
            styles: styles
        )
        #expect(workbook.sheets.map(\.name) == ["hidden", "empty", "shown"])
        #expect(workbook.sheets.map(\.state) == [.hidden, .visible, .visible])
        #expect(try workbook.sheets.map(workbook.isEmpty) == [false, true, false])
        let contents = try read(workbook, workbook.sheets[2])
        #expect(contents.columns == ["n", "Year from", "Year to"])
        #expect(contents.rows == [["'x'", "'1'", "'2'"]])
    }

    @Test(
        "repetitions that would fill memory, and wrong cells, are refused with their place",
        arguments: [
            (
                "<r n=\"1048575\">\(String(repeating: "x", count: 100))</r>",
                WorkbookError.CellError.rowTooLarge(limit: 32 << 20), 2, 1
            ),
            ("<r n=\"1048577\">x</r>", .rowLimit(1_048_576), 2, 1),
            ("<c n=\"1001\">x</c>", .tooManyValues(limit: 1_000), 2, 1_001),
            ("<c n=\"-1\">x</c>", .number("-1"), 2, 1),
        ]
    )
    func limits(short: String, error: WorkbookError.CellError, line: Int, column: Int) {
        // The short form names the repetition of a row or of a cell, and the text.
        let parts = short.split { "<>\"".contains($0) }.map(String.init)
        let isRow = parts[0].hasPrefix("r")
        let rows = isRow ? "table:number-rows-repeated=\"\(parts[1])\"" : ""
        let cells = isRow ? "" : "table:number-columns-repeated=\"\(parts[1])\""
        #expect(throws: WorkbookError.cell(error, row: line, column: column)) {
            try contents(row(text("a")) + row(text(parts[2], cells), rows))
        }
    }

    @Test("a document of another kind is no workbook")
    func otherDocument() {
        let entries = [
            ZipWriter.Entry("mimetype", "application/vnd.oasis.opendocument.text"),
            ZipWriter.Entry("content.xml", "<document><body><text/></body></document>"),
        ]
        #expect(throws: WorkbookError.notAWorkbook) {
            try Workbook(ByteSource(ZipWriter(entries).bytes))
        }
    }
}
