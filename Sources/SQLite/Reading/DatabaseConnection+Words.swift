import CSQLite
package import Database
package import Listings

extension DatabaseConnection {
    /// Gathers the rows with words, which `roster_gathered` then recognizes.
    ///
    /// Only row numbers are read, from the word index.
    package func gather(
        _ words: [[CellValue]],
        in table: TableDescription
    ) throws(ReadingError) -> Int? {
        let gathered = core.gathered
        func key(_ count: Int) -> [[CellValue]] { [[.text(table.name)]] + words.prefix(count) }
        // Rows of the first words may be cached from a query that ran out of time.
        var known = words.count
        while known > 0, gathered.take(key(known)) == nil { known -= 1 }
        guard known < words.count else { return gathered.count }
        guard !words.isEmpty,
            let empty = try rowNumbers(of: table).flatMap(RowIDBitmap.RowSet.init)
        else { return nil }
        for (number, bounds) in words.enumerated().dropFirst(known) {
            gathered.begin(empty)
            let placeholders = bounds.indices.map { "?\($0 + 1)" }
            _ = try values(
                """
                SELECT count(roster_gather(doc)) FROM temp.\(WordIndex.locations(of: table)) \
                WHERE \(WordIndex.condition(placeholders))
                """,
                bounds,
                as: [.stored(.integer)]
            )
            gathered.keep(key(number + 1))
        }
        return gathered.count
    }

    /// The maximum number of rows for an FTS5 query in one step, which no deadline can interrupt.
    private static var maximumRowsAtOnce: Int64 { 1 << 24 }

    /// Whether a row has a word in another column, determined by one FTS5 query per word.
    package func hasWord(
        _ words: [CellValue],
        besidesColumn column: Int,
        of table: TableDescription
    ) throws(ReadingError) -> Bool? {
        guard let index = table.wordIndex, let numbers = try rowNumbers(of: table),
            RowIDBitmap.RowSet.span(of: numbers).map({ $0 < Self.maximumRowsAtOnce }) ?? false,
            let words = try self.words(words, of: table)
        else { return nil }
        for word in words {
            let found = try values(
                "SELECT 1 FROM \(index) WHERE \(index) MATCH ?1 LIMIT 1",
                [.text("- {c\(column)} : \"\(word)\"")],
                as: [.stored(.integer)]
            )
            if !found.isEmpty { return true }
        }
        return false
    }

    /// The indexed words that equal a word or are within bounds.
    private func words(
        _ bounds: [CellValue],
        of table: TableDescription
    ) throws(ReadingError) -> [String]? {
        let maximum = 64
        guard case .text(var next) = bounds.first else { return nil }
        guard bounds.count == 2 else { return [next] }
        var words: [String] = []
        while words.count < maximum {
            let found = try values(
                """
                SELECT term FROM temp.\(WordIndex.locations(of: table)) \
                WHERE \(WordIndex.condition(["?1", "?2"])) LIMIT 1
                """,
                [.text(next), bounds[1]],
                as: [.stored(.text)]
            )
            guard case .text(let word) = found.first else { return words }
            words.append(word)
            // No character of a word sorts before this one.
            next = word + "0"
        }
        return nil
    }

    private func rowNumbers(
        of table: TableDescription
    ) throws(ReadingError) -> ClosedRange<Int64>? {
        guard let key = WordIndex.rowKey(of: table) else { return nil }
        var ends: [Int64] = []
        for end in ["min", "max"] {
            let found = try values(
                "SELECT \(end)(\(key)) FROM \(table.quotedName)",
                [],
                as: [.stored(.integer)]
            )
            guard case .integer(let number) = found.first else { return 0...0 }
            ends.append(number)
        }
        return ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }

    private func values(
        _ sql: String,
        _ bound: [CellValue],
        as forms: [ValueForm]
    ) throws(ReadingError) -> [CellValue] {
        let statement: Statement
        do { statement = try self.statement(sql) } catch { throw ReadingError(error) }
        return try statement.values(bound, as: forms)
    }

    /// `roster_gather` adds a row by its number and returns null.
    ///
    /// `roster_gathered` returns whether a row was added.
    func registerGathering() throws(SQLiteError) {
        // SAFETY: the connection's core keeps its rows for as long as the engine may call.
        let rows = unsafe Unmanaged.passUnretained(core.gathered).toOpaque()
        // SAFETY: the engine calls it with the arguments and the context it was registered with.
        try unsafe register("roster_gather", rows) { context, _, arguments in
            // SAFETY: one argument, valid for the call; the context is of `registerGathering`.
            guard let value = unsafe arguments?[0], let rows = unsafe sqlite3_user_data(context)
            else { return }
            unsafe Unmanaged<RowIDBitmap>.fromOpaque(rows).takeUnretainedValue()
                .insert(sqlite3_value_int64(value))
        }
        // SAFETY: the engine calls it with the arguments and the context it was registered with.
        try unsafe register("roster_gathered", rows) { context, _, arguments in
            // SAFETY: one argument, valid for the call; the context is of `registerGathering`.
            guard let value = unsafe arguments?[0], let rows = unsafe sqlite3_user_data(context)
            else { return }
            let isGathered = unsafe Unmanaged<RowIDBitmap>.fromOpaque(rows).takeUnretainedValue()
                .contains(sqlite3_value_int64(value))
            unsafe sqlite3_result_int(context, isGathered ? 1 : 0)
        }
    }
}
