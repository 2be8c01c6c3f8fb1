import Bytes
import TableFiles
import Testing

@Suite("Names and formats of tables in files")
struct TableNamesTests {
    @Test(
        "entries are named without shared folders, endings and slashes",
        arguments: [
            (["a.csv"], ["archive"]), (["x/y/a.csv"], ["archive"]),
            (["a.csv", "b.json"], ["a", "b"]), (["data/a.csv", "data/b.csv"], ["a", "b"]),
            (["data/a.csv", "data/x/b.csv"], ["a", "x-b"]),
            (["2023/a.csv", "2024/a.csv"], ["2023-a", "2024-a"]),
            (["a.csv", "A.json", "a.tsv"], ["a", "A-2", "a-3"]),
            (["a.csv", "a-2.csv", "a.json"], ["a", "a-2", "a-3"]),
            (["sqlite_a.csv", "-.csv", "..csv"], ["table-sqlite_a", "table--", "table-."]),
            (["a\nb.csv", " c .csv"], ["a-b", "c"]),
        ]
    )
    func entries(paths: [String], names: [String]) {
        #expect(TableNames.names(for: paths, in: "f/archive.zip", hasEndings: true) == names)
    }

    @Test("sheets keep their names")
    func sheets() {
        let names = TableNames.names(
            for: ["Sheet 1", "v1.5", "a/b", "a-b"],
            in: "a.xlsx",
            hasEndings: false
        )
        #expect(names == ["Sheet 1", "v1.5", "a-b", "a-b-2"])
        #expect(TableNames.names(for: ["Sheet 1"], in: "a.xlsx", hasEndings: false) == ["a"])
    }

    @Test(
        "the format follows from the ending, also of compressed files",
        arguments: [
            ("a.csv", FileFormat.csv, "a"), ("a.csv.gz", .csv, "a"),
            ("x.y/A.NDJSON.GZ", .ndjson, "A"),
            ("a.xlsx", .workbook, "a"), ("a.xlsm", .workbook, "a"), ("a.zip", .archive, "a"),
            ("a.gz", nil, "a"), ("a.xlsx.gz", nil, "a"), ("a.db.gz", nil, "a"),
            ("a.csv.zip", .archive, "a.csv"),
        ] as [(String, FileFormat?, String)]
    )
    func formats(path: String, format: FileFormat?, name: String) {
        #expect(FileFormat(path: path) == format)
        #expect(FileFormat.name(ofFileAt: path) == name)
    }

    @Test(
        "foreign formats are recognized by their first bytes",
        arguments: [
            ("PAR1....", "a", ForeignFormat.parquet), ("ARROW1", "a", .arrow),
            ("\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}", "a.xls", .oldExcel),
            ("\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}", "a.xlsx", .encryptedOffice),
            ("%PDF-1.7", "a.csv", .pdf), ("\u{89}PNG\r\n", "a.csv", .picture),
            ("\u{FF}\u{D8}\u{FF}\u{E0}", "a.csv", .picture), ("GIF89a", "a.csv", .picture),
            ("<!doctype html>", "a.csv", .page), ("\r\n <HTML>", "a.csv", .page),
            ("\u{EF}\u{BB}\u{BF}<?xml", "a.csv", .xml), ("BZh91AY&SY", "a", .bzip2),
            ("\u{FD}7zXZ\0", "a", .xz), ("\u{28}\u{B5}\u{2F}\u{FD}", "a", .zstd),
            ("7z\u{BC}\u{AF}\u{27}\u{1C}", "a", .sevenZip), ("BZhello", "a", nil),
            ("--\n-- PostgreSQL database dump", "a", .postgresDump),
            ("-- MariaDB dump", "a", .mysqlDump),
            ("INSERT INTO a VALUES (1);", "a.csv", .sql), ("PRAGMA foreign_keys=OFF;", "a", .sql),
            ("| a | b |\n|:--|--:|\n", "a.csv", .markdown), ("| a | b |\n| 1 | 2 |", "a.csv", nil),
            ("[{\"a\": 1}]", "a.csv", .json), ("{\n\"a\": 1}", "a.tsv", .json),
            ("[{\"a\": 1}]", "a.json", nil), ("[a],{b}", "a.csv", nil), ("[1,2]", "a", nil),
            ("id,name", "a.csv", nil), ("PAR", "a", nil), ("", "a", nil),
            ("<b>,<i>", "a.csv", nil), ("%PD", "a.csv", nil),
        ] as [(String, String, ForeignFormat?)]
    )
    func foreign(text: String, path: String, format: ForeignFormat?) {
        // One byte for each scalar.
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let found = ForeignFormat(beginning: bytes.span, path: path)
        #expect(found == format)
    }

    @Test(
        "a command converts a foreign file",
        arguments: [
            ("a.parquet", "duckdb -c \"COPY 'a.parquet' TO 'a.csv'\""),
            ("x/a.xls", "libreoffice --convert-to xlsx x/a.xls"),
            ("x/a b.sql", "sqlite3 'x/a b.sqlite' < 'x/a b.sql'"),
            ("a.tar.gz", "tar -xf a.tar.gz"), ("a.tgz", "tar -xf a.tgz"),
        ]
    )
    func command(path: String, command: String) throws {
        #expect(ForeignFormat(path: path)?.command(for: path) == command)
    }

    @Test("a command never writes the file that it reads", arguments: ForeignFormat.allCases)
    func otherFile(format: ForeignFormat) {
        for path in ["a.csv", "a.sqlite", "a.tab", "a.json"] {
            let command = format.command(for: path) ?? ""
            #expect(command.ranges(of: path).count <= 1)
        }
    }
}

@Suite("Rows of sheets")
struct SheetRowsTests {
    private func bytes(_ rows: [[(Int, SheetRows.Form, String)]]) -> [UInt8] {
        var buffer = ByteBuffer()
        for (index, row) in rows.enumerated() {
            SheetRows.beginRow(index * 10 + 1, in: &buffer)
            for (column, form, text) in row {
                SheetRows.beginCell(column, as: form, in: &buffer)
                buffer.append(text)
            }
            SheetRows.endRow(in: &buffer)
        }
        return buffer.array()
    }

    @Test("rows are read alike wherever their bytes are cut")
    func cuts() {
        let bytes = bytes([
            [(2, .text, "id"), (3, .text, ""), (7, .text, "name")],
            [(2, .number, "1"), (7, .text, "Ädà\n")], [(3, .boolean, "true")], [],
        ])
        let whole = read(bytes, .workbook)
        #expect(whole.columns == ["id", "column_2", "name"])
        #expect(whole.records == [["1", nil, "Ädà\n"], [nil, "true", nil], [nil, nil, nil]])
        #expect(whole.locations.map(\.description) == ["11:1", "21:1", "31:1"])
        #expect(whole.error == nil)
        for cut in 0...bytes.count {
            #expect(read(bytes, .workbook, cuts: [cut]) == whole, "cut at \(cut)")
        }
    }

    @Test("errors have the row and the column of the sheet")
    func errors() {
        let long = String(repeating: "x", count: FileLimits.maximumFieldBytes + 1)
        let contents = read(bytes([[(4, .text, "a")], [(4, .text, long)]]), .workbook)
        #expect(contents.error?.location.description == "11:4")
        #expect(contents.error?.reason == .fieldTooLarge(limit: FileLimits.maximumFieldBytes))
    }
}
