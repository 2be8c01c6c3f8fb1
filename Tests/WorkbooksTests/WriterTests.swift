import Archives
import Foundation
import Testing
import Workbooks

@Suite("Workbooks of other programs")
struct WriterTests {
    /// The same table, written by openpyxl 3.1, XlsxWriter 3.3 and Excel::Writer::XLSX 1.10, and
    /// saved by LibreOffice 7.4 and Gnumeric 1.12.
    @Test(
        "the same table is read from each",
        arguments: [
            "openpyxl", "openpyxl-1904", "xlsxwriter", "libreoffice", "gnumeric", "excel-writer",
        ]
    )
    func table(writer: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "Fixtures/\(writer).xlsx")
        let workbook = try Workbook(ByteSource(Array(try Data(contentsOf: file))))
        let shown = try workbook.sheets.filter { try $0.state == .visible && !workbook.isEmpty($0) }
        // Gnumeric does not write that a sheet is hidden.
        #expect(shown.map(\.name) == (writer == "gnumeric" ? ["People", "Hidden"] : ["People"]))
        let contents = try read(workbook, try #require(shown.first))
        #expect(
            contents.columns
                == ["id", "name", "born", "seen", "active", "score", "code", "note"]
        )
        #expect(
            contents.rows == [
                [
                    "1", "'Ada'", "'1915-12-10'", "'2024-01-02T03:04:05'", "true", "0.1",
                    "'00123'", "",
                ],
                [
                    "2", "'Grüße & <b>'", "'2000-02-29'", "'2024-12-31T23:59:59'", "false",
                    "1e+20", "'12345'", "'line\nbreak'",
                ],
                [
                    "3", "'日本'", "'1999-01-01'", "'1999-01-01T00:00:00'", "true", "-3.25",
                    "'x'", "'  spaced '",
                ],
            ]
        )
    }
}
