package import Listings

/// Reports which queries of a list an index serves, and proposes indexes for the others.
package struct TableExplainer {
    /// The access path of a query.
    package struct Way: Sendable {
        /// Whether an index finds the rows in their order, so that no row is skipped or sorted.
        package let isServed: Bool
        /// The lines of the engine's plan.
        package let lines: [String]
    }

    /// The time limit for reading the values of a column.
    private static let longestLook = Duration.seconds(60)

    private let session: any TableSession
    private var proposals: [ProposedIndex] = []
    private var names: Set<String>

    /// Opens a session with the engine of a list.
    ///
    /// - Parameters:
    ///   - source: The list.
    ///   - names: Names that are taken by other proposed indexes.
    /// - Throws: ``SourceError`` when the database cannot be opened.
    package init(_ source: TableSource, names: Set<String>) throws(SourceError) {
        do { session = try source.openSession() } catch { throw error.sourceError }
        self.names = names
    }

    /// The statements that create the proposed indexes, with their final semicolons.
    ///
    /// Each index and each function has one statement. An index that another one covers has none.
    package var statements: [String] {
        var statements: [String] = []
        for proposal in proposals
        where !proposals.contains(where: { $0.index?.covers(proposal.index) ?? false }) {
            for statement in proposal.statements where !statements.contains(statement) {
                statements.append(statement)
            }
        }
        return statements
    }

    /// An index that would serve queries.
    private struct ProposedIndex {
        /// The index, or nil for one of words.
        var index: TableIndex?
        let statements: [String]
    }

    /// The names that new indexes cannot have.
    package var takenNames: Set<String> { names }

    /// A query for rows with a certain value in a column, or nil if no sample is comparable.
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

    /// Sample values of several types.
    ///
    /// All values of one type have the same plan.
    private static let samples = [
        "1", "1.5", "true", "2024-02-29", "00000000-0000-0000-0000-000000000000",
    ]

    /// A query for the row with a certain id, or nil if no sample can be an id.
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

    /// A query for rows with certain letters in a column, or with a word in any column if `column`
    /// is nil.
    package func question(ofLettersIn column: Int?, limit: Int) -> ListQuery {
        var query = ListQuery(shape: .flow(limit: limit))
        // All letters have the same plan.
        if let column {
            query.filters = [Filter(column: column, .contains, [.text("letters")])]
        } else {
            query.search = TextSearch("letters")
        }
        return query
    }

    /// The access path of a query.
    ///
    /// - Parameter query: A query in flow mode from the beginning, with at most one condition.
    /// - Returns: The access path with the engine's plan.
    /// - Throws: ``SourceError`` when the database cannot be read.
    package func way(of query: ListQuery) throws(SourceError) -> Way {
        try reading(for: query) { (reading) throws(ReadingError) in
            guard query.isNarrowed else {
                let steps = try reading.explanations(of: query)
                let isServed = steps.allSatisfy { $0.sorting == .nothing }
                return Way(isServed: isServed, lines: steps.flatMap(\.lines).withoutRepetitions)
            }
            let spelling = reading.conditions(of: query).spelling(from: 1, .conditions)
            // A word index can be the source of the rows, so that no condition remains.
            let conditions = ["TRUE"] + spelling.conditions
            let sql =
                "SELECT 1 FROM \(spelling.source) WHERE \(conditions.joined(separator: " AND "))"
            let connection = reading.connection
            let table = reading.table
            // An index for parts of texts is made of an expression and has no column name.
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

    /// The index that would serve a query.
    ///
    /// - Parameter query: See ``way(of:)``.
    /// - Returns: The proposal. Queries that one index serves share it.
    /// - Throws: ``SourceError`` when the database cannot be read.
    package mutating func proposal(for query: ListQuery) throws(SourceError) -> IndexProposal {
        let table = try reading(for: query) { (reading) throws(ReadingError) in reading.table }
        switch table.origin {
        case .stored: return .ownTable
        case .foreignView: return .view
        case .foreignTable: break
        }
        let dialect = session.reading.connection.dialect
        guard let index = TableIndex(for: query, of: table, session.reading.schema, dialect) else {
            let proposal = try reading(for: query) { (reading) throws(ReadingError) in
                try reading.connection.wordIndex(for: query, of: table, reading.schema)
            }
            if case .statements(let statements) = proposal {
                proposals.append(ProposedIndex(index: nil, statements: statements))
            }
            return proposal
        }
        if let known = proposals.firstIndex(where: { $0.index?.target == index.target }) {
            if !index.isForConditions { proposals[known].index = index }
            return .statements(proposals[known].statements)
        }
        let taken = names
        let isThere = try reading(for: query) { (reading) throws(ReadingError) in
            try reading.connection.hasIndex(on: index.target)
        }
        guard !isThere else { return .isThere }
        let name = try reading(for: query) { (reading) throws(ReadingError) in
            try reading.connection.indexName(index.name, besides: taken)
        }
        var statement = "CREATE INDEX "
        if let name {
            guard let quoted = SQLName.quoted(name) else { return .notIndexable }
            names.insert(name.lowercased())
            statement += quoted + " "
        }
        statement += "ON \(index.target);"
        let statements = [index.preparation, statement].compactMap(\.self)
        proposals.append(ProposedIndex(index: index, statements: statements))
        return .statements(statements)
    }

    private func reading<R>(
        for query: ListQuery,
        _ body: (TableQueries) throws(ReadingError) -> R
    ) throws(SourceError) -> R {
        do {
            _ = try session.beginReading()
            defer { session.endReading() }
            var statistics = QueryStatistics()
            try statistics.learnTimes(of: query, session.reading, within: Self.longestLook)
            defer { session.reading.table.sortedTimes = [] }
            return try body(session.reading)
        } catch {
            throw error.sourceError
        }
    }
}

extension [String] {
    /// The texts without repetitions, in the order of their first occurrence.
    fileprivate var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

/// A proposed index, or the reason why there is none.
package enum IndexProposal: Hashable, Sendable {
    /// The statements that create the index, each with its final semicolon. Roster never runs them.
    case statements([String])
    /// Roster made the table and its indexes.
    case ownTable
    case view
    /// The index exists, but the engine uses another access path.
    case isThere
    /// The server lacks the named extension, which such an index requires.
    case missing(extension: String)
    /// The compared expression cannot be indexed. It is known to this program alone, or it is text
    /// that can change later, such as an enumeration's.
    case notIndexable
}
