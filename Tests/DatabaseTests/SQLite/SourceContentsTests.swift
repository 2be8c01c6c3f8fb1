import Archives
import Database
import Foundation
import Listings
import SQLite
import TableFiles
import TestSupport
import Testing
import Workbooks

@Suite("Tables in files")
struct SourceContentsTests {
    private let folder = TemporaryFolder()

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func rows(_ connection: DatabaseConnection, _ list: String) throws -> [[String]] {
        let names = try connection.prepare(
            "SELECT name FROM pragma_table_info(?1) WHERE name NOT LIKE 'roster\\_%' ESCAPE '\\'"
        )
        try names.bind(1, list)
        var columns: [String] = []
        while try names.step() { columns.append("\"\(names.text(0))\"") }
        let statement = try connection.prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM \"\(list)\""
        )
        var rows: [[String]] = []
        while try statement.step() { rows.append(columns.indices.map { statement.text($0) }) }
        return rows
    }

    private func importAll(_ path: String) throws -> [String: [[String]]] {
        let connection = try DatabaseConnection(folder.file("lists.db"), access: .readWrite)
        let importer = ListImporter(connection)
        var lists: [String: [[String]]] = [:]
        for table in try SourceContents(.path(path)).tables {
            _ = try importer.importTable(table, as: table.name)
            lists[table.name] = try rows(connection, table.name)
            // The second time, the list is up to date.
            #expect(try importer.importTable(table, as: table.name).isImported == false)
        }
        return lists
    }

    @Test(
        "a compressed file is one table of its format",
        arguments: [
            ("people.csv.gz", "id,name\n1,Ada\n"), ("people.tsv.gz", "id\tname\n1\tAda\n"),
            ("people.json.gz", #"[{"id":1,"name":"Ada"}]"#),
            ("people.json.gz", #"{"rows":[{"id":1,"name":"Ada"}]}"#),
            ("people.ndjson.gz", #"{"id":1,"name":"Ada"}"#),
            ("people.csv", "id,name\n1,Ada\n"),
        ]
    )
    func compressed(name: String, text: String) throws {
        let path = try write(Gzip.member(Array(text.utf8)), to: name)
        #expect(try importAll(path) == ["people": [["1", "Ada"]]])
    }

    @Test(
        "a compressed file is decompressed while it is read, and its progress is that of its bytes"
    )
    func progress() throws {
        let text = "id,name\n" + (0..<100_000).map { "\($0),Ada\n" }.joined()
        let path = try write(Gzip.member(Array(text.utf8)), to: "people.csv.gz")
        let connection = try DatabaseConnection(folder.file("lists.db"), access: .readWrite)
        let reports = Reports()
        let importer = ListImporter(connection, onProgress: { reports.all.append($0) })
        let outcome = try importer.importFile(at: path, as: "people")
        #expect(outcome.list.rowCount == 100_000)
        #expect(reports.all.allSatisfy { $0.bytes <= $0.totalBytes })
        #expect(reports.all.last.map { $0.bytes == $0.totalBytes } == true)
    }

    private final class Reports {
        var all: [ImportProgress] = []
    }

    @Test("every entry of an archive that can be read is a table")
    func archive() throws {
        let writer = ZipWriter([
            "data/": "", "data/people.csv": "id,name\n1,Ada\n",
            "data/cities.json": #"[{"id":7,"name":"Rome"}]"#, "data/readme.md": "# Read me",
            "data/.hidden.csv": "id\n1\n", "__MACOSX/data/._people.csv": "x", "data/a.xlsx": "x",
            "data/a.csv.gz": "x",
        ])
        let path = try write(writer.bytes, to: "all.zip")
        #expect(try importAll(path) == ["people": [["1", "Ada"]], "cities": [["7", "Rome"]]])
        let contents = try SourceContents(.path(path))
        #expect(
            contents.tables.map(\.part) == [.entry("data/people.csv"), .entry("data/cities.json")]
        )
        #expect(contents.tables.map(\.format) == [.csv, .json])
        #expect(contents.skipped.map(\.name) == ["data/readme.md", "data/a.xlsx", "data/a.csv.gz"])
    }

    @Test(
        "a text of an unknown ending is delimited where the separator is given, also in an archive"
    )
    func named() throws {
        let log = "1.2.3.4 - [now] \"GET / HTTP/1.1\"\n5.6.7.8 - [now] \"GET /a HTTP/1.1\"\n"
        var options = ImportOptions()
        options.delimiter = UInt8(ascii: " ")
        let file = try write(Array(log.utf8), to: "access.log")
        let writer = ZipWriter(["access.log": log, "readme.md": "# Read me", "a.bin": "\u{1}"])
        let archive = try write(writer.bytes, to: "logs.zip")
        for path in [file, archive] {
            #expect(throws: ImportError.self) { try SourceContents(.path(path)) }
            let contents = try SourceContents(.path(path), options: options)
            #expect(contents.tables.map(\.format) == [.csv])
            let connection = try DatabaseConnection(folder.file("named.db"), access: .readWrite)
            let importer = ListImporter(connection, options: options)
            let outcome = try importer.importTable(try contents.onlyTable(), as: "access")
            #expect(outcome.list.rowCount == 2 && outcome.list.columns.count == 4)
        }
    }

    @Test("an archive of one file, and a workbook of one sheet, are files of one table")
    func single() throws {
        var path = try write(ZipWriter(["people.csv": "id,name\n1,Ada\n"]).bytes, to: "a.zip")
        #expect(try importAll(path) == ["a": [["1", "Ada"]]])
        let rows =
            WorkbookWriter.row(["id", "code"])
            + "<row><c><v>1</v></c><c t=\"str\"><v>007</v></c></row>"
        path = try write(WorkbookWriter(rows: rows).bytes, to: "b.xlsx")
        #expect(try importAll(path) == ["b": [["1", "007"]]])
        let connection = try DatabaseConnection(folder.file("lists.db"), access: .readWrite)
        let outcome = try ListImporter(connection).importFile(at: path, as: "c")
        #expect(outcome.list.columns.map(\.type) == [.integer, .text])
    }

    @Test("every shown sheet of a workbook is a table")
    func workbook() throws {
        var writer = WorkbookWriter([
            .init(
                "People",
                rows: WorkbookWriter.row(["id", "n"])
                    + "<row><c><v>1</v></c><c><v>0.5</v></c></row>"
            ),
            .init("Empty", rows: ""), .init("Old", rows: WorkbookWriter.row(["id"])),
            .init("Cities", rows: WorkbookWriter.row(["name"]) + WorkbookWriter.row(["Rome"])),
        ])
        writer.sheets[2].attributes = "state=\"hidden\""
        let path = try write(writer.bytes, to: "all.xlsx")
        #expect(try importAll(path) == ["People": [["1", "0.5"]], "Cities": [["1", "Rome"]]])
        let contents = try SourceContents(.path(path))
        #expect(contents.skipped.map(\.name) == ["Empty", "Old"])
        #expect(contents.skipped.map(\.reason) == [.empty, .hidden])
        let connection = try DatabaseConnection(folder.file("lists.db"), access: .readWrite)
        #expect(throws: ImportError.severalTables(path: path, ["People", "Cities"])) {
            try ListImporter(connection).importFile(at: path, as: "a")
        }
    }

    @Test("an open file is listed like one with a path")
    func descriptor() throws {
        let path = try write(ZipWriter(["people.csv": "id\n1\n"]).bytes, to: "a.zip")
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        let contents = try SourceContents(.descriptor(file.fileDescriptor, name: path))
        #expect(try contents.tables.map(\.name) == SourceContents(.path(path)).tables.map(\.name))
        try file.close()
    }

    @Test("damage and formats of others are refused, and nothing is imported")
    func refused() throws {
        var bytes = Gzip.member(Array("id,name\n1,Ada\n".utf8))
        bytes[bytes.count - 8] ^= 1
        let connection = try DatabaseConnection(folder.file("lists.db"), access: .readWrite)
        func expect(_ bytes: [UInt8], _ name: String, _ error: (String) -> ImportError) throws {
            let path = try write(bytes, to: name)
            #expect(throws: error(path)) {
                try ListImporter(connection).importFile(at: path, as: "a")
            }
        }
        let count = Int64(bytes.count)
        try expect(bytes, "a.csv.gz") {
            .archive(path: $0, .damaged(.checksum, entry: nil, offset: count - 4))
        }
        try expect(Array("PAR1".utf8), "a.xlsx") { .foreign(path: $0, .parquet) }
        try expect([], "a.parquet") { .foreign(path: $0, .parquet) }
        try expect(ZipWriter([]).bytes, "a.zip") { .noTable(path: $0, skipped: []) }
        try expect(Array("id\n1\n".utf8), "b.zip") {
            .archive(path: $0, .damaged(.noDirectory, entry: nil, offset: 0))
        }
        let cell = "<row><c t=\"s\"><v>1</v></c></row>"
        try expect(WorkbookWriter(rows: cell).bytes, "b.xlsx") {
            .workbook(path: $0, .cell(.sharedString("1"), row: 1, column: 1))
        }
        #expect(try ListCatalog.lists(in: connection).isEmpty)
    }
}
