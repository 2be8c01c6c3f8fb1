import Archives
import TestSupport
import Testing
import Workbooks

@Suite("Headers of sheets")
struct SheetLayoutTests {
    private typealias Row = [String?]

    private func sheet(_ rows: [Row], merges: [String] = []) -> WorkbookWriter {
        let after =
            merges.isEmpty
            ? ""
            : "<mergeCells>\(merges.map { "<mergeCell ref=\"\($0)\"/>" }.joined())</mergeCells>"
        return WorkbookWriter([
            .init("a", rows: rows.map(WorkbookWriter.row).joined(), after: after)
        ])
    }

    @Test("the first row has the names of the columns")
    func plain() throws {
        let contents = try read(sheet([["id", "name"], ["1", "Ada"], ["2", nil]]))
        #expect(contents.columns == ["id", "name"])
        #expect(contents.rows == [["'1'", "'Ada'"], ["'2'", ""]])
        #expect(contents.rowNumbers == [2, 3])
    }

    @Test("a single row with a number is one of data, and a formula without a result is counted")
    func single() throws {
        let cells = "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"B1\"><v>2.5</v></c></row>"
        let contents = try read(WorkbookWriter([.init("a", rows: cells)]))
        #expect(contents.rows == [["1", "2.5"]])
        let formula = "<row r=\"2\"><c r=\"A2\"><f>1+1</f></c><c r=\"B2\"><v>1</v></c></row>"
        let writer = WorkbookWriter([
            .init("a", rows: WorkbookWriter.row(["x", "y"]) + formula)
        ])
        let workbook = try Workbook(ByteSource(writer.bytes))
        #expect(try workbook.open(workbook.sheets[0]).layout.unsolvedCount == 1)
    }

    @Test("empty rows and columns around and inside of a table are dropped")
    func offset() throws {
        let rows: [Row] = [
            [], [], [nil, nil, "id", nil, "name", "note", nil], [],
            [nil, nil, "1", nil, "Ada", nil, nil], [], [nil, nil, "2", nil, "Bob", nil], [],
        ]
        let contents = try read(sheet(rows))
        #expect(contents.columns == ["id", "name", "note"])
        #expect(contents.rows == [["'1'", "'Ada'", ""], ["'2'", "'Bob'", ""]])
        #expect(contents.rowNumbers == [5, 7])
    }

    @Test("a column without a name is kept if it has values")
    func blankName() throws {
        let contents = try read(
            sheet([[nil, "name", nil], ["1", "Ada", nil], ["2", "Bob", nil]])
        )
        #expect(contents.columns == ["column_1", "name"])
    }

    @Test(
        "titles before the header are skipped",
        arguments: [
            [["Report"], [], ["id", "name", "city"]],
            [["Report", "2024"], ["by", "me"], ["id", "name", "city", "a", "b"]],
            [["Report"], ["id", "name", "city"]], [["a"], ["b"], ["c"], ["id", "name", "city"]],
        ] as [[[String?]]]
    )
    func titles(before: [[String?]]) throws {
        let width = before.last?.count ?? 0
        let data = Array(repeating: Array(repeating: "x" as String?, count: width), count: 5)
        let writer = sheet(before + data)
        let contents = try read(writer)
        #expect(contents.columns == (before.last ?? []).compactMap { $0 })
        #expect(contents.rows.count == 5)
        let workbook = try Workbook(ByteSource(writer.bytes))
        let layout = try workbook.open(workbook.sheets[0]).layout
        #expect(layout.skippedRows == before.dropLast().filter { !$0.isEmpty }.count)
    }

    @Test("a merged title is no header, and merged names apply to what they cover")
    func merged() throws {
        let rows: [Row] = [
            ["Report", nil, nil, nil, nil], ["Region", "2022", nil, "2023", nil],
            [nil, "Q1", "Q2", "Q1", "Q2"], ["North", "1", "2", "3", "4"],
            ["South", "5", "6", "7", "8"],
        ]
        let contents = try read(sheet(rows, merges: ["A1:E1", "A2:A3", "B2:C2", "D2:E2"]))
        #expect(contents.columns == ["Region", "2022 Q1", "2022 Q2", "2023 Q1", "2023 Q2"])
        #expect(contents.rows.count == 2)
    }

    @Test("a merged name over values applies to all its columns")
    func mergedOverValues() throws {
        let rows =
            WorkbookWriter.row(["name", "size", nil])
            + "<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row>"
        let after = "<mergeCells><mergeCell ref=\"B1:C1\"/></mergeCells>"
        let contents = try read(WorkbookWriter([.init("a", rows: rows, after: after)]))
        #expect(contents.columns == ["name", "size", "size_2"])
        #expect(contents.rows == [["1", "2", "3"]])
    }

    @Test("a sheet of a header has columns and no rows")
    func onlyHeader() throws {
        let contents = try read(sheet([["id", "name"]]))
        #expect(contents.columns == ["id", "name"])
        #expect(contents.rows.isEmpty)
    }

    @Test("options name the header, or that there is none")
    func options() throws {
        let writer = sheet([["a", "b"], ["c", "d"], ["e", "f"]])
        var options = SheetOptions()
        options.hasHeader = false
        var contents = try read(writer, options: options)
        #expect(contents.columns == ["column_1", "column_2"])
        #expect(contents.rows.count == 3)
        options = SheetOptions()
        options.skippedRows = 1
        contents = try read(writer, options: options)
        #expect(contents.columns == ["c", "d"])
        options.skippedRows = 9
        contents = try read(writer, options: options)
        #expect(contents.rows.isEmpty)
    }

    @Test("a sheet without values has no columns")
    func empty() throws {
        #expect(try read(sheet([])) == SheetContents())
    }

    @Test("many rows are read in chunks and come in order")
    func manyRows() throws {
        let rows = (1...30_000).map { "<row><c><v>\($0)</v></c><c t=\"s\"><v>0</v></c></row>" }
        var writer = WorkbookWriter(rows: WorkbookWriter.row(["id", "text"]) + rows.joined())
        writer.strings = "<si><t>\(String(repeating: "ä", count: 40))</t></si>"
        let contents = try read(writer)
        #expect(contents.rows.map { $0[0] } == (1...30_000).map(String.init))
        #expect(contents.rowNumbers == Array(2...30_001))
    }
}
