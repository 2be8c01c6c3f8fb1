import Database
import Foundation
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Somebody else's database")
struct ForeignCatalogTests {
    private let folder = TemporaryFolder()

    private func catalog(
        _ sql: String,
        selection: TableSelection = TableSelection(),
        steps: Int = ExternalTable.stepsOfInspection
    ) throws -> ForeignCatalog {
        let writer = try DatabaseConnection(folder.file("their.db"), access: .readWrite)
        try writer.execute(sql)
        return try ForeignCatalog(
            folder.file("their.db"),
            selection: selection,
            steps: steps
        )
    }

    private func list(_ catalog: ForeignCatalog, _ name: String) throws -> ForeignCatalog.List {
        try #require(catalog.lists.first { $0.name == name }, "\(catalog.refusals)")
    }

    /// All ids of a list in an order, read page by page.
    private func walk(
        _ list: ForeignCatalog.List,
        sort: [SortKey] = [],
        grouping: Grouping? = nil,
        limit: Int = 2
    ) throws -> [String] {
        let (source, schema) = try list.source(in: folder.file("their.db"))
        let reader = try source.makeReader()
        var page = Page(list: list.name, schema: schema)
        var query = ListQuery(grouping: grouping, sort: sort, shape: .flow(limit: limit))
        var found: [String] = []
        for _ in 0..<1000 {
            try reader.read(query, into: &page)
            let rows = ids(page).flatMap { $0 }
            found += rows
            for id in rows {
                var row = Page(list: list.name, schema: schema)
                #expect(try reader.readRow(id, grouping: grouping, into: &row), "\(id)")
                #expect(row.id(ofRow: 0) == id)
            }
            guard let next = page.next else { break }
            query.start = .after(next)
        }
        #expect(page.total == Count(found.count))
        return found
    }

    @Test("texts are shown, whatever encoding they are kept in", arguments: ["8", "16le", "16be"])
    func encodings(encoding: String) throws {
        let names = ["Anna", "Zoë", "plain", "日本 🙂", String(repeating: "ü", count: 5_000)]
        let records = names.enumerated().map { "('k\($0)', '\($1)', '1990-04-05', x'00ff00')" }
        let catalog = try catalog(
            """
            PRAGMA encoding = 'UTF-\(encoding)';
            CREATE TABLE people (code TEXT PRIMARY KEY NOT NULL, name TEXT, born TEXT, face BLOB);
            INSERT INTO people VALUES \(records.joined(separator: ","));
            """
        )
        let people = try list(catalog, "people")
        #expect(people.columns.map(\.type) == [.text, .text, .date, .bytes])
        let codes = names.indices.map { "k\($0)" }
        #expect(try walk(people) == codes)
        #expect(try walk(people, sort: [SortKey(.column(1))]).sorted() == codes)
        let (source, schema) = try people.source(in: folder.file("their.db"))
        var page = Page(list: "people", schema: schema)
        var query = ListQuery(shape: .flow(limit: 50))
        for filters in [[], [Filter(column: 1, .equal, [.text("Zoë")])]] {
            query.filters = filters
            try source.makeReader().read(query, into: &page)
            for (row, index) in (filters.isEmpty ? Array(names.indices) : [1]).enumerated() {
                let values = (0..<4).map { page.value(row: row, column: $0) }
                let date = try #require(CalendarDate("1990-04-05"))
                #expect(values[..<3] == [.text("k\(index)"), .text(names[index]), .date(date)])
                #expect(values[3] == .bytes(ByteValue(count: 3)))
            }
        }
    }

    @Test("a version lasts once the next write would show in the times of the file")
    func lastingVersion() throws {
        let people = try list(
            catalog("PRAGMA journal_mode = DELETE; CREATE TABLE people (name TEXT);"),
            "people"
        )
        let (source, schema) = try people.source(in: folder.file("their.db"))
        let reader = try source.makeReader()
        let written = try reader.version()
        var page = Page(list: "people", schema: schema)
        try reader.read(ListQuery(shape: .flow(limit: 1)), into: &page)
        // On a machine that was busy elsewhere meanwhile, the file may be old enough already.
        if !written.isLasting { #expect(page.version != written) }
        guard case .file(let path) = folder.file("their.db") else { return }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: String(decoding: path, as: UTF8.self)
        )
        let settled = try reader.version()
        #expect(settled.isLasting)
        #expect(try reader.version() == settled)
        try reader.read(ListQuery(shape: .flow(limit: 1)), into: &page)
        #expect(page.version == settled)
    }

    @Test("every table and view makes a list, numbered with the reason if nothing identifies rows")
    func kinds() throws {
        let catalog = try catalog(
            """
            CREATE TABLE plain (a, b);
            CREATE TABLE keyed (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE coded (code TEXT PRIMARY KEY NOT NULL, name TEXT);
            CREATE TABLE pairs (x INTEGER, y TEXT, z, PRIMARY KEY (x, y)) WITHOUT ROWID;
            CREATE VIRTUAL TABLE words USING fts5(word);
            CREATE VIEW good AS SELECT id, name FROM keyed;
            CREATE VIEW repeated AS SELECT 1 AS id FROM keyed;
            CREATE VIEW nameless AS SELECT name FROM keyed;
            CREATE VIEW broken AS SELECT gone FROM nowhere;
            INSERT INTO keyed VALUES (1, 'a'), (2, 'b');
            INSERT INTO pairs VALUES (2, 'b,c', 0), (1, '50%', 0), (1, 'a', 0);
            INSERT INTO plain VALUES (1, 2), (3, 4), (5, 6);
            INSERT INTO coded VALUES ('b', 1), ('a', 2), ('B', 3);
            INSERT INTO words VALUES ('one'), ('two'), ('three');
            """
        )
        let names = ["coded", "good", "keyed", "nameless", "pairs", "plain", "repeated"]
        #expect(catalog.lists.map(\.name) == names)
        #expect(catalog.refusals.map(\.name) == ["broken"])
        #expect(catalog.selected.internals.contains("words"))
        #expect(
            catalog.lists.compactMap(\.numbered) == [.viewWithoutID, .ambiguousKey(column: "id")]
        )
        #expect(try walk(list(catalog, "nameless"), limit: 1) == ["1", "2"])
        #expect(try walk(list(catalog, "repeated"), limit: 1) == ["1", "2"])
        #expect(try walk(list(catalog, "coded")) == ["B", "a", "b"])
        #expect(try walk(list(catalog, "good"), limit: 1) == ["1", "2"])
        #expect(try walk(list(catalog, "keyed"), limit: 1) == ["1", "2"])
        #expect(try walk(list(catalog, "pairs")) == ["1,50%25", "1,a", "2,b%2Cc"])
        #expect(try walk(list(catalog, "plain")) == ["1", "2", "3"])
        let words = TableSelection(only: ["words"])
        let named = try ForeignCatalog(folder.file("their.db"), selection: words)
        #expect(named.lists.map(\.name) == ["words"])
        #expect(try walk(list(named, "words")) == ["1", "2", "3"])
        #expect(try list(catalog, "keyed").columns.map(\.id) == ["id", "name"])
        #expect(try list(catalog, "coded").columns.map(\.id) == ["code", "name"])
        let backwards = [SortKey(.id, .descending)]
        #expect(
            try walk(list(catalog, "pairs"), sort: backwards) == ["2,b%2Cc", "1,a", "1,50%25"]
        )
    }

    @Test("a primary key that tells nothing apart makes way for the row id")
    func falseKeys() throws {
        let catalog = try catalog(
            """
            CREATE TABLE nulls (code TEXT PRIMARY KEY, rowid TEXT);
            INSERT INTO nulls VALUES (NULL, 'r'), (NULL, 's'), ('c', 't');
            CREATE TABLE blobs (code BLOB PRIMARY KEY);
            INSERT INTO blobs VALUES (x'00ff'), ('x');
            CREATE TABLE sealed (code BLOB PRIMARY KEY) WITHOUT ROWID;
            INSERT INTO sealed VALUES (x'00ff');
            CREATE TABLE taken (rowid, oid, _rowid_);
            CREATE TABLE mixed (code PRIMARY KEY) WITHOUT ROWID;
            INSERT INTO mixed VALUES (1), ('a');
            CREATE TABLE late (code PRIMARY KEY) WITHOUT ROWID;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                INSERT INTO late SELECT 'c' || i FROM n;
            INSERT INTO late VALUES (x'00ff');
            CREATE VIEW half AS SELECT 1.5 AS id;
            """
        )
        #expect(try list(catalog, "nulls").table.key == [.init("_rowid_", .integer)])
        #expect(try walk(list(catalog, "nulls")) == ["1", "2", "3"])
        #expect(try walk(list(catalog, "blobs")) == ["1", "2"])
        #expect(catalog.refusals == [])
        #expect(
            catalog.lists.compactMap { list in list.numbered.map { "\(list.name) \($0)" } } == [
                #"half unsuitableKey(column: "id")"#, #"late unsuitableKey(column: "code")"#,
                #"mixed unsuitableKey(column: "code")"#, #"sealed unsuitableKey(column: "code")"#,
                "taken noKey",
            ]
        )
        #expect(try walk(list(catalog, "mixed"), limit: 1) == ["1", "2"])
        #expect(try walk(list(catalog, "late"), limit: 100).count == 1001)
    }

    @Test("types come from the values, or from the declaration where there are none")
    func types() throws {
        let catalog = try catalog(
            """
            CREATE TABLE t (i INTEGER, r NUMERIC, s VARCHAR(9), d TEXT, f BOOLEAN, n INT, m, e DATE);
            INSERT INTO t VALUES (1, 1, 'x', '2024-02-29', 1, NULL, 1, NULL);
            INSERT INTO t VALUES (2, 1.5, 'y', '2023-01-01', 0, NULL, 'x', NULL);
            """
        )
        let found = try list(catalog, "t").columns.map(\.type)
        #expect(found == [.integer, .real, .text, .date, .boolean, .integer, .text, .date])
        let empty = try self.catalog(
            "CREATE TABLE e (c VARCHAR(9), b BOOLEAN, r DOUBLE, n DECIMAL(5,2), o OTHER, x BLOB)"
        )
        let declared = try list(empty, "e").columns.map(\.type)
        #expect(declared == [.text, .boolean, .real, .real, .text, .bytes])
    }

    @Test("types come from rows spread over the whole table, however its rows are found")
    func spreadTypes() throws {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)"
        let value = "CASE WHEN i <= 8000 THEN NULL WHEN i % 2 THEN 'x' ELSE i END"
        let catalog = try catalog(
            """
            CREATE TABLE numbered (v);
            CREATE TABLE keyed (id INTEGER PRIMARY KEY, v);
            CREATE TABLE lettered (code TEXT PRIMARY KEY, v) WITHOUT ROWID;
            CREATE VIEW seen AS SELECT id, v FROM keyed;
            \(rows) INSERT INTO numbered SELECT \(value) FROM n;
            \(rows) INSERT INTO keyed SELECT i * 1000000007 - 4611686018427387904, \(value) FROM n;
            \(rows) INSERT INTO lettered SELECT printf('key-%05d', i), \(value) FROM n;
            """
        )
        for name in ["numbered", "keyed", "lettered", "seen"] {
            #expect(try list(catalog, name).columns.last?.type == .text, "\(name)")
        }
    }

    @Test("a key that holds another kind far behind is none")
    func lateKinds() throws {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        let catalog = try catalog(
            """
            CREATE TABLE whole (code PRIMARY KEY) WITHOUT ROWID;
            \(rows) INSERT INTO whole SELECT i FROM n;
            INSERT INTO whole VALUES ('a');
            """
        )
        #expect(catalog.lists.map(\.numbered) == [.unsuitableKey(column: "code")])
    }

    @Test(
        "a view too large to check is a list, whatever time there is; equal ids are never passed over"
    )
    func largeView() throws {
        let sql = """
            CREATE TABLE t (code TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                INSERT INTO t SELECT printf('%05d', i) FROM n;
            INSERT INTO t VALUES ('00007');
            CREATE VIEW codes AS SELECT code AS id, code FROM t;
            """
        let whole = try catalog(sql)
        #expect(whole.lists.map(\.numbered) == [nil, .ambiguousKey(column: "id")].reversed())
        let list = try list(ForeignCatalog(folder.file("their.db"), steps: 4_000), "codes")
        let (source, schema) = try list.source(in: folder.file("their.db"))
        let reader = try source.makeReader()
        var page = Page(list: "codes", schema: schema)
        for limit in [1, 6, 7, 50] {
            var query = ListQuery(shape: .flow(limit: limit))
            do {
                for _ in 0..<20 {
                    try reader.read(query, into: &page)
                    let next = page.next
                    query.start = .after(try #require(next))
                }
                Issue.record("limit \(limit): no page is refused")
            } catch SourceError.duplicateRow("00007", _, _) {}
        }
    }

    @Test("hostile names are served or refused, never run")
    func hostileNames() throws {
        let names = [
            "a\"b", "x; DROP TABLE victim; --", "select", "'", "\"", " ", "[x]", "`", "é", "?1",
            "a\nb", "roster_lists2", "id",
        ]
        var sql = "CREATE TABLE victim (a); INSERT INTO victim VALUES ('alive');"
        for name in names {
            let quoted = try #require(SQLName.quoted(name))
            sql += "CREATE TABLE \(quoted) (\(quoted) TEXT, \"group\" TEXT, \"b__c\" TEXT);"
            sql += "INSERT INTO \(quoted) VALUES ('one', 'g', 'h'), ('two', 'g', 'h');"
        }
        let catalog = try catalog(sql)
        #expect(catalog.refusals == [])
        let renamed = ["a\nb": "a-b", "roster_lists2": "table-roster_lists2"]
        #expect(
            Set(catalog.lists.map(\.name)) == Set(names.map { renamed[$0] ?? $0 } + ["victim"])
        )
        for name in names {
            let list = try list(catalog, renamed[name] ?? name)
            let sort = [SortKey(.column(0), .descending)]
            #expect(try walk(list, sort: sort, limit: 1) == ["2", "1"], "\(name)")
            let grouping = Grouping(column: 0, part: .initial)
            #expect(try walk(list, grouping: grouping, limit: 1) == ["1", "2"], "\(name)")
            #expect(list.columns.dropFirst().map(\.id) == ["group_", "b_c"])
        }
        #expect(try walk(list(catalog, "victim")) == ["1"])
    }

    @Test("whatever a column holds, pages go through it in the engine's own order")
    func strangeValues() throws {
        let writer = try DatabaseConnection(folder.file("their.db"), access: .readWrite)
        try writer.execute("CREATE TABLE t (v, w TEXT COLLATE NOCASE)")
        var random = SeededGenerator(seed: 3)
        let insert = try writer.prepare("INSERT INTO t VALUES (?1, ?2)")
        for _ in 0..<150 {
            try insert.bindNull(1)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: break
            case 1: try insert.bind(1, Int64.random(in: -3...3, using: &random))
            case 2: try insert.bind(1, random.pick([0.5, 1, .infinity, -.infinity, 1e300]))
            case 3: try insert.bind(1, random.pick(["", "a", "A", "é", "12", "2024-01-01"]))
            case 4: try insert.bind(1, blob: random.pick([[], [0], [0xFF, 1], [0x61]]))
            case 5:
                let malformed: [UInt8] = random.pick([[0xFF], [0x61, 0xC3]])
                try insert.bind(1, utf8: malformed.span)
            case 6: try insert.bind(1, "\u{10FFFF}" + random.pick(["", "t61", "b"]))
            default: try insert.bind(1, random.pick([Int64.max, .min]))
            }
            try insert.bind(2, random.pick(["a", "A", "b", "B", "é"]))
            try insert.run()
        }
        let catalog = try ForeignCatalog(folder.file("their.db"))
        let list = try list(catalog, "t")
        for direction in [SortKey.Direction.ascending, .descending] {
            for nulls in [SortKey.Nulls.first, .last] {
                let order = try writer.prepare(
                    "SELECT rowid FROM t ORDER BY v COLLATE BINARY"
                        + (direction == .ascending ? " ASC" : " DESC")
                        + (nulls == .first ? " NULLS FIRST" : " NULLS LAST")
                        + ", w COLLATE BINARY, rowid"
                )
                var expected: [String] = []
                while try order.step() { expected.append(order.text(0)) }
                let sort = [SortKey(.column(0), direction, nulls: nulls), SortKey(.column(1))]
                #expect(try walk(list, sort: sort, limit: 7) == expected)
            }
        }
    }

    @Test("bytes are shown by their number, and what is no text is repaired for people")
    func displays() throws {
        let catalog = try catalog(
            """
            CREATE TABLE t (v);
            INSERT INTO t VALUES (x'00'), (x'0001'), (9e999), (CAST(x'61ff' AS TEXT)), (7), (1.5);
            """
        )
        let list = try list(catalog, "t")
        let schema = try ListSchema(columns: list.columns, idType: .integer)
        var registry = ControllerRegistry()
        let source = TableSource(
            location: folder.file("their.db"),
            table: list.table,
            schema: schema,
            registration: try registry.register(RecordController(list: "t", columns: list.columns))
        )
        var page = Page(list: "t", schema: schema)
        try source.makeReader().read(ListQuery(shape: .flow(limit: 9)), into: &page)
        var values: [CellValue] = []
        var displays: [String?] = []
        for row in 0..<page.rowCount {
            values.append(page.value(row: row, column: 0))
            displays.append(page.cell(row: row, column: 0).flatMap { page.cells.display($0) })
        }
        #expect(
            values == [
                .bytes(ByteValue(count: 1)), .bytes(ByteValue(count: 2)), .real(.infinity),
                .text("a\u{FFFD}"), .integer(7), .real(1.5),
            ]
        )
        #expect(displays.allSatisfy { $0 == nil })
    }

    @Test("Roster's own lists and tables are left to it")
    func ownDatabase() throws {
        let catalog = try catalog(
            """
            CREATE TABLE roster_lists (name TEXT, table_name TEXT, id_type TEXT,
              row_count INTEGER, epoch INTEGER, counter INTEGER, format INTEGER,
              missing_indexes INTEGER);
            INSERT INTO roster_lists VALUES ('mine', 'mine', 'integer', 0, 1, 1, 3, 0);
            CREATE TABLE Roster_columns (list TEXT, position INTEGER, id TEXT, label TEXT,
              type TEXT, storage TEXT, file_name TEXT);
            CREATE TABLE mine (id INTEGER PRIMARY KEY);
            CREATE TABLE theirs (id INTEGER PRIMARY KEY);
            """
        )
        #expect(catalog.lists.map(\.name) == ["theirs"])
        #expect(catalog.refusals == [])
    }
}
