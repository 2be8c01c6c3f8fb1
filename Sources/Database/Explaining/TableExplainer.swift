package import Listings

package struct TableExplainer {
    package struct QueryPlan: Sendable {
        package let isServed: Bool
        package let lines: [String]
    }

    private static let longestInspection = Duration.seconds(60)

    private let session: any TableSession
    private let table: TableDescription
    private let schema: ListSchema
    private var proposals: [ProposedIndex] = []
    /// The names that new indexes cannot have.
    package private(set) var names: Set<String>

    /// Throws ``SourceError`` when the database cannot be opened; `names` are those of other
    /// indexes.
    package init(_ source: TableSource, names: Set<String>) throws(SourceError) {
        do { session = try source.openSession() } catch { throw error.sourceError }
        (table, schema) = (source.table, source.schema)
        self.names = names
    }

    /// Each index and each function has one statement.
    ///
    /// An index that another one covers has none.
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

    private struct ProposedIndex {
        var index: TableIndex?
        let statements: [String]
    }

    package func query(ofValueIn column: Int, limit: Int) -> ListQuery? {
        for sample in Self.samples {
            let type = schema.columns[column].type
            guard let value = CellValue.parse(sample, as: type) else { continue }
            let filter = Filter(column: column, .equal, [value])
            guard session.dialect.accepts(value, of: filter, in: table) else { continue }
            var query = ListQuery(shape: .flow(limit: limit))
            query.filters = [filter]
            return query
        }
        return nil
    }

    /// All values of one type have the same plan.
    private static let samples = [
        "1", "1.5", "true", "2024-02-29", "00000000-0000-0000-0000-000000000000",
    ]

    package func query(ofID limit: Int) -> ListQuery? {
        let parts = table.key.enumerated().compactMap { number, part in
            Self.samples.lazy.compactMap { CellValue.parse($0, as: part.type) }.first { value in
                session.dialect.accepts(value, keyPart: number, of: table)
            }
        }
        guard parts.count == table.key.count else { return nil }
        var query = ListQuery(shape: .flow(limit: limit))
        let id = parts.count == 1 ? parts[0].plainText : CompositeID.text(of: parts)
        query.filters = [Filter(id: .equal, [id])]
        return query
    }

    package func query(ofLettersIn column: Int?, limit: Int) -> ListQuery {
        var query = ListQuery(shape: .flow(limit: limit))
        // All letters have the same plan.
        if let column {
            query.filters = [Filter(column: column, .contains, [.text("letters")])]
        } else {
            query.search = TextSearch("letters")
        }
        return query
    }

    /// The query is in flow mode from the beginning, with at most one condition.
    package func queryPlan(of query: ListQuery) throws(SourceError) -> QueryPlan {
        try reading(for: query) { (reading) throws(ReadingError) in
            guard query.isNarrowed else {
                let steps = try reading.explanations(of: query)
                let isServed = steps.allSatisfy { $0.sorting == .nothing }
                return QueryPlan(
                    isServed: isServed,
                    lines: steps.flatMap(\.lines).withoutRepetitions
                )
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
            return QueryPlan(isServed: isServed, lines: try connection.explain(sql).lines)
        }
    }

    /// Queries that one index serves share a proposal; see ``queryPlan(of:)`` for the query.
    package mutating func proposal(for query: ListQuery) throws(SourceError) -> IndexProposal {
        switch table.origin {
        case .stored: return .ownTable
        case .foreignView: return .view
        case .foreignTable: break
        }
        let names = names
        let (index, known, name) = try reading(for: query) {
            (reading) throws(ReadingError) -> (TableIndex?, IndexProposal?, String?) in
            let connection = reading.connection
            let (table, schema) = (reading.table, reading.schema)
            guard let index = TableIndex(for: query, of: table, schema, connection.dialect) else {
                return (nil, try connection.wordIndex(for: query, of: table, schema), nil)
            }
            guard try !connection.hasIndex(on: index.target) else { return (index, .isThere, nil) }
            return (index, nil, try connection.indexName(index.name, besides: names))
        }
        guard let index else {
            if case .statements(let statements) = known {
                proposals.append(ProposedIndex(index: nil, statements: statements))
            }
            return known ?? .notIndexable
        }
        if let same = proposals.firstIndex(where: { $0.index?.target == index.target }) {
            if !index.isForConditions { proposals[same].index = index }
            return .statements(proposals[same].statements)
        }
        if let known { return known }
        var statement = "CREATE INDEX "
        if let name {
            guard let quoted = SQLName.quoted(name) else { return .notIndexable }
            self.names.insert(name.lowercased())
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
            try statistics.learnTimes(of: query, session.reading, within: Self.longestInspection)
            defer { session.reading.table.sortedTimes = [] }
            return try body(session.reading)
        } catch {
            throw error.sourceError
        }
    }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

package enum IndexProposal: Hashable, Sendable {
    case statements([String])
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
