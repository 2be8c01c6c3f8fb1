import Database
import Foundation
import Listings
import SQLite
import TableFiles
import Testing

@Suite("Imports of files")
struct ImportTests {
    private let folder = TemporaryFolder()

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    private func database() throws -> DatabaseConnection {
        try DatabaseConnection(folder.file("lists.db"), access: .readWrite)
    }

    private func records(_ connection: DatabaseConnection, _ sql: String) throws -> [[String]] {
        let statement = try connection.prepare(sql)
        var records: [[String]] = []
        while try statement.step() {
            records.append((0..<statement.columnCount).map { statement.text($0) })
        }
        return records
    }

    private func everything(_ connection: DatabaseConnection) throws -> [[String]] {
        let schema = try records(
            connection,
            "SELECT name, type, sql FROM sqlite_schema ORDER BY name"
        )
        var all = schema
        for entry in schema where entry[1] == "table" && !entry[0].hasPrefix("sqlite_") {
            all += try records(connection, "SELECT * FROM \"\(entry[0])\"")
        }
        return all
    }

    private func expectRefused(
        _ path: String,
        as name: String = "people",
        _ expected: ImportError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let connection = try database()
        let before = try everything(connection)
        #expect(throws: expected, sourceLocation: sourceLocation) {
            try ListImporter(connection, duplicates: .error).importFile(at: path, as: name)
        }
        #expect(try everything(connection) == before, sourceLocation: sourceLocation)
        #expect(!connection.isInTransaction, sourceLocation: sourceLocation)
    }

    private func error(_ line: Int, _ column: Int, _ reason: FileError.Reason) -> FileError {
        FileError(reason, at: FileLocation(line: line, column: column))
    }

    private static let mixed = #"""
        id,name,age,score,active,born,mail,site,limit
        7,Zoë,41,1.5,true,1958-10-13,a@example.org,https://example.org,x
        3,"O'Neil, ""Al""",,2,false,2024-02-29,,,
        5,"",-3,,,,b@example.org,http://example.net,""

        """#

    @Test("every type is stored as it is, under names that can stand in addresses")
    func types() throws {
        let connection = try database()
        let path = try write(Self.mixed, to: "mixed.csv")
        let outcome = try ListImporter(connection).importFile(at: path, as: "people")
        #expect(outcome.isImported)
        #expect(outcome.plan?.renames.map(\.name) == ["limit"])
        #expect(outcome.plan?.renames.map(\.id) == ["limit_"])
        #expect(outcome.list.idType == .integer)
        #expect(outcome.list.rowCount == 3)
        #expect(
            outcome.list.columns == [
                Column("id", type: .integer), Column("name"), Column("age", type: .integer),
                Column("score", type: .real),
                Column("active", type: .boolean), Column("born", type: .date),
                Column("mail", type: .email), Column("site", type: .link),
                Column("limit_", label: "Limit").named(inFiles: "limit"),
            ]
        )
        let columns = """
            id, quote(name), quote(age), quote(score), quote(active), quote(born), quote(mail),
            quote(limit_), roster_revision > 0
            """
        #expect(
            try records(connection, "SELECT \(columns) FROM people ORDER BY id") == [
                [
                    "3", "'O''Neil, \"Al\"'", "NULL", "2", "0", "'2024-02-29'", "NULL", "NULL",
                    "1",
                ],
                ["5", "''", "-3", "NULL", "NULL", "NULL", "'b@example.org'", "''", "1"],
                ["7", "'Zoë'", "41", "'1.5'", "1", "'1958-10-13'", "'a@example.org'", "'x'", "1"],
            ]
        )
        #expect(try ListCatalog.list(named: "people", in: connection) == outcome.list)
        #expect(try ListCatalog.lists(in: connection) == [outcome.list])
        #expect(try ListCatalog.list(named: "People", in: connection) == nil)
    }

    @Test("an empty text is a text, also in a column of another type")
    func emptyTexts() throws {
        let connection = try database()
        let path = try write(
            """
            [{"a":"","b":"","c":"","d":""},
             {"a":"x","b":1,"c":"http://example.org","d":null}]
            """,
            to: "empty.json"
        )
        let list = try ListImporter(connection).importFile(at: path, as: "empty").list
        #expect(list.columns.map(\.type) == [.text, .integer, .link, .text])
        let sql = "SELECT quote(a), quote(b), quote(c), quote(d) FROM empty"
        #expect(
            try records(connection, sql) == [
                ["''", "''", "''", "''"], ["'x'", "1", "'http://example.org'", "NULL"],
            ]
        )
    }

    @Test("values keep their types and spellings in a column of several types")
    func mixedColumn() throws {
        let connection = try database()
        let numbers = (0..<96).map { #"{"v":\#($0)}"# }
        let others = [#"{"v":"42"}"#, #"{"v":1.50}"#, #"{"v":1e2}"#, #"{"v":[1, 2]}"#]
        let path = try write((numbers + others).joined(separator: "\n"), to: "v.ndjson")
        let list = try ListImporter(connection).importFile(at: path, as: "v").list
        #expect(list.columns == [Column("v", type: .real, isMixed: true)])
        #expect(list.keyed == [0])
        let last = try records(
            connection,
            "SELECT quote(v), typeof(v), roster_text(v) FROM v WHERE id > 96 ORDER BY id"
        )
        #expect(
            last == [
                ["X'743432'", "blob", "42"], ["'1.50'", "text", "1.50"],
                ["X'6E316532'", "blob", "1e2"],
                ["X'6A5B312C325D'", "blob", "[1,2]"],
            ]
        )
        let order = try records(
            connection,
            "SELECT roster_text(v) FROM v WHERE id > 94 ORDER BY roster_value_order(v)"
        )
        #expect(order == [["1.50"], ["94"], ["95"], ["1e2"], ["42"], ["[1,2]"]])
    }

    @Test("rows without ids are numbered in the order of the file")
    func numbered() throws {
        let connection = try database()
        let path = try write("name\nb\na\n\nc\n", to: "names.csv")
        let list = try ListImporter(connection).importFile(at: path, as: "names").list
        #expect(list.idType == .integer)
        #expect(list.rowCount == 4)
        let found = try records(connection, "SELECT id, name FROM names")
        #expect(found == [["1", "b"], ["2", "a"], ["3", ""], ["4", "c"]])
    }

    @Test("a file of a header alone is an empty list, and so are an empty array and no lines")
    func empty() throws {
        let connection = try database()
        let header = try write("id,name", to: "header.csv")
        let list = try ListImporter(connection).importFile(at: header, as: "a").list
        #expect(list.rowCount == 0)
        #expect(list.columns == [Column("id"), Column("name")])
        let array = try write("[]", to: "array.json")
        #expect(try ListImporter(connection).importFile(at: array, as: "b").list.columns == [])
        let lines = try write("", to: "lines.ndjson")
        let none = try ListImporter(connection).importFile(at: lines, as: "c").list
        #expect(none.rowCount == 0)
        #expect(none.columns == [])
    }

    @Test("names of lists and columns are names, whatever they look like")
    func hostileNames() throws {
        let connection = try database()
        let column = "x\"); DROP TABLE roster_lists; --"
        let name = "a\"b'; --"
        let header = "id,\"\(column.replacingOccurrences(of: "\"", with: "\"\""))\",select\n"
        let path = try write(header + "1,2,3\n", to: "x.csv")
        let list = try ListImporter(connection).importFile(at: path, as: name).list
        #expect(list.columns.map(\.id) == ["id", column, "select"])
        #expect(
            try records(connection, "SELECT * FROM \"a\"\"b'; --\"").map { [$0[0]] + $0[2...] } == [
                ["1", "2", "3"]
            ]
        )
        #expect(try ListCatalog.lists(in: connection) == [list])
    }
}

extension ImportTests {
    @Test("nothing of a bad file reaches the database, be it new or of an earlier import")
    func refusals() throws {
        let bad: [(String, FileError)] = [
            ("id,a\n1,\"x\n", error(2, 3, .unclosedQuote)),
            ("id,a\n1,x\n2,y,z\n", error(3, 5, .fieldCount(expected: 2, found: 3))),
            ("", error(1, 1, .emptyFile)),
            ("id,a\n1,x\n,y\n", error(3, 1, .missingID(column: "id"))),
            ("id,a\n1,x\n\"\",y\n", error(3, 1, .missingID(column: "id"))),
            ("a,ID\nx,1\ny,\n", error(3, 3, .missingID(column: "ID"))),
            (
                "id,a\n1,x\n2,y\n1,z\n",
                error(4, 1, .duplicateID("1", first: FileLocation(line: 2, column: 1)))
            ),
            (
                "a,id\n\"x\ny\",B\nz,A\nv,B\n",
                error(5, 3, .duplicateID("B", first: FileLocation(line: 3, column: 4)))
            ),
        ]
        for round in 0...1 {
            for (index, (text, error)) in bad.enumerated() {
                let path = try write(text, to: "bad\(index).csv")
                try expectRefused(path, .refused(path: path, [error]))
            }
            let json = try write("[{\"id\":1},{\"id\":1.0},\n{\"id\":1}]", to: "bad.json")
            let duplicate = FileError.Reason.duplicateID(
                "1",
                first: FileLocation(line: 1, column: 8)
            )
            try expectRefused(json, .refused(path: json, [error(2, 7, duplicate)]))
            let late = try write("[{\"a\":1},\n {\"id\":1}]", to: "late.json")
            let missing = error(1, 2, .missingID(column: "id"))
            try expectRefused(late, .refused(path: late, [missing]))
            if round == 0 {
                let path = try write(Self.mixed, to: "mixed.csv")
                _ = try ListImporter(database(), duplicates: .error).importFile(
                    at: path,
                    as: "people"
                )
            }
        }
    }

    @Test("lines that cannot be read and ids that stand twice are told together")
    func allAtOnce() throws {
        let text = "id,name\n1,a\n2,b,c\n1,d\n3,x,y\n2,e\n3,f\n2,g\n"
        let path = try write(text, to: "mixed.csv")
        let importer = ListImporter(try database(), duplicates: .error, maximumErrors: 20)
        do {
            _ = try importer.importFile(at: path, as: "mixed")
            Issue.record("imported")
        } catch {
            guard case .refused(_, let errors) = error else { throw error }
            #expect(errors.map(\.location.line) == [3, 4, 5, 8])
            let first = FileLocation(line: 2, column: 1)
            #expect(errors[1].reason == .duplicateID("1", first: first))
            let second = FileLocation(line: 6, column: 1)
            #expect(errors[3].reason == .duplicateID("2", first: second))
        }
    }

    @Test("in lines of JSON, too, one that cannot be read does not hide the next")
    func allLinesAtOnce() throws {
        let text = #"""
            {"id":1,"n":"a"}
            {"id":2,"n":}

            {"id":3,"n":"b
            {"id":1}
            {"id":4} x
            {"id":5,"n":[
            {"id":6,"n":tru
            {"id":7,"n":1.
            {"id":8,"n":8,"n":8}
            {"id":9}
            """#
        let path = try write(text, to: "mixed.ndjson")
        for maximum in [1, 20] {
            let importer = ListImporter(
                try database(),
                duplicates: .error,
                maximumErrors: maximum
            )
            do {
                _ = try importer.importFile(at: path, as: "mixed")
                Issue.record("imported")
            } catch {
                guard case .refused(_, let errors) = error else { throw error }
                let lines = errors.map(\.location.line)
                #expect(lines == (maximum == 1 ? [2] : [2, 4, 5, 6, 7, 8, 9, 10]))
            }
        }
    }

    @Test(
        "a file that is another one when it is read again is refused, and nothing of it stays",
        arguments: [
            ("id,a\n1,7\n", "id,a\n1,x\n"), ("id,a\n1,true\n", "id,a\n1,trux\n"),
            ("id,a\n1,1.5\n", "id,a\n1,1x5\n"), ("id,a\n1,x\n", "id,a\n1,x\n2,y\n"),
        ]
    )
    func changedMeanwhile(first: String, second: String) throws {
        let path = try write(first, to: "a.csv")
        let connection = try database()
        let importer = ListImporter(
            connection,
            onProgress: { progress in
                guard progress.phase == .writing, progress.bytes == 0 else { return }
                // In place: the file that is open is the one that changes.
                #expect(throws: Never.self) { try write(second, to: "a.csv") }
            }
        )
        #expect(throws: ImportError.changed(path: path)) {
            try importer.importFile(at: path, as: "people")
        }
        #expect(try everything(connection) == [])
        #expect(try ListImporter(connection).importFile(at: path, as: "people").isImported)
    }

    @Test("what is no file to import is refused for what it is")
    func noFiles() throws {
        let missing = folder.path + "/none.csv"
        try expectRefused(missing, .missing(path: missing))
        try expectRefused(missing + "/x.csv", .missing(path: missing + "/x.csv"))
        let nested = folder.path + "/folder.csv"
        try FileManager.default.createDirectory(atPath: nested, withIntermediateDirectories: false)
        try expectRefused(nested, .directory(path: nested))
        try expectRefused("/dev/null", .notRegular(path: "/dev/null"))
        let device = folder.path + "/null.csv"
        try FileManager.default.createSymbolicLink(atPath: device, withDestinationPath: "/dev/null")
        try expectRefused(device, .notRegular(path: device))
        let text = try write("a\u{1}\n", to: "a.txt")
        try expectRefused(text, .unknownFormat(path: text))
        let prose = try write("# A title\n\nSome text, with a comma.\n", to: "a.md")
        try expectRefused(prose, .unknownFormat(path: prose))
        let other = try write("a\n", to: "a.sqlite")
        try expectRefused(other, .unknownFormat(path: other))
    }

    @Test(
        "a file without a known ending is read by its contents",
        arguments: [("a", "a,b\n1,2\n"), ("a.txt", "a;b\n1;2\n"), ("a.xyz", "[{\"a\":1,\"b\":2}]")]
    )
    func contents(name: String, text: String) throws {
        let path = try write(text, to: name)
        let list = try ListImporter(try database()).importFile(at: path, as: "a").list
        #expect(list.columns.map(\.id) == ["a", "b"])
    }

    @Test("a key that is named gives the ids, and stays a column")
    func key() throws {
        let path = try write("sku,n\nx7,1\nx3,2\n", to: "a.csv")
        let connection = try database()
        var options = ImportOptions()
        options.key = ["sku"]
        let list = try ListImporter(connection, options: options).importFile(at: path, as: "a").list
        #expect(list.columns.map(\.id) == ["sku", "n"] && list.idType == .text)
        let rows = try connection.prepare("SELECT id, sku, n FROM a ORDER BY n")
        #expect(try rows.step() && rows.text(0) == "x7" && rows.text(1) == "x7")
        let twice = try write("sku\nx\nx\n", to: "b.csv")
        #expect(throws: ImportError.self) {
            try ListImporter(connection, options: options).importFile(at: twice, as: "b")
        }
    }

    @Test("texts in an encoding of the C library are read, wherever chunks end")
    func encodings() throws {
        var bytes = Array("id,name\n".utf8)
        // 300,000 bytes, so that some pair of bytes stands on both sides of a chunk's end.
        for id in 1...30_000 { bytes += Array("\(id),".utf8) + [0x93, 0xFA, 0x96, 0x7B, 0x0A] }
        let path = folder.path + "/japan.csv"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var options = ImportOptions()
        options.encoding = .named("SHIFT_JIS")
        let connection = try database()
        _ = try ListImporter(connection, options: options).importFile(at: path, as: "a")
        let rows = try connection.prepare("SELECT count(*) FROM a WHERE name = '日本'")
        #expect(try rows.step() && rows.integer(0) == 30_000)
    }

    @Test("names that the database needs or has already are refused")
    func listNames() throws {
        let path = try write("a\n1\n", to: "a.csv")
        for name in ["", "sqlite_x", "Roster_lists", "a\0b"] {
            try expectRefused(path, as: name, .reservedName(name))
        }
        try database().execute("CREATE TABLE theirs (x); CREATE VIEW seen AS SELECT 1")
        try expectRefused(path, as: "Theirs", .nameTaken("Theirs", by: "theirs"))
        try expectRefused(path, as: "theirs", .nameTaken("theirs", by: "theirs"))
        try expectRefused(path, as: "seen", .nameTaken("seen", by: "seen"))
        _ = try ListImporter(database()).importFile(at: path, as: "mine")
        try expectRefused(path, as: "MINE", .nameTaken("MINE", by: "mine"))
    }

    @Test("a file is imported again only when it has changed, and the version moves with it")
    func again() throws {
        let connection = try database()
        let importer = ListImporter(connection)
        let path = try write("id,a\n1,x\n", to: "a.csv")
        let first = try importer.importFile(at: path, as: "a")
        #expect(first.list.version.counter == 1)
        #expect((1...UInt64(UInt32.max)).contains(first.list.version.epoch))
        let second = try importer.importFile(at: path, as: "a")
        #expect(!second.isImported)
        #expect(second.list == first.list)
        _ = try write("id,b,c\n1,x,2\n2,y,3\n", to: "a.csv")
        let third = try importer.importFile(at: path, as: "a")
        #expect(third.isImported)
        #expect(
            third.list.version
                == ListVersion(epoch: first.list.version.epoch, counter: 2)
        )
        #expect(try records(connection, "SELECT id, b, c FROM a").count == 2)
        #expect(try ListCatalog.lists(in: connection) == [third.list])
        let copy = try write("id,b,c\n1,x,2\n2,y,3\n", to: "copy.csv")
        #expect(try importer.importFile(at: copy, as: "a").isImported)
    }

    @Test("readers see the list as it was until the new one is complete")
    func snapshot() throws {
        let connection = try database()
        let path = try write("id,a\n1,x\n", to: "a.csv")
        _ = try ListImporter(connection).importFile(at: path, as: "a")
        let reader = try DatabaseConnection(folder.file("lists.db"), access: .readOnly)
        _ = try write("id,a\n1,y\n2,z\n", to: "a.csv")
        let importer = ListImporter(connection) { (_, _) throws(SQLiteError) in
            let rows = try? records(reader, "SELECT a FROM a")
            #expect(rows == [["x"]])
        }
        _ = try importer.importFile(at: path, as: "a")
        #expect(try records(reader, "SELECT a FROM a") == [["y"], ["z"]])
    }
}

extension ImportTests {
    /// A file of 10,000 rows: large enough to come in several chunks.
    private func largeFile() throws -> (path: String, bytes: Int) {
        var text = "id,name,age\n"
        for row in 1...10_000 {
            text += "K\(row * 7919 % 10_007),\"Zoë \(String(repeating: "é", count: 40))\",\(row)\n"
        }
        return (try write(text, to: "large.csv"), text.utf8.count)
    }

    @Test("progress goes through the phases up to the whole file, and indexes see every row")
    func progress() throws {
        let (path, bytes) = try largeFile()
        let connection = try database()
        var seen: [ImportProgress] = []
        var rowsAtIndexing: [[String]] = []
        let importer = ListImporter(
            connection,
            makeIndexes: { (connection, list) throws(SQLiteError) in
                try connection.execute("CREATE INDEX byAge ON \"\(list.table)\"(age)")
                rowsAtIndexing = (try? records(connection, "SELECT count(*) FROM people")) ?? []
            },
            onProgress: { seen.append($0) }
        )
        let list = try importer.importFile(at: path, as: "people").list
        #expect(list.rowCount == 10_000)
        #expect(rowsAtIndexing == [["10000"]])
        #expect(Set(seen.map(\.totalBytes)) == [bytes])
        #expect(seen.map(\.phase) == [.checking, .checking, .writing, .writing, .indexing])
        #expect(seen.map(\.bytes) == [0, bytes, 0, bytes, bytes])
        #expect(seen.map(\.records) == [0, 10_000, 0, 10_000, 10_000])
        #expect(
            try records(connection, "SELECT count(*), sum(age) FROM people WHERE name LIKE 'Zo%'")
                == [["10000", "50005000"]]
        )
    }

    @Test("an import given up at any moment leaves the database as it was")
    func cancelled() throws {
        let (path, _) = try largeFile()
        let old = try write("id,name\n1,x\n", to: "old.csv")
        let connection = try database()
        _ = try ListImporter(connection).importFile(at: old, as: "people")
        let before = try everything(connection)
        var asked = 0
        _ = try ListImporter(
            connection,
            isCancelled: {
                asked += 1
                return false
            }
        )
        .importFile(at: path, as: "count")
        #expect(asked > 6)
        try connection.execute("DROP TABLE count; DELETE FROM roster_lists WHERE name = 'count'")
        for moment in 1...asked {
            var left = moment
            let importer = ListImporter(
                connection,
                isCancelled: {
                    left -= 1
                    return left == 0
                }
            )
            #expect(throws: ImportError.cancelled) {
                try importer.importFile(at: path, as: "people")
            }
            #expect(!connection.isInTransaction)
            #expect(try everything(connection) == before)
        }
    }

    @Test("an index that cannot be made undoes the import, and interruption ends it")
    func failingIndexes() throws {
        let path = try write("id,a\n1,x\n", to: "a.csv")
        let connection = try database()
        let before = try everything(connection)
        let error = #expect(throws: ImportError.self) {
            try ListImporter(connection) { (connection, _) throws(SQLiteError) in
                try connection.execute("CREATE INDEX i ON a(nothing)")
            }.importFile(at: path, as: "a")
        }
        guard case .database? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: ImportError.cancelled) {
            try ListImporter(connection) { (_, _) throws(SQLiteError) in throw .interrupted }
                .importFile(at: path, as: "a")
        }
        #expect(try everything(connection) == before)
    }
}
