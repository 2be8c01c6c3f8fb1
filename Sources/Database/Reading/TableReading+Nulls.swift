import Listings

/// Which columns have a value in every row of one version of a list, as far as an index tells at
/// once.
///
/// Where nulls stand last and an engine puts them first, no index has the order; where there are none
/// one has.
struct NullFacts {
    /// What is known of columns of the version.
    private(set) var holdsNulls: [Int: Bool] = [:]
    /// The columns of which no index tells.
    private var untold: Set<Int> = []
    private var version: ListVersion?

    init() {}

    /// Forgets what belongs to another version.
    mutating func begin(_ version: ListVersion) {
        guard version != self.version else { return }
        self.version = version
        holdsNulls.removeAll(keepingCapacity: true)
    }

    /// Finds out about a column that nothing is known of.
    mutating func learn(
        _ column: Int,
        find: () throws(ReadingError) -> Bool?
    ) throws(ReadingError) {
        guard holdsNulls[column] == nil, !untold.contains(column) else { return }
        // What took too long is not asked again.
        untold.insert(column)
        guard let found = try find() else { return }
        untold.remove(column)
        holdsNulls[column] = found
    }
}

extension TableReading {
    /// Finds out which columns that a question orders by have a value in every row, where that is one
    /// look-up in an index of a table that nobody changes unnoticed.
    ///
    /// To be called in the transaction that reads the rows.
    func learnNulls(of query: ListQuery, _ version: ListVersion) throws(ReadingError) {
        guard table.isStored, !connection.dialect.knowsSelectivity else { return }
        nullFacts.begin(version)
        for column in query.orderingColumns where table.columns[column].isNullable {
            try nullFacts.learn(column) { () throws(ReadingError) in try findNulls(column) }
        }
    }

    /// Whether any row is without a value in a column; nil where no index tells.
    private func findNulls(_ column: Int) throws(ReadingError) -> Bool? {
        let value = TableSQL(table, schema: schema, dialect: connection.dialect)
            .comparand(forColumn: column).expression
        let rows = "SELECT 1 FROM \(table.quotedName) WHERE \(value) IS NULL LIMIT 1"
        guard try connection.explain(rows).finds else { return nil }
        return try statement("SELECT count(*) FROM (\(rows))").count([]) > 0
    }

    /// The columns that a question orders by and that have a value in every row.
    ///
    /// None where it begins at a row without one, which was there before.
    func filledColumns(of query: ListQuery) -> [Int] {
        guard !nullFacts.holdsNulls.isEmpty, !query.start.namesNull else { return [] }
        return query.orderingColumns.filter { nullFacts.holdsNulls[$0] == false }
    }
}

extension ListQuery {
    /// The columns by whose values rows are ordered; the initials of one may be missing where the
    /// values are not.
    fileprivate var orderingColumns: [Int] {
        var columns: [Int] = []
        if let grouping, grouping.part == .value { columns.append(grouping.column) }
        for key in sort {
            guard case .column(let column) = key.field, !columns.contains(column),
                grouping?.part != .initial || grouping?.column != column
            else { continue }
            columns.append(column)
        }
        return columns
    }
}

extension ListQuery.Start {
    /// Whether it names a place of which some value is missing.
    fileprivate var namesNull: Bool {
        switch self {
        case .after(let cursor), .before(let cursor):
            cursor.section == .value(.null) || cursor.row?.values.contains(.null) ?? false
        case .beginning, .letter, .offset: false
        }
    }
}
