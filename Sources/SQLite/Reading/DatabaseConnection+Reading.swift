import CSQLite
package import Database
import Listings

extension DatabaseConnection: EngineConnection {
    package var dialect: any Dialect { SQLiteDialect() }

    /// The caller owns the statement.
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

    func hasObject(named name: String) throws(SQLiteError) -> Bool {
        try finds("SELECT 1 FROM sqlite_schema WHERE name = ?1", [name])
    }

    func hasColumn(_ name: String, in table: String) throws(SQLiteError) -> Bool {
        try finds("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", [table, name])
    }

    private func finds(_ sql: String, _ texts: [String]) throws(SQLiteError) -> Bool {
        let found = try statement(sql)
        defer { found.reset() }
        for (index, text) in texts.enumerated() { try found.bind(index + 1, text) }
        return try found.step()
    }

    /// A number is appended if the database or `others` has the name.
    package func indexName(
        _ wish: String,
        besides others: Set<String>
    ) throws(ReadingError) -> String? {
        do { return try freeName(wish, besides: others) } catch { throw ReadingError(error) }
    }

    /// A number is appended if the name is taken.
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

extension ReadingError {
    init(_ error: SQLiteError) {
        switch error {
        case .outOfTime:
            self = .outOfTime
        case .interrupted:
            self = .engine(.unavailable(reason: "reading was interrupted"))
        case .unusableLocation:
            self = .engine(.unavailable(reason: "the path is no file's"))
        case .unreadableLog:
            let reason = "its log has changes, and its folder cannot be written"
            self = .engine(.unavailable(reason: reason))
        case .newerFormat(let number):
            let reason = "format \(number) is newer than \(DatabaseFormat.current)"
            self = .engine(.unavailable(reason: reason))
        case .engine(let operation, let code, let message):
            let reason = "SQLite \(operation.rawValue): \(message) (\(code))"
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED:
                self = .engine(.locked)
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_SCHEMA:
                self = .engine(.corrupted(reason: reason))
            default:
                self = .engine(.unavailable(reason: reason))
            }
        }
    }
}
