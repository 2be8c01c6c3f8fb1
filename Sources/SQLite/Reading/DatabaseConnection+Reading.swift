import CSQLite
package import Database
import Listings

extension DatabaseConnection: EngineConnection {
    package var dialect: any Dialect { SQLiteDialect() }

    package func prepareReading(_ sql: String) throws(ReadingError) -> any EngineStatement {
        do { return try prepare(sql) } catch { throw ReadingError(error) }
    }

    package func explain(_ sql: String) throws(ReadingError) -> Explanation {
        do {
            let plan = try prepare("EXPLAIN QUERY PLAN " + sql)
            var lines: [String] = []
            var outer: [String] = []
            var wordSearch: Int64?
            while try plan.step() {
                let line = plan.text(3)
                lines.append(line)
                if line == "CO-ROUTINE \(WordIndex.foundName)" { wordSearch = plan.integer(0) }
                if plan.integer(1) != wordSearch { outer.append(line) }
            }
            // A table of words is always searched by its index. An automatic index is first made of
            // all records.
            let finds = outer.allSatisfy {
                !$0.hasPrefix("SCAN") && !$0.contains(" AUTOMATIC ")
                    || $0.contains("VIRTUAL TABLE INDEX")
                    || $0 == "SCAN \(WordIndex.foundName)"
            }
            return Explanation(
                lines: lines,
                sorting: Self.sorting(outer),
                finds: finds,
                usesIndex: lines.contains { $0.contains(" INDEX ") }
            )
        } catch {
            throw ReadingError(error)
        }
    }

    package func finds(_ sql: String, by column: String) throws(ReadingError) -> Bool {
        try explain(sql).finds
    }

    package func hasIndex(on target: String) throws(ReadingError) -> Bool {
        do { return try hasSchema(endingWith: "ON " + target) } catch { throw ReadingError(error) }
    }

    func hasSchema(endingWith words: String) throws(SQLiteError) -> Bool {
        let found = try prepare("SELECT 1 FROM sqlite_schema WHERE substr(sql, -length(?1)) = ?1")
        try found.bind(1, words)
        return try found.step()
    }

    /// Unlike a look-up in `sqlite_schema`, it does not read the whole schema.
    func hasIndex(named name: String) throws(SQLiteError) -> Bool {
        try has("SELECT 1 FROM pragma_index_info(?1)", name)
    }

    /// Whether there is an FTS5 table, which has a table of its settings.
    func hasTexts(named name: String) throws(SQLiteError) -> Bool {
        try has("SELECT 1 FROM pragma_table_info(?1)", "\(name)_config")
    }

    /// Whether a table that Roster made has at least so many rows.
    package func hasRows(_ count: Int, in table: TableDescription) throws(SQLiteError) -> Bool {
        let found = try statement("SELECT 1 FROM \(table.quotedName) LIMIT 1 OFFSET \(count - 1)")
        defer { found.reset() }
        return try found.step()
    }

    private func has(_ sql: String, _ name: String) throws(SQLiteError) -> Bool {
        let found = try statement(sql)
        defer { found.reset() }
        try found.bind(1, name)
        return try found.step()
    }

    package func indexName(
        _ wish: String,
        besides others: Set<String>
    ) throws(ReadingError) -> String? {
        do { return try freeName(wish, besides: others) } catch { throw ReadingError(error) }
    }

    func freeName(_ wish: String, besides others: Set<String>) throws(SQLiteError) -> String {
        var name = wish
        var number = 1
        let found = try prepare("SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE")
        while true {
            try found.bind(1, name)
            let isTaken = try found.step()
            found.reset()
            guard isTaken || others.contains(name.lowercased()) else { return name }
            number += 1
            name = "\(wish)_\(number)"
        }
    }

    /// If SQLite changes the wording of its plans, rows are read by a slower path.
    private static func sorting(_ lines: [String]) -> Explanation.Sorting {
        let sorts = lines.filter { $0.contains("TEMP B-TREE") }
        guard !sorts.isEmpty else { return .nothing }
        // For a complete sort, SQLite omits the phrase about the last or right terms.
        return sorts.allSatisfy { $0.contains("B-TREE FOR ORDER BY") } ? .everything : .partly
    }
}
