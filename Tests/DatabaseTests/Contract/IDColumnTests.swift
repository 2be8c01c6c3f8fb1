import Database
import Listings
import Postgres
import SQLite
import TableFiles
import TestSupport
import Testing

@Suite("The ids of a table are a column")
struct IDColumnTests {
    private let folder = TemporaryFolder()

    enum Origin: Sendable { case imported, sqlite, postgres }

    /// A table, who made it, and its ids in the order of its column `id`.
    struct Table: Sendable {
        let text: String
        let origin: Origin
        let ids: [String]
    }

    static let tables = [
        Table(
            text: "name,id\nd,de2\na,AT\nb,DE\nc,Dk\n",
            origin: .imported,
            ids: ["AT", "DE", "de2", "Dk"]
        ),
        Table(text: "ID,name\n10,c\n-2,a\n9,b\n", origin: .imported, ids: ["-2", "9", "10"]),
        Table(
            text: """
                CREATE TABLE t (name TEXT, Id TEXT PRIMARY KEY COLLATE NOCASE);
                INSERT INTO t VALUES ('d', 'de2'), ('a', 'AT'), ('b', 'DE')
                """,
            origin: .sqlite,
            ids: ["AT", "DE", "de2"]
        ),
        Table(
            text: """
                CREATE TABLE t (id INTEGER PRIMARY KEY, name);
                INSERT INTO t VALUES (10, 'c'), (-2, 'a'), (9, 'b')
                """,
            origin: .sqlite,
            ids: ["-2", "9", "10"]
        ),
        Table(
            text: """
                CREATE TABLE b (id BOOLEAN PRIMARY KEY, name) WITHOUT ROWID;
                INSERT INTO b VALUES (1, 'b'), (0, 'a'); CREATE VIEW v AS SELECT id, name FROM b
                """,
            origin: .sqlite,
            ids: ["0", "1"]
        ),
    ]

    private static let postgresTables = [
        ("name text, id int PRIMARY KEY", "id", ["-2", "9", "10"]),
        ("\"ID\" text PRIMARY KEY, name text", "\"ID\"", ["AT", "DE", "de2"]),
        (
            "\"Id\" uuid PRIMARY KEY, name text", "\"Id\"",
            [
                "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-00000000000a",
                "f0000000-0000-4000-8000-000000000001",
            ]
        ), ("id date PRIMARY KEY, name text", "id", ["1999-12-31", "2024-02-29", "2024-03-01"]),
    ].map { columns, id, ids in
        let values = ids.reversed().map { "('\($0)', 'n')" }.joined(separator: ", ")
        let text = "CREATE TABLE t (\(columns)); INSERT INTO t (\(id), name) VALUES \(values)"
        return Table(text: text, origin: .postgres, ids: ids)
    }

    static let everywhere = tables + (PostgresCluster.shared == nil ? [] : postgresTables)

    private func source(_ table: Table) throws -> TableSource {
        var registry = ControllerRegistry()
        if table.origin == .postgres {
            let scratch = try ScratchSchema()
            try scratch.run(table.text)
            let list = try #require(try PostgresCatalog(scratch.database).lists.first)
            let schema = try Self.schema(list.columns, list.table.idType)
            return TableSource(
                database: scratch.database,
                table: list.table,
                schema: schema,
                registration: try registry.register(
                    RecordController(list: "t", columns: schema.columns)
                ),
                budgets: .ample
            )
        }
        let location = folder.file("t.db")
        let connection = try DatabaseConnection(location, access: .readWrite)
        var columns: [Column]
        var description: TableDescription?
        if table.origin == .imported {
            let importer = ListImporter(connection) { connection, list throws(SQLiteError) in
                let table = TableDescription(
                    list: list.name,
                    table: list.table,
                    idType: list.idType,
                    columns: list.columns
                )
                guard let table, let schema = try? Self.schema(list.columns, list.idType) else {
                    return
                }
                try TableIndexes.create(for: table, schema: schema, on: connection)
            }
            try importer.importText(table.text, .csv, as: "t")
            let list = try #require(try ListCatalog.list(named: "t", in: connection))
            columns = list.columns
            description = TableDescription(
                list: "t",
                table: list.table,
                idType: list.idType,
                columns: list.columns,
                wordIndex: list.wordIndex
            )
        } else {
            try connection.execute(table.text)
            let list = try #require(try ForeignCatalog(location).lists.last)
            columns = list.columns
            description = list.table
        }
        let schema = try Self.schema(columns, try #require(description).idType)
        return TableSource(
            location: location,
            table: try #require(description),
            schema: schema,
            registration: try registry.register(
                RecordController(list: "t", columns: schema.columns)
            )
        )
    }

    private static func schema(_ columns: [Column], _ idType: ColumnType) throws -> ListSchema {
        let shown = columns.map { column in
            Column(column.id, label: column.label, type: column.type, isGroupable: true)
        }
        return try ListSchema(columns: shown, idType: idType)
    }

    private func ids(
        _ source: TableSource,
        _ change: (inout ListQuery) -> Void
    ) throws -> [String] {
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: source.schema)
        var query = ListQuery(shape: .flow(limit: 1))
        change(&query)
        var ids: [String] = []
        while true {
            try reader.read(query, into: &page)
            for row in 0..<page.rowCount {
                let id = page.id(ofRow: row)
                ids.append(id)
                let column = try #require(source.schema.idColumn)
                let shown = page.value(row: row, column: column)
                #expect(shown == CellValue.parse(id, as: source.schema.columns[column].type))
            }
            let next = page.next
            guard let next else { return ids }
            query.start = .after(next)
        }
    }

    @Test("it shows each id once, where the table has it", arguments: everywhere)
    func shown(table: Table) throws {
        let source = try source(table)
        #expect(source.schema.columns.count == 2)
        let column = try #require(source.schema.idColumn)
        #expect(source.schema.columns[column].label == "ID")
        #expect(try ids(source) { _ in }.sorted() == table.ids.sorted())
    }

    @Test("rows are ordered, parted and chosen by it", arguments: everywhere)
    func asked(table: Table) throws {
        let source = try source(table)
        let column = try #require(source.schema.idColumn)
        // Texts of a table of somebody else stand byte by byte; these have one order in both.
        for (direction, expected) in [
            (SortKey.Direction.ascending, table.ids), (.descending, table.ids.reversed()),
        ] {
            let sort = [SortKey(.column(column), direction)]
            #expect(try ids(source) { $0.sort = sort } == expected)
            let both = [SortKey(.column(0), direction), SortKey(.column(1))]
            #expect(try ids(source) { $0.sort = both }.count == expected.count)
        }
        #expect(try ids(source) { $0.grouping = Grouping(column: column) } == table.ids)
        let type = source.schema.columns[column].type
        let second = try #require(CellValue.parse(table.ids[1], as: type))
        func chosen(_ operation: Filter.Operator, _ operand: CellValue) throws -> [String] {
            try ids(source) { query in
                query.sort = [SortKey(.column(column))]
                query.filters = [Filter(column: column, operation, [operand])]
            }
        }
        #expect(try chosen(.atLeast, second) == Array(table.ids.dropFirst()))
        #expect(try chosen(.less, second) == [table.ids[0]])
        #expect(try chosen(.equal, second) == [table.ids[1]])
        #expect(try chosen(.notEqual, second) == table.ids.filter { $0 != table.ids[1] })
        #expect(try chosen(.isNull, .boolean(true)) == [])
        guard type == .text else { return }
        let (first, prefix) = (table.ids[0], table.ids[1].lowercased())
        #expect(
            try chosen(.startsWith, .text(prefix))
                == table.ids.filter { $0.lowercased().hasPrefix(prefix) }
        )
        #expect(try chosen(.contains, .text(first.lowercased())) == [first])
        #expect(try ids(source) { $0.search = TextSearch(first.lowercased()) } == [first])
        let initials = Grouping(column: column, part: .initial)
        #expect(try ids(source) { $0.grouping = initials }.first == first)
    }

    @Test("its values are counted over the rows that other conditions leave", arguments: everywhere)
    func facets(table: Table) throws {
        let source = try source(table)
        let column = try #require(source.schema.idColumn)
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: source.schema)
        var query = ListQuery(shape: .flow(limit: 5))
        query.facets = [column]
        query.filters = [Filter(id: .equal, [table.ids[1]])]
        try reader.read(query, into: &page)
        let values = page.facets[0].values
        #expect(values.map(\.value.plainText).sorted() == table.ids.sorted())
        #expect(values.allSatisfy { $0.count == Count(1) })
        let selected = values.filter { query.filters[0].selects($0.value) }
        #expect(selected.map(\.value.plainText) == [table.ids[1]])
        let count = page.rowCount
        #expect(count == 1)
    }

    @Test("rows stand in its order by an index", arguments: tables[...1] + tables[3...3])
    func index(table: Table) throws {
        let source = try source(table)
        let column = try #require(source.schema.idColumn)
        for direction in [SortKey.Direction.ascending, .descending] {
            let sort = [SortKey(.column(column), direction)]
            let plan = try source.explain(ListQuery(sort: sort, shape: .flow(limit: 5)))
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
        let connection = try DatabaseConnection(folder.file("t.db"), access: .readOnly)
        let doubled = try connection.prepare(
            "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%(\"id\", \"id\")%'"
        )
        #expect(try doubled.step())
        #expect(doubled.integer(0) == 0)
    }

    @Test("a part of a key, and a column beside another key, are columns of their own")
    func otherColumns() throws {
        let location = folder.file("o.db")
        try DatabaseConnection(location, access: .readWrite).execute(
            """
            CREATE TABLE pairs (id INTEGER, part INTEGER, PRIMARY KEY (id, part));
            CREATE TABLE beside (code TEXT PRIMARY KEY, id INTEGER);
            CREATE TABLE rows (ID TEXT, name TEXT);
            INSERT INTO pairs VALUES (1, 2); INSERT INTO beside VALUES ('a', 1);
            INSERT INTO rows VALUES ('x', 'y');
            """
        )
        let lists = try ForeignCatalog(location).lists
        #expect(
            lists.map { $0.columns.map(\.id) } == [
                ["code", "id_"], ["id_", "part"], ["ID_", "name"],
            ]
        )
        for list in lists { #expect(try ListSchema(columns: list.columns).idColumn == nil) }
    }

    @Test("writes leave it to the id", arguments: [true, false])
    func writes(hasTexts: Bool) throws {
        let csv = hasTexts ? "name,id,age\nAda,a,1\nBob,b,2\n" : "id,name,age\n1,Ada,1\n2,Bob,2\n"
        let fixture = try WritingFixture(at: folder.file("w.db"), csv: csv)
        let writer = try fixture.makeWriter()
        let (name, age) = (try fixture.column("name"), try fixture.column("age"))
        let id = hasTexts ? "a" : "1"
        func write(_ verb: RowChange.Verb, _ id: String?, _ text: String) throws -> ChangedRow {
            let change = RowChange(verb, id: id, values: [name: .text(text)])
            return try writer.write(change, of: fixture)
        }
        #expect(try write(.replace, id, "Eve").effect == .changed)
        #expect(try write(.replace, id, "Eve").effect == .unchanged)
        #expect(try write(.merge, hasTexts ? "b" : "2", "Bo").effect == .changed)
        let made = try write(.insert, nil, "Cy").id
        _ = try write(.insert, hasTexts ? "z" : "9", "Di")
        var page = Page(list: "people", schema: fixture.source.schema)
        try fixture.source.makeReader().read(ListQuery(shape: .flow(limit: 9)), into: &page)
        let rows = (0..<page.rowCount).map { row in
            [fixture.source.schema.idColumn ?? 0, name, age].map {
                page.value(row: row, column: $0).plainText
            }
        }
        #expect(rows.contains([id, "Eve", ""]))
        #expect(rows.contains([hasTexts ? "b" : "2", "Bo", "2"]))
        #expect(rows.contains([made, "Cy", ""]))
        #expect(rows.contains([hasTexts ? "z" : "9", "Di", ""]))
        #expect(try fixture.makeWriter().rules.valueColumns == [name, age])
    }
}
