import Listings

/// The columns without nulls in one version of a list, as far as an index look-up can determine
/// them.
///
/// If nulls sort last but the engine sorts them first, no index has the order. Without nulls, an
/// index has it.
struct NullStatistics {
    private enum Fact: UInt8 {
        case unknown
        /// No index can determine it.
        case untold
        case noNulls
        case someNulls
    }

    /// The facts by column, or none before the first query.
    private var facts: [Fact] = []
    private var version: ListVersion?

    init() {}

    /// Discards the facts if they belong to another version.
    mutating func begin(_ version: ListVersion, columnCount: Int) {
        guard version != self.version else { return }
        self.version = version
        if facts.isEmpty { facts = Array(repeating: .unknown, count: columnCount) }
        for column in facts.indices where facts[column] != .untold { facts[column] = .unknown }
    }

    /// Determines an unknown fact about a column.
    ///
    /// If `find` throws, the next call tries again.
    mutating func learn(
        _ column: Int,
        find: () throws(ReadingError) -> Bool?
    ) throws(ReadingError) {
        guard facts[column] == .unknown else { return }
        facts[column] =
            switch try find() {
            case true?: .someNulls
            case false?: .noNulls
            case nil: .untold
            }
    }

    /// Whether a column is known to contain no nulls.
    func isFilled(_ column: Int) -> Bool { !facts.isEmpty && facts[column] == .noNulls }
}

/// A subset of the first steps of a query's order, with the column of each.
struct FilledSteps: Hashable {
    private var bits: UInt64 = 0

    /// The steps whose columns contain no nulls.
    ///
    /// The set is empty if the query starts at a row with a null, which existed before.
    init(_ query: ListQuery, _ facts: NullStatistics) {
        guard !query.start.namesNull else { return }
        query.forEachColumn { step, column in
            if step < UInt64.bitWidth, facts.isFilled(column) { bits |= 1 << UInt64(step) }
        }
    }

    /// The table, with the columns of these steps marked as containing no nulls.
    func applied(to table: TableDescription, _ query: ListQuery) -> TableDescription {
        guard bits != 0 else { return table }
        var table = table
        query.forEachColumn { step, column in
            if step < UInt64.bitWidth, bits & (1 << UInt64(step)) != 0 { table.fill(column) }
        }
        return table
    }
}

extension TableQueries {
    /// Determines which columns of a query's order contain no nulls, if one index look-up per
    /// column suffices.
    ///
    /// Only tables that Roster made are examined, because their versions reveal every change.
    ///
    /// It must be called in the transaction that reads the rows.
    func learnNulls(of query: ListQuery, _ version: ListVersion) throws(ReadingError) {
        guard table.isStored, !connection.dialect.knowsSelectivity else { return }
        nullFacts.begin(version, columnCount: table.columns.count)
        try query.forEachColumn { (_, column) throws(ReadingError) in
            guard table.columns[column].isNullable else { return }
            try nullFacts.learn(column) { () throws(ReadingError) in try findNulls(column) }
        }
    }

    /// Whether a column contains a null.
    ///
    /// Nil if no index can determine it.
    private func findNulls(_ column: Int) throws(ReadingError) -> Bool? {
        let value = TableSQL(table, schema: schema, dialect: connection.dialect)
            .comparand(forColumn: column).expression
        let rows = "SELECT 1 FROM \(table.quotedName) WHERE \(value) IS NULL LIMIT 1"
        guard try connection.explain(rows).finds else { return nil }
        return try statement("SELECT count(*) FROM (\(rows))").count([]) > 0
    }
}

extension ListQuery {
    /// Calls the closure with each step's number and the column whose values order the rows.
    ///
    /// A column grouped by initials is omitted, because its initial can be null when its value is
    /// not.
    fileprivate func forEachColumn<E: Error>(
        _ body: (_ step: Int, _ column: Int) throws(E) -> Void
    ) throws(E) {
        if let grouping, grouping.part == .value { try body(0, grouping.column) }
        for (number, key) in sort.enumerated() {
            guard case .column(let column) = key.field,
                grouping?.part != .initial || grouping?.column != column
            else { continue }
            try body(number + 1, column)
        }
    }
}

extension ListQuery.Start {
    /// Whether it names a position with a null.
    fileprivate var namesNull: Bool {
        switch self {
        case .after(let cursor), .before(let cursor):
            cursor.section == .value(.null) || cursor.row?.values.contains(.null) ?? false
        case .beginning, .letter, .offset: false
        }
    }
}
