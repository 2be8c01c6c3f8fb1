import Database
import Listings
import MemoryLists
import Postgres
import TestSupport
import Testing

@testable import SQLite

struct ListFixture {
    enum Kind: CaseIterable {
        case stored, storedWithoutIndexes, foreign
        case postgres, postgresWithIndexes
        case memory

        static let files: [Kind] = [.stored, .storedWithoutIndexes, .foreign]

        /// All that this machine has an engine for; see `Postgres` for what is told otherwise.
        static var allCases: [Kind] {
            PostgresCluster.shared == nil ? files : files + [.postgres, .postgresWithIndexes]
        }

        /// Those and the lists without an engine.
        static var everywhere: [Kind] { allCases + [.memory] }

        /// Whether texts are ordered by their bytes.
        var comparesBytes: Bool {
            switch self {
            case .stored, .storedWithoutIndexes, .memory: false
            case .foreign, .postgres, .postgresWithIndexes: true
            }
        }

        /// Whether it has the indexes of an import.
        var isIndexed: Bool { self == .stored }
    }
    static let columns = [
        Column("name"), Column("city", isGroupable: true),
        Column("age", type: .integer, isGroupable: true), Column("score", type: .real),
        Column("active", type: .boolean, isGroupable: true),
        Column("born", type: .date, isGroupable: true),
    ]

    static let insertion =
        "INSERT INTO people (id, roster_revision, name, city, age, score, active, born)"

    static func sortKey(of column: String) -> String {
        "ifnull(roster_order(\(column)), lower(\(column)) || char(1) || \(column))"
    }

    let schema: ListSchema
    private let store: Store
    private let tableSource: TableSource?
    private(set) var reader: any ListReader
    let table: TableDescription
    private(set) var reference: ReferenceList
    private let idType: ColumnType
    /// The columns in which no row lacks a value until it is changed.
    private let filled: Set<Int>

    init(
        _ kind: Kind,
        rows count: Int,
        idType: ColumnType,
        budgets: ReadingBudgets = .ample,
        using random: inout SeededGenerator,
        in folder: TemporaryFolder
    ) throws {
        self.idType = idType
        var filled: Set<Int> = []
        for column in Self.columns.indices where random.chance(30) { filled.insert(column) }
        self.filled = filled
        schema = try ListSchema(
            columns: Self.columns,
            idType: idType,
            defaultGrouping: Grouping(column: 1),
            defaultSort: [SortKey(.column(0)), SortKey(.column(2), .descending)]
        )
        var registry = ControllerRegistry()
        let registration = try registry.register(
            RecordController(list: "people", columns: schema.columns)
        )
        reference = ReferenceList(rows: [], comparesBytes: kind.comparesBytes)
        if kind == .postgres || kind == .postgresWithIndexes {
            let tables = try PostgresTables(
                idType: idType,
                hasIndexes: kind == .postgresWithIndexes
            )
            store = .postgres(tables)
            table = try tables.description()
            let source = TableSource(
                database: tables.database,
                table: table,
                schema: schema,
                registration: registration,
                budgets: budgets
            )
            tableSource = source
            reader = try source.makeReader()
            for _ in 0..<count { try insert(using: &random) }
            return
        }
        guard kind != .memory else {
            store = .memory
            tableSource = nil
            reader = try reference.source(schema).makeReader()
            table = try #require(Self.stored(idType, hasWords: false))
            for _ in 0..<count { try insert(using: &random) }
            return
        }
        let location = folder.file("list-\(random.next()).db")
        let writer = try DatabaseConnection(location, access: .readWrite)
        store = .sqlite(writer)
        // What a test loses in a power cut does not matter.
        try writer.execute("PRAGMA synchronous = OFF")
        let idSQL = idType == .integer ? "INTEGER PRIMARY KEY" : "TEXT NOT NULL PRIMARY KEY"
        try writer.execute(
            """
            CREATE TABLE roster_lists (name TEXT NOT NULL PRIMARY KEY, epoch INTEGER NOT NULL,
                counter INTEGER NOT NULL);
            INSERT INTO roster_lists VALUES ('people', 7, 1);
            \(Self.catalog(of: "people", Self.columns))
            CREATE TABLE "people" ("id" \(idSQL), "roster_revision" INTEGER NOT NULL DEFAULT 1,
                "name" TEXT, "city" TEXT, "age" INTEGER, "score" REAL, "active" INTEGER,
                "born" TEXT\(kind == .foreign ? "" : ", roster_order_name, roster_order_city"));
            """
        )
        let foreign = TableDescription(
            name: "people",
            key: [.init("id", idType)],
            columns: zip(Self.columns, ["TEXT", "TEXT", "INTEGER", "REAL", "INTEGER", "TEXT"]).map {
                TableDescription.StoredColumn($0.id, engineType: $1)
            },
            revision: "roster_revision",
            origin: .foreignTable
        )
        table = try #require(
            kind == .foreign ? foreign : Self.stored(idType, hasWords: kind.isIndexed)
        )
        if kind == .foreign, random.chance(50) {
            try writer.execute("CREATE INDEX names ON people (name, age)")
        }
        if kind == .storedWithoutIndexes {
            try OrderColumns.createTriggers(for: table, on: writer)
        }
        if kind.isIndexed {
            try TableIndexes.create(for: table, schema: schema, on: writer)
            try TrigramIndex.index(of: table, schema: schema)?.create(on: writer)
        }
        let source = TableSource(
            location: location,
            table: table,
            schema: schema,
            registration: registration,
            budgets: budgets
        )
        tableSource = source
        reader = try source.makeReader()
        try writer.begin(.writing)
        for _ in 0..<count { try insert(using: &random) }
        try writer.commit()
    }

    static func catalog(of list: String, _ columns: [Column]) -> String {
        let values = columns.map { "('\(list)', '\($0.id)', '\($0.type.rawValue)')" }
        return """
            CREATE TABLE roster_columns (list, id, type);
            INSERT INTO roster_columns VALUES \(values.joined(separator: ", "));
            """
    }

    private enum Store {
        case sqlite(DatabaseConnection)
        case postgres(PostgresTables)
        case memory
    }

    private static func stored(_ idType: ColumnType, hasWords: Bool) -> TableDescription? {
        TableDescription(
            list: "people",
            table: "people",
            idType: idType,
            columns: Self.columns,
            wordIndex: hasWords ? WordIndex.name(of: "people") : nil,
            trigramIndex: hasWords ? TrigramIndex.name(of: "people") : nil
        )
    }

    var source: TableSource {
        guard let tableSource else { preconditionFailure("no table") }
        return tableSource
    }

    var writer: DatabaseConnection {
        guard case .sqlite(let writer) = store else { preconditionFailure("no file of SQLite") }
        return writer
    }

    var concurrentWriter: ConcurrentWriter {
        switch store {
        case .sqlite(let writer):
            ConcurrentWriter(location: .sqlite(writer.location), idType: idType)
        case .postgres(let tables):
            ConcurrentWriter(location: .postgres(tables.database.address), idType: idType)
        case .memory: preconditionFailure("nobody else has the models")
        }
    }

    mutating func insert(using random: inout SeededGenerator) throws {
        try insert(freshRow(using: &random))
    }

    /// Writes one row, random but for its name.
    mutating func insert(name: String, using random: inout SeededGenerator) throws {
        var row = freshRow(using: &random)
        row.values[0] = .text(name)
        try insert(row)
    }

    /// Writes one row, random but for its day of birth.
    mutating func insert(born: CellValue, using random: inout SeededGenerator) throws {
        var row = freshRow(using: &random)
        row.values[5] = born
        try insert(row)
    }

    private mutating func insert(_ row: ReferenceRow) throws {
        reference.rows.append(row)
        switch store {
        case .postgres(let tables): return try tables.insert(row)
        case .memory: return try readAnew()
        case .sqlite: break
        }
        let insert = try writer.statement("\(Self.insertion) VALUES (?, 1, ?, ?, ?, ?, ?, ?)")
        for (index, value) in ([row.id] + row.values).enumerated() {
            try insert.bind(index + 1, value)
        }
        try insert.run()
        try touch()
    }

    mutating func delete(at position: Int) throws {
        let row = reference.rows.remove(at: position)
        switch store {
        case .postgres(let tables): return try tables.delete(row.id)
        case .memory: return try readAnew()
        case .sqlite: break
        }
        let delete = try writer.statement("DELETE FROM people WHERE id = ?")
        try delete.bind(1, row.id)
        try delete.run()
        try touch()
    }

    mutating func update(
        at position: Int,
        using random: inout SeededGenerator
    ) throws -> ReferenceRow {
        var row = reference.rows[position]
        let values = Self.values(using: &random)
        let column = random.chance(50) ? nil : Int.random(in: values.indices, using: &random)
        for index in values.indices where column ?? index == index {
            row.values[index] = values[index]
        }
        guard case .sqlite = store else {
            try delete(at: position)
            try insert(row)
            return row
        }
        let update = try writer.statement(
            "UPDATE people SET name = ?2, city = ?3, age = ?4, score = ?5, active = ?6, born = ?7 "
                + "WHERE id = ?1"
        )
        for (index, value) in ([row.id] + row.values).enumerated() {
            try update.bind(index + 1, value)
        }
        try update.run()
        reference.rows[position] = row
        try touch()
        return row
    }

    private mutating func readAnew() throws {
        reader = try reference.source(schema).makeReader()
    }

    private func touch() throws(SQLiteError) {
        try writer.execute("UPDATE roster_lists SET counter = counter + 1")
    }

    /// A row whose id nobody has.
    func freshRow(using random: inout SeededGenerator) -> ReferenceRow {
        let taken = Set(reference.rows.map(\.id))
        while true {
            let number = Int64.random(in: -50...5000, using: &random)
            let text = random.pick(["a", "B", "é", "z", ","]) + "\(number)"
            let id = idType == .integer ? CellValue.integer(number) : .text(text)
            guard !taken.contains(id) else { continue }
            return ReferenceRow(id: id, values: Self.values(using: &random, filling: filled))
        }
    }

    /// Random values, some of them missing, but none of columns to fill.
    static func values(
        using random: inout SeededGenerator,
        filling filled: Set<Int> = []
    ) -> [CellValue] {
        let names = [
            "Ada", "ada", "Áda", "Zoë", "zoe", "Émile", "emile", "", "9 lives", "O'Brien", "李",
            "Åsa", "e\u{301}mile",
        ]
        let cities = ["Oslo", "oslo", "Åre", "Paris", "~x", "Łódź", "#"]
        let dates = ["1999-12-31", "2000-01-01", "2024-02-29"].compactMap(CalendarDate.init)
        var values: [CellValue] = [
            .text(random.pick(names)), .text(random.pick(cities)),
            .integer(Int64.random(in: -2...4, using: &random)),
            .real(random.pick([-1.5, 0, 2, 2.25])), .boolean(random.chance(50)),
            .date(random.pick(dates)),
        ]
        for index in values.indices where random.chance(15) && !filled.contains(index) {
            values[index] = .null
        }
        return values
    }
}

func ids(_ page: borrowing Page) -> [[String]] {
    var ids: [[String]] = []
    for section in page.sections {
        var rows: [String] = []
        for row in section.rows { rows.append(page.id(ofRow: row)) }
        ids.append(rows)
    }
    return ids
}

func randomQuery(
    _ reference: ReferenceList,
    peeks: Bool,
    using random: inout SeededGenerator
) -> ListQuery {
    var query = ListQuery(shape: .flow(limit: Int.random(in: 1...12, using: &random)))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: break
    case 1: query.grouping = Grouping(column: random.pick([0, 1]), part: .initial)
    default: query.grouping = Grouping(column: random.pick([1, 2, 4, 5]))
    }
    if let grouping = query.grouping, grouping.part == .initial, random.chance(50) {
        let direction: SortKey.Direction = random.chance(50) ? .ascending : .descending
        query.sort = [SortKey(.column(grouping.column), direction)]
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
        let field =
            random.chance(10)
            ? SortKey.Field.id : .column(Int.random(in: 0..<6, using: &random))
        query.sort.append(
            SortKey(
                field,
                random.chance(50) ? .ascending : .descending,
                nulls: random.chance(50) ? .first : .last
            )
        )
    }
    if query.grouping != nil, !reference.rows.isEmpty, random.chance(30) {
        let keys = Set(
            (0..<3).map { _ in reference.section(random.pick(reference.rows), query) }
        )
        query.sections = keys.sorted { "\($0)" < "\($1)" }.shuffled(using: &random)
    }
    if random.chance(50) { narrow(&query, reference, using: &random) }
    if random.chance(30) { query.counting = .exact }
    if random.chance(30) {
        let columns = ListFixture.columns.indices.shuffled(using: &random)
        query.columns = Array(columns.prefix(Int.random(in: 0...columns.count, using: &random)))
    }
    if peeks {
        query.shape = .peek(
            limit: Int.random(in: 1...4, using: &random),
            rows: Int.random(in: 0...4, using: &random)
        )
    }
    return query
}

private func narrow(
    _ query: inout ListQuery,
    _ reference: ReferenceList,
    using random: inout SeededGenerator
) {
    guard !reference.rows.isEmpty else { return }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
        let column = Int.random(in: 0..<ListFixture.columns.count, using: &random)
        let type = ListFixture.columns[column].type
        let operation = random.pick(Filter.Operator.allowed(for: type))
        guard operation != .isNull else {
            query.filters.append(Filter(column: column, .isNull, [.boolean(random.chance(50))]))
            continue
        }
        let count = operation.takesList ? Int.random(in: 1...3, using: &random) : 1
        let values = (0..<count).map { _ in random.pick(reference.rows).values[column] }
            .filter { !$0.isNull }
        guard !values.isEmpty else { continue }
        query.filters.append(Filter(column: column, operation, values))
    }
    if random.chance(15) {
        let operation = random.pick(Filter.Operator.allowedForIDs)
        let count = operation.takesList ? Int.random(in: 1...20, using: &random) : 1
        let ids = (0..<count).map { _ in random.pick(reference.rows).id.plainText }
        query.filters.append(Filter(id: operation, random.chance(20) ? ["none,such"] : ids))
    }
    if random.chance(60), !query.filters.isEmpty {
        query.filters = [joined(query.filters[...], using: &random)]
    }
    guard random.chance(30) else { return }
    let texts = ["ada", "ÁDA", "z", "o'br", "\"o brien\"", "oslo e", "9", "a o", "a", "lodz"]
    query.search = TextSearch(random.pick(texts))
}

private func joined(_ filters: ArraySlice<Filter>, using random: inout SeededGenerator) -> Filter {
    guard filters.count > 1 else {
        let only = filters[filters.startIndex]
        return random.chance(50) ? Filter(FilterGroup(.notAll, [only])) : only
    }
    let middle = Int.random(in: filters.startIndex + 1..<filters.endIndex, using: &random)
    let parts = [filters[..<middle], filters[middle...]].map { joined($0, using: &random) }
    return Filter(FilterGroup(random.pick(FilterGroup.Joint.allCases), parts))
}

extension ReadingBudgets {
    /// Time enough for any machine, so that only what is read decides.
    static let ample = ReadingBudgets(
        rows: .seconds(600),
        counts: .seconds(600),
        exactCounts: .seconds(600),
        attempt: .seconds(600),
        shortestTrial: .seconds(600)
    )

    /// The same without trials: an access path that another one can replace has no time.
    static let withoutTrials = ReadingBudgets(
        rows: .seconds(600),
        counts: .seconds(600),
        exactCounts: .seconds(600),
        attempt: .zero,
        shortestTrial: .zero
    )
}
