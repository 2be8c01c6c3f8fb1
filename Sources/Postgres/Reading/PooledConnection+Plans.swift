import Database
import Listings

extension PooledConnection {
    /// Returns the generic plan of a statement from EXPLAIN.
    func explain(_ sql: String) throws(ReadingError) -> Explanation {
        let lines = try plan(of: sql, setting: [])
        let sorts = try forcedPlan(of: sql).contains { $0.contains("Sort") }
        return Explanation(lines: lines, sorting: sorts ? .everything : .nothing)
    }

    /// Returns whether the plan uses an index whose first column is this one.
    ///
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

    /// Forces the server to combine bitmaps of all indexes.
    ///
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
    ///
    /// The trigram extension ships with the server.
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
        return .statement(
            (isInstalled ? "" : "CREATE EXTENSION IF NOT EXISTS pg_trgm;\n") + function.statement
                + "\nCREATE INDEX ON \(table.quotedName) USING gin "
                + "(\(function.name)(\(texts)) \(found.text(0, 1) ?? "")gin_trgm_ops);"
        )
    }

    /// Returns false: a plan that sorts even if sorting is disabled has no usable index.
    func hasIndex(on target: String) throws(ReadingError) -> Bool { false }

    /// Returns nil, because the server names unnamed indexes.
    func indexName(
        _ wish: String,
        besides others: Set<String>
    ) throws(ReadingError) -> String? { nil }

    /// Returns the plan with sorting and sequential scans disabled, so that they appear only if no
    /// index helps.
    private func forcedPlan(of sql: String) throws(ReadingError) -> [String] {
        try plan(of: sql, setting: ["enable_sort = off", "enable_seqscan = off"])
    }

    /// Returns the generic plan of a statement.
    private func plan(
        of sql: String,
        setting settings: [String]
    ) throws(ReadingError) -> [String] {
        try within(settings: settings + ["plan_cache_mode = force_generic_plan"]) {
            () throws(ReadingError) in
            try execute("PREPARE explained AS \(sql)")
            let lines: [String]
            do throws(ReadingError) {
                let plan = try run("EXPLAIN (COSTS OFF) \(execution())", [], isKept: false)
                lines = (0..<plan.count).compactMap { plan.text($0, 0) }
            } catch {
                // A rollback does not undo PREPARE.
                try execute("DEALLOCATE explained")
                throw error
            }
            try execute("DEALLOCATE explained")
            return lines
        }
    }

    /// Runs a closure with settings that end with it.
    ///
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

    /// Returns the EXECUTE of the prepared statement with a null for each parameter.
    private func execution() throws(ReadingError) -> String {
        let found = try run(
            """
            SELECT repeat(', NULL', cardinality(parameter_types))
            FROM pg_catalog.pg_prepared_statements WHERE name = 'explained'
            """,
            [],
            isKept: false
        )
        let values = found.count == 1 ? found.text(0, 0) ?? "" : ""
        return values.isEmpty ? "EXECUTE explained" : "EXECUTE explained (\(values.dropFirst(2)))"
    }

    /// Returns the SQL name of the index that a line of a plan reads, if any.
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
