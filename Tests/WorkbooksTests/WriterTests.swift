import Archives
import Foundation
import Testing
import Workbooks

@Suite("Workbooks of other programs")
struct WriterTests {
    /// The same table, written by openpyxl 3.1, XlsxWriter 3.3 and Excel::Writer::XLSX 1.10, and
    /// saved by LibreOffice 7.4 and Gnumeric 1.12.
    ///
    /// The OpenDocument file is by odfpy.
    @Test(
        "the same table is read from each",
        arguments: [
            "openpyxl.xlsx", "openpyxl-1904.xlsx", "xlsxwriter.xlsx", "libreoffice.xlsx",
            "gnumeric.xlsx", "excel-writer.xlsx", "odfpy.ods",
        ]
    )
    func table(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "Fixtures/\(name)")
        let workbook = try Workbook(ByteSource(Array(try Data(contentsOf: file))))
        let shown = try workbook.sheets.filter { try $0.state == .visible && !workbook.isEmpty($0) }
        // Gnumeric does not write that a sheet is hidden.
        #expect(shown.map(\.name) == (name == "gnumeric.xlsx" ? ["People", "Hidden"] : ["People"]))
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

    @Test("LibreOffice converts the table to OpenDocument, with 0 and 1 as in its own cells")
    func libreOffice() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "Fixtures/libreoffice.ods")
        let workbook = try Workbook(ByteSource(Array(try Data(contentsOf: file))))
        #expect(workbook.sheets.map(\.state) == [.visible, .hidden, .visible])
        let contents = try read(workbook, workbook.sheets[0])
        #expect(contents.rows.count == 3)
        #expect(
            contents.rows[1] == [
                "2", "'Grüße & <b>'", "'2000-02-29'", "'2024-12-31T23:59:59'", "0", "1e+20",
                "'12345'", "'line\nbreak'",
            ]
        )
        #expect(contents.rows[2].suffix(2) == ["'x'", "'  spaced '"])
    }
}
