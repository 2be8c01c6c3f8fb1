package import Listings

/// Tells of a list whose rows an engine reads which questions an index serves, and which index would
/// serve the others.
package struct TableExplainer {
    /// How the rows of a question are read.
    package struct Way: Sendable {
        /// Whether an index finds them in their order, so that none are read or sorted in vain.
        package let isServed: Bool
        /// What the engine says, in its own words.
        package let lines: [String]
    }

    private let session: any TableSession
    /// The indexes proposed, by what they are made of.
    private var proposed: [String: String] = [:]
    private var names: Set<String>

    /// Opens a session with the engine of a list.
    ///
    /// - Parameters:
    ///   - source: The list.
    ///   - names: Names that no index can be given, because others are proposed that have them.
    /// - Throws: ``SourceError`` when the database cannot be opened.
    package init(_ source: any ExplainableSource, names: Set<String>) throws(SourceError) {
        do { session = try source.openSession() } catch { throw error.sourceError }
        self.names = names
    }

    /// The names that no index can be given any more.
    package var takenNames: Set<String> { names }

    /// The question for the rows whose value in a column is a certain one; nil where no value can be
    /// compared with those of the column.
    package func question(ofValueIn column: Int, limit: Int) -> ListQuery? {
        let reading = session.reading
        for sample in Self.samples {
            let type = reading.schema.columns[column].type
            guard let value = CellValue.parse(sample, as: type) else { continue }
            let filter = Filter(column: column, .equal, [value])
            let dialect = reading.connection.dialect
            guard dialect.accepts(value, of: filter, in: reading.table) else { continue }
            var query = ListQuery(shape: .flow(limit: limit))
            query.filters = [filter]
            return query
        }
        return nil
    }

    /// Texts of values: one may have to be of a kind, and any value of a type is looked for alike.
    private static let samples = [
        "1", "1.5", "true", "2024-02-29", "00000000-0000-0000-0000-000000000000",
    ]

    /// The question for the row that has a certain id; nil where no value can be one.
    package func question(ofID limit: Int) -> ListQuery? {
        let reading = session.reading
        let parts = reading.table.key.enumerated().compactMap { number, part in
            Self.samples.lazy.compactMap { CellValue.parse($0, as: part.type) }.first { value in
                reading.connection.dialect.accepts(value, keyPart: number, of: reading.table)
            }
        }
        guard parts.count == reading.table.key.count else { return nil }
        var query = ListQuery(shape: .flow(limit: limit))
        let id = parts.count == 1 ? parts[0].plainText : CompositeID.text(of: parts)
        query.filters = [Filter(id: .equal, [id])]
        return query
    }

    /// The question for the rows that have some letters in a column, or, where that is nil, a word
    /// anywhere.
    package func question(ofLettersIn column: Int?, limit: Int) -> ListQuery {
        var query = ListQuery(shape: .flow(limit: limit))
        // Any letters have the same plan.
        if let column {
            query.filters = [Filter(column: column, .contains, [.text("letters")])]
        } else {
            query.search = TextSearch("letters")
        }
        return query
    }

    /// How the rows of a question are read.
    ///
    /// - Parameter query: A question in flow mode, from its beginning, with one condition at most.
    /// - Returns: What the engine says.
    /// - Throws: ``SourceError`` when the database cannot be read.
    package func way(of query: ListQuery) throws(SourceError) -> Way {
        try reading { (reading) throws(ReadingError) in
            guard query.isNarrowed else {
                let steps = try reading.explanations(of: query)
                let isServed = steps.allSatisfy { $0.sorting == .nothing }
                return Way(isServed: isServed, lines: steps.flatMap(\.lines).withoutRepetitions)
            }
            let spelling = reading.conditions(of: query).spelling(from: 1, .conditions)
            // Rows may be read from an index of words, and nothing be left to ask.
            let conditions = ["TRUE"] + spelling.conditions
            let sql =
                "SELECT 1 FROM \(spelling.source) WHERE \(conditions.joined(separator: " AND "))"
            let connection = reading.connection
            let table = reading.table
            // An index that finds what stands in texts is made of an expression.
            let columns = query.filters.first.map { filter in
                filter.column.map { [table.columns[$0].name] } ?? table.key.map(\.name)
            }
            var isServed = false
            for column in columns ?? [""] where !isServed {
                isServed = try connection.finds(sql, by: column)
            }
            return Way(isServed: isServed, lines: try connection.explain(sql).lines)
        }
    }

    /// The index that would serve a question.
    ///
    /// - Parameter query: See ``way(of:)``.
    /// - Returns: The index; the same one for questions that one serves.
    /// - Throws: ``SourceError`` when the database cannot be read.
    package mutating func proposal(for query: ListQuery) throws(SourceError) -> IndexProposal {
        let table = session.reading.table
        switch table.origin {
        case .stored: return .ownTable
        case .foreignView: return .view
        case .foreignTable: break
        }
        let dialect = session.reading.connection.dialect
        guard let index = TableIndex(for: query, of: table, session.reading.schema, dialect) else {
            return try reading { (reading) throws(ReadingError) in
                try reading.connection.wordIndex(for: query, of: table, reading.schema)
            }
        }
        if let statement = proposed[index.target] { return .statement(statement) }
        let taken = names
        let isThere = try reading { (reading) throws(ReadingError) in
            try reading.connection.hasIndex(on: index.target)
        }
        guard !isThere else { return .isThere }
        let name = try reading { (reading) throws(ReadingError) in
            try reading.connection.indexName(index.name, besides: taken)
        }
        var statement = "CREATE INDEX "
        if let name {
            guard let quoted = SQLName.quoted(name) else { return .notIndexable }
            names.insert(name.lowercased())
            statement += quoted + " "
        }
        statement += "ON \(index.target);"
        if let preparation = index.preparation { statement = preparation + "\n" + statement }
        proposed[index.target] = statement
        return .statement(statement)
    }

    private func reading<R>(
        _ body: (TableReading) throws(ReadingError) -> R
    ) throws(SourceError) -> R {
        do {
            _ = try session.beginReading()
            defer { session.endReading() }
            return try body(session.reading)
        } catch {
            throw error.sourceError
        }
    }
}

extension [String] {
    /// Every text once, where it comes first.
    fileprivate var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
