import Listings

/// Which columns have a value in every row of one version of a list, as far as an index tells at
/// once.
///
/// Where nulls stand last and an engine puts them first, no index has the order; where there are none
/// one has.
struct NullFacts {
    private enum Fact: UInt8 {
        case unknown
        /// No index tells.
        case untold
        case noNulls
        case someNulls
    }

    /// By column; empty while nothing is known.
    private var facts: [Fact] = []
    private var version: ListVersion?

    init() {}

    /// Forgets what belongs to another version.
    mutating func begin(_ version: ListVersion, columnCount: Int) {
        guard version != self.version else { return }
        self.version = version
        if facts.isEmpty { facts = Array(repeating: .unknown, count: columnCount) }
        for column in facts.indices where facts[column] != .untold { facts[column] = .unknown }
    }

    /// Finds out about a column that nothing is known of; where that throws, the next one tries.
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

    /// Whether a column is known to have a value in every row.
    func isFilled(_ column: Int) -> Bool { !facts.isEmpty && facts[column] == .noNulls }
}

/// Some of the first steps of the order of a question, each with its column.
struct FilledSteps: Hashable {
    private var bits: UInt64 = 0

    /// The steps whose columns have a value in every row.
    ///
    /// None where the question begins at a row without one, which was there before.
    init(_ query: ListQuery, _ facts: NullFacts) {
        guard !query.start.namesNull else { return }
        query.forEachColumn { step, column in
            if step < UInt64.bitWidth, facts.isFilled(column) { bits |= 1 << UInt64(step) }
        }
    }

    /// The table, of which the columns of these steps have a value in every row.
    func applied(to table: TableDescription, _ query: ListQuery) -> TableDescription {
        guard bits != 0 else { return table }
        var table = table
        query.forEachColumn { step, column in
            if step < UInt64.bitWidth, bits & (1 << UInt64(step)) != 0 { table.fill(column) }
        }
        return table
    }
}

extension TableReading {
    /// Finds out which columns that a question orders by have a value in every row, where that is one
    /// look-up in an index of a table that nobody changes unnoticed.
    ///
    /// To be called in the transaction that reads the rows.
    func learnNulls(of query: ListQuery, _ version: ListVersion) throws(ReadingError) {
        guard table.isStored, !connection.dialect.knowsSelectivity else { return }
        nullFacts.begin(version, columnCount: table.columns.count)
        try query.forEachColumn { (_, column) throws(ReadingError) in
            guard table.columns[column].isNullable else { return }
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
}

extension ListQuery {
    /// Calls with the columns by whose values rows are ordered, and the number of the step.
    ///
    /// A column by whose initials they are grouped is none: one may be missing where the value is not.
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
    /// Whether it names a place of which some value is missing.
    fileprivate var namesNull: Bool {
        switch self {
        case .after(let cursor), .before(let cursor):
            cursor.section == .value(.null) || cursor.row?.values.contains(.null) ?? false
        case .beginning, .letter, .offset: false
        }
    }
}
