import Bytes
import Database
import Listings
import Locks

/// A session with a server that is borrowed for one transaction at a time.
final class PooledConnection: EngineConnection {
    static let usualBudget = Duration.seconds(5)
    /// The budget to begin reading and to read the version, which never wait for locks.
    private static let beginningBudget = Duration.seconds(2)

    private let database: PostgresDatabase
    private var connection: PostgresConnection?
    private var budget = usualBudget
    var deadline: ContinuousClock.Instant?

    init(_ database: PostgresDatabase) { self.database = database }

    /// The caller must end with ``giveBack()``.
    func beginReading() throws(PostgresError) -> ListVersion {
        let version = try begin { (connection, end) throws(PostgresError) in
            try connection.begin(until: end)
        }
        if let request = RequestCancellation.current {
            connection?.isCancelled = { request.isCancelled }
        }
        budget = Self.usualBudget
        return version
    }

    func beginWriting() throws(PostgresError) {
        let longestWait = database.timeouts.lock
        let budget = Self.usualBudget + longestWait
        try begin { (connection, end) throws(PostgresError) in
            try connection.beginWriting(until: end, longestWait: longestWait, budget: budget)
        }
        self.budget = budget
    }

    private func begin<R>(
        _ begin: (PostgresConnection, ContinuousClock.Instant) throws(PostgresError) -> R
    ) throws(PostgresError) -> R {
        let (connection, begun) = try database.borrow { (connection) throws(PostgresError) in
            try begin(connection, end(of: Self.beginningBudget))
        }
        self.connection = connection
        return begun
    }

    func snapshot() throws(PostgresError) -> ListVersion {
        try SnapshotVersion.read(
            current().run(SnapshotVersion.sql, until: end(of: Self.beginningBudget))
        )
    }

    /// After a fatal error, the outcome of the transaction is unknown.
    func commit() throws(PostgresError) {
        let connection = try current()
        connection.restoreLimits()
        try connection.execute(
            "NOTIFY \(ChangeListener.channel); COMMIT",
            until: end(of: budget)
        )
        self.connection = nil
        database.giveBack(connection)
    }

    func giveBack() {
        guard let connection else { return }
        self.connection = nil
        connection.rollback(until: .now + database.timeouts.grace)
        database.giveBack(connection)
    }
}

extension PooledConnection {
    var dialect: any Dialect { PostgresDialect() }

    func prepareReading(_ sql: String) throws(ReadingError) -> any EngineStatement {
        PostgresStatement(sql, on: self)
    }

    func execute(_ sql: String) throws(ReadingError) {
        do throws(PostgresError) {
            try recover()
            try perform(plainly: sql)
        } catch {
            throw ReadingError(error)
        }
    }

    private func recover() throws(PostgresError) {
        let connection = try current()
        guard connection.hasFailed else { return }
        try connection.readOn(until: end(of: Self.beginningBudget))
    }

    func run(
        _ sql: String,
        _ values: [String?],
        isKept: Bool = true
    ) throws(ReadingError) -> PostgresResult {
        let budget = deadline.map { $0 - .now } ?? budget
        guard budget > .zero, connection?.isCancelled?() != true else { throw .outOfTime }
        do throws(PostgresError) {
            try recover()
            return try perform(sql, values, isKept: isKept, within: budget)
        } catch .noAnswer {
            throw .outOfTime
        } catch {
            throw ReadingError(error)
        }
    }

    func perform(
        _ sql: String,
        _ values: [String?] = [],
        isKept: Bool = true,
        within givenBudget: Duration? = nil
    ) throws(PostgresError) -> PostgresResult {
        let connection = try current()
        let budget = givenBudget ?? budget
        guard !connection.hasFailed else {
            throw .refused(state: "25P02", message: "an earlier statement failed")
        }
        let end = end(of: budget)
        try connection.limitStatements(to: budget, until: end)
        return try connection.run(sql, values, isKept: isKept, until: end)
    }

    func perform(together statements: [BoundStatement]) throws(PostgresError) -> [PostgresResult] {
        let connection = try current()
        // Each statement has the budget of a single one, but few take long.
        let end = end(of: budget + .milliseconds(statements.count))
        try connection.limitStatements(to: budget, until: end)
        return try connection.run(together: statements, until: end)
    }

    func perform(plainly sql: String) throws(PostgresError) {
        try current().execute(sql, until: end(of: budget))
    }

    var broken: (constraint: String, column: String, isPolicy: Bool) {
        connection?.broken ?? ("", "", false)
    }

    /// The end of a statement that is not among those of a page.
    var usualEnd: ContinuousClock.Instant { end(of: Self.usualBudget) }

    func current() throws(PostgresError) -> PostgresConnection {
        guard let connection, !connection.isBroken else {
            throw .lost(reason: "it broke while a page was read")
        }
        return connection
    }

    private func end(of budget: Duration) -> ContinuousClock.Instant {
        .now + budget + database.timeouts.grace
    }
}

private final class PostgresStatement: EngineStatement {
    private let sql: String
    private unowned let connection: PooledConnection

    init(_ sql: String, on connection: PooledConnection) {
        self.sql = sql
        self.connection = connection
    }

    func collect(
        _ values: [CellValue],
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int {
        let result = try run(values)
        for row in 0..<result.count { collector.append(result, row) }
        return result.count
    }

    func values(
        _ values: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue] {
        let result = try run(values)
        var found: [CellValue] = []
        for row in 0..<result.count {
            for (column, form) in forms.enumerated() {
                let value = result.value(row, column, as: form.type)
                if form == .key, case .json(let document) = value {
                    found.append(CellValue.json(document: document) ?? value)
                } else {
                    found.append(value)
                }
            }
        }
        return found
    }

    private func run(_ values: [CellValue]) throws(ReadingError) -> PostgresResult {
        var parameters: [String?] = []
        for value in values { parameters.append(try value.parameter()) }
        return try connection.run(sql, parameters)
    }
}

extension RecordCollector {
    fileprivate mutating func append(_ result: PostgresResult, _ row: Int) {
        let parts = layout.keyTypes.count
        if parts == 1 {
            appendCell(result, row, 0, as: layout.keyTypes[0])
        } else {
            let values = (0..<parts).map { result.value(row, $0, as: layout.keyTypes[$0]) }
            cells.append(CompositeID.text(of: values))
        }
        appendCell(result, row, parts, as: .integer)
        for (index, form) in layout.columnForms.enumerated() {
            appendCell(result, row, parts + 1 + index, as: form.type)
        }
        if layout.selectsSection {
            appendCell(result, row, parts + 1 + layout.columnForms.count, as: .text)
        }
    }

    private mutating func appendCell(
        _ result: PostgresResult,
        _ row: Int,
        _ column: Int,
        as type: ColumnType
    ) {
        let cell = cells.count
        if let storedKey = result.writeCell(row, column, as: type, to: &cells) {
            storedKeys[cell] = storedKey
        }
    }
}

extension PooledConnection {
    /// The generic plan.
    func explain(_ sql: String) throws(ReadingError) -> Explanation {
        let lines = try plan(of: sql, setting: [])
        let sorts = try forcedPlan(of: sql).contains { $0.contains("Sort") }
        return Explanation(lines: lines, sorting: sorts ? .everything : .nothing)
    }

    /// If the column is not the first, the server reads the whole index.
    func finds(_ sql: String, by column: String) throws(ReadingError) -> Bool {
        let lines = try forcedPlan(of: sql)
        guard !lines.contains(where: { $0.contains("Seq Scan") }) else { return false }
        let indexes = lines.compactMap(Self.index)
        for index in indexes {
            let found = try run(
                """
                SELECT i.indkey[0] = 0 OR a.attname = $2 FROM pg_catalog.pg_index i
                    LEFT JOIN pg_catalog.pg_attribute a
                        ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                WHERE i.indexrelid = to_regclass($1)
                """,
                [index, column],
                isKept: false
            )
            guard found.count == 1, found.text(0, 0) == "t" else { return false }
        }
        return !indexes.isEmpty && lines.contains { $0.contains("Index Cond:") }
    }

    /// Otherwise it would check every row of one index and compute its words.
    func joiningIndexes(
        _ count: () throws(ReadingError) -> Int
    ) throws(ReadingError) -> Int? {
        let settings = [
            "enable_seqscan = off", "enable_indexscan = off", "enable_indexonlyscan = off",
            "cpu_tuple_cost = 1",
        ]
        return try within(settings: settings, count)
    }

    /// Proposes a trigram index with the function it needs.
    func wordIndex(
        for query: ListQuery,
        of table: TableDescription,
        _ schema: ListSchema
    ) throws(ReadingError) -> IndexProposal {
        let dialect = PostgresDialect()
        let columns = schema.searchable
        let isServed =
            query.search.map { dialect.findsWords(of: $0.terms, columns, table) }
            ?? query.filters.allSatisfy { filter in
                filter.operation.matchesLetters && filter.column.map(columns.contains) ?? false
                    && filter.column.map { dialect.hasFixedText(column: $0, of: table) } ?? false
            }
        guard query.isNarrowed, isServed, let texts = dialect.indexedTexts(columns, table) else {
            return .notIndexable
        }
        let found = try run(
            """
            SELECT e.installed_version IS NOT NULL, (SELECT quote_ident(n.nspname) || '.'
                FROM pg_catalog.pg_extension x JOIN pg_catalog.pg_namespace n
                    ON n.oid = x.extnamespace WHERE x.extname = e.name)
            FROM pg_catalog.pg_available_extensions e WHERE e.name = 'pg_trgm'
            """,
            [],
            isKept: false
        )
        guard found.count == 1 else { return .missing(extension: "pg_trgm") }
        let isInstalled = found.text(0, 0) == "t"
        let function = CaseFoldingSQL.function
        let index =
            "CREATE INDEX ON \(table.quotedName) USING gin "
            + "(\(function.name)(\(texts)) \(found.text(0, 1) ?? "")gin_trgm_ops);"
        let extensions = isInstalled ? [] : ["CREATE EXTENSION IF NOT EXISTS pg_trgm;"]
        return .statements(extensions + [function.statement, index])
    }

    /// A plan that sorts even if sorting is disabled has no usable index.
    func hasIndex(on target: String) throws(ReadingError) -> Bool { false }

    /// The server names unnamed indexes.
    func indexName(
        _ wish: String,
        besides others: Set<String>
    ) throws(ReadingError) -> String? { nil }

    /// Returns the plan with sorting and sequential scans disabled, so that they appear only if no
    /// index helps.
    private func forcedPlan(of sql: String) throws(ReadingError) -> [String] {
        try plan(of: sql, setting: ["enable_sort = off", "enable_seqscan = off"])
    }

    private func plan(
        of sql: String,
        setting settings: [String]
    ) throws(ReadingError) -> [String] {
        // A pooler may give the session to another process that explains.
        let name = "roster_explained_\(UInt64.random(in: 0...UInt64.max))"
        return try within(settings: settings + ["plan_cache_mode = force_generic_plan"]) {
            () throws(ReadingError) in
            try execute("PREPARE \(name) AS \(sql)")
            let lines: [String]
            do throws(ReadingError) {
                let plan = try run("EXPLAIN (COSTS OFF) \(execution(name))", [], isKept: false)
                lines = (0..<plan.count).compactMap { plan.text($0, 0) }
            } catch {
                // A rollback does not undo PREPARE.
                try execute("DEALLOCATE \(name)")
                throw error
            }
            try execute("DEALLOCATE \(name)")
            return lines
        }
    }

    /// After an error, the recovery resets them.
    private func within<R>(
        settings: [String],
        _ body: () throws(ReadingError) -> R
    ) throws(ReadingError) -> R {
        try execute(settings.map { "SET LOCAL \($0)" }.joined(separator: "; "))
        let found = try body()
        let names = settings.map { $0.prefix { $0 != " " } }
        try execute(names.map { "SET LOCAL \($0) TO DEFAULT" }.joined(separator: "; "))
        return found
    }

    private func execution(_ name: String) throws(ReadingError) -> String {
        let found = try run(
            """
            SELECT repeat(', NULL', cardinality(parameter_types))
            FROM pg_catalog.pg_prepared_statements WHERE name = '\(name)'
            """,
            [],
            isKept: false
        )
        let values = found.count == 1 ? found.text(0, 0) ?? "" : ""
        return values.isEmpty ? "EXECUTE \(name)" : "EXECUTE \(name) (\(values.dropFirst(2)))"
    }

    private static func index(_ line: String) -> String? {
        for words in ["Bitmap Index Scan on ", " using "] {
            guard let start = line.firstRange(of: words)?.upperBound else { continue }
            let rest = line[start...]
            guard rest.first == "\"" else { return String(rest.prefix { $0 != " " }) }
            var name = "\""
            var isOpen = true
            for character in rest.dropFirst() {
                if character == "\"" {
                    isOpen.toggle()
                } else if !isOpen {
                    break
                }
                name.append(character)
            }
            return name
        }
        return nil
    }
}
