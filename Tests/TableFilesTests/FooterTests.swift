import TableFiles
import Testing

@Suite("Lines after the data of a delimited file")
struct FooterTests {
    private func read(_ text: String, footerLines: Int?, cuts: [Int] = []) -> FileContents {
        var dialect = DelimitedDialect.commaSeparated
        dialect.footerLines = footerLines
        return TableFilesTests.read(Array(text.utf8), DelimitedReader(dialect), cuts)
    }

    static let files: [(text: String, rows: [String], notes: [String])] = [
        ("a,b,c\n1,2,3\n4,5,6\n", ["1", "4"], []),
        ("a,b,c\n1,2,3\n\nSource: office, 2024\n", ["1"], ["footerLine 1 4:1"]),
        ("a,b,c\n1,2,3\nSource: x, y, z, w, v\n(c) us", ["1"], ["footerLine 2 3:1"]),
        ("a,b,c\n1,2,3\nQuelle: x,,\n", ["1"], ["footerLine 1 3:1"]),
        ("a,b,c\n1,2,3\n\nanything,\nelse\n", ["1"], ["footerLine 2 4:1"]),
        ("a,b,c\n1,2,3\n\nTotal,2,3\n", ["1"], ["footerLine 1 4:1"]),
        ("a,b,c\n1,2,3\nTotal:,,3\n", ["1"], ["footerLine 1 3:1"]),
        ("a,b,c\n1,2,3\n,Gesamt,3\n", ["1"], ["footerLine 1 3:1"]),
        // A complete row of totals may be data.
        ("a,b,c\n1,2,3\nTotal,2,3\n", ["1", "Total"], ["totalsRow 1 3:1"]),
        // A row after such lines makes them rows.
        ("a,b,c\n1,2,3\nTotal,,3\n7,8,9\n", ["1", "Total", "7"], []),
        (
            "a,b,c\n1,2,3\nTotal,,3\n4,5,6\nTotal,,9\n", ["1", "Total", "4", "Total"],
            ["totalsRow 1 5:1"]
        ),
        ("a,b,c\n1,2,3\n\nx\n7,8,9\n", ["1", "x", "7"], ["shortRow 1 4:2"]),
        // Blank lines between rows separate no footer.
        ("a,b,c\n1,2,3\n\n4,5,6\n\n7\n", ["1", "4", "7"], ["shortRow 1 6:2"]),
        // A short last line may be a row that was cut off.
        ("a,b,c\n1,2,3\n4,5", ["1", "4"], ["shortRow 1 3:4"]),
        ("a\n1\n\nSource: x\n", ["1", "", "Source: x"], []),
        ("a,b\nSource: x\n", ["Source: x"], ["shortRow 1 2:10"]),
    ]

    @Test("totals and remarks are left out and counted", arguments: files.indices)
    func footers(index: Int) {
        let (text, rows, notes) = Self.files[index]
        for cut in 0...text.utf8.count {
            let contents = read(text, footerLines: nil, cuts: [cut])
            #expect(contents.error == nil)
            #expect(contents.records.map { ($0.first { $0 != nil } ?? "") ?? "" } == rows)
            #expect(contents.repairs.filter { !$0.hasPrefix("blankLine") } == notes)
        }
    }

    @Test("a number of lines leaves out so many, and 0 none", arguments: 0...4)
    func count(lines: Int) {
        let text = "a,b\n1,2\n3,4\nTotal,\n\nSource: x\n"
        for cut in 0...text.utf8.count {
            let contents = read(text, footerLines: lines, cuts: [cut])
            let rows = ["1", "3", "Total", "Source: x"].dropLast(lines)
            #expect(contents.records.map(\.first) == Array(rows))
        }
    }

    @Test("an error in a line that is a row after all keeps its place, and reading goes on")
    func errors() {
        let text = "a,b\n1,2\n\nSource: x, y, z\n3,4\n5,6,7\n"
        var dialect = DelimitedDialect.commaSeparated
        dialect.footerLines = nil
        var reader = DelimitedReader(dialect)
        var record = FileRecord()
        var locations: [FileLocation] = []
        var rows = 0
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            do {
                if try reader.read(bytes.span, from: &index, into: &record) == .complete {
                    rows += 1
                }
            } catch {
                locations.append(error.location)
                guard reader.recover(from: error) else { break }
            }
        }
        #expect(locations == [FileLocation(line: 4, column: 14), FileLocation(line: 6, column: 5)])
        #expect(rows == 2)
    }

    @Test("more than ten such lines are rows")
    func manyLines() {
        let text = "a,b\n1,2\n\n" + String(repeating: "x\n", count: 11)
        #expect(read(text, footerLines: nil).records.count == 12)
    }
}
