package import Listings

/// A table that Roster made has a version and the text order of lists.
///
/// The text of a foreign table is ordered byte by byte. Every reader has its own session.
package struct TableSource: ListSource {
    package private(set) var schema: ListSchema
    private(set) var table: TableDescription
    /// The name of the database: one statement can read tables of equal ones.
    package let database: String
    let registration: Registration<Record>
    let budgets: ReadingBudgets
    let isStale: (@Sendable () -> Bool)?
    package let secondsToIndexes: (@Sendable () -> Int)?
    private let open: @Sendable () throws(ReadingError) -> any TableSession
    private let writers: Writers?
    private let observer: Observer?
    /// Nil if the engine has no write-ahead log.
    package let logBytes: (@Sendable () -> Int)?
    private(set) var finishedCounts = FinishedCounts()

    /// Calls an action whenever the table may have changed, until the returned value is released.
    package typealias Observer = @Sendable (@escaping @Sendable () -> Void) -> (any Sendable)?

    package struct Writers: Sendable {
        let rules: RowRules
        let make: @Sendable () -> any ListWriter

        package init(_ rules: RowRules, make: @escaping @Sendable () -> any ListWriter) {
            self.rules = rules
            self.make = make
        }
    }

    /// The columns of the table are those of the schema, in their order.
    ///
    /// `secondsToIndexes` returns 0 if all indexes are created, and is nil if they always are.
    package init(
        table: TableDescription,
        in database: String,
        schema: ListSchema,
        registration: Registration<Record>,
        budgets: ReadingBudgets,
        isStale: (@Sendable () -> Bool)? = nil,
        secondsToIndexes: (@Sendable () -> Int)? = nil,
        writers: Writers?,
        observer: Observer? = nil,
        logBytes: (@Sendable () -> Int)? = nil,
        open: @escaping @Sendable () throws(ReadingError) -> any TableSession
    ) {
        precondition(
            table.columns.count == schema.columns.count,
            "\(table.columns.count) columns of a table for \(schema.columns.count) of a list"
        )
        precondition(table.idType == schema.idType, "ids \(table.idType) and \(schema.idType)")
        self.schema = schema
        self.table = table
        self.database = database
        self.registration = registration
        self.budgets = budgets
        self.isStale = isStale
        self.secondsToIndexes = secondsToIndexes
        self.writers = writers
        (self.observer, self.logBytes) = (observer, logBytes)
        self.open = open
    }

    package var kind: String { registration.kind }

    package var isVolatile: Bool { table.isVolatile }

    package func makeReader() throws(SourceError) -> any ListReader {
        do { return makeReader(through: try open()) } catch { throw error.sourceError }
    }

    package func openSession() throws(ReadingError) -> any TableSession { try open() }

    package func makeReader(through session: any TableSession) -> any ListReader {
        TableReader(of: self, through: session)
    }
}

extension TableSource {
    package enum DerivationError: Error, Hashable {
        case noJSON(DerivedColumn)
        /// Another database has the rows of the other list, or their keys are of another type.
        case unreachable(DerivedColumn)
    }

    /// False for a reader of another kind of source.
    package static func canDerive(
        _ columns: [DerivedColumn],
        by reader: any ListReader
    ) throws(DerivationError) -> Bool {
        guard let reader = reader as? TableReader else { return false }
        _ = try reader.deriving(columns)
        return true
    }

    func deriving(
        _ columns: [DerivedColumn],
        _ dialect: any Dialect
    ) throws(DerivationError) -> TableSource {
        var table = table
        for column in columns {
            switch column.step {
            case .member, .elements, .period:
                let base = column.base
                guard let found = dialect.derived(column.step, fromColumn: base, of: self.table)
                else { throw .noJSON(column) }
                table.derive(found.column, as: found.expression)
            case .related(let relation, let name):
                guard let other = column.target as? TableSource, other.database == database,
                    let values = other.values(of: name, relation, from: self, column.base, dialect)
                else { throw .unreachable(column) }
                table.derive(
                    values.column,
                    as: values.value,
                    order: values.order,
                    join: values.join
                )
                table.isVolatile = table.isVolatile || other.table.isVolatile
            }
        }
        var source = self
        (source.table, source.schema) = (table, schema.deriving(columns))
        source.finishedCounts = finishedCounts.ofQueries(deriving: columns)
        return source
    }

    private struct RelatedValues {
        let column: TableDescription.StoredColumn
        let value: String
        let order: String?
        let join: TableDescription.Join?
    }

    private func values(
        of name: String,
        _ relation: ListRelation,
        from list: TableSource,
        _ keyColumn: Int,
        _ dialect: any Dialect
    ) -> RelatedValues? {
        guard let position = schema.index(of: name), table.source == table.quotedName,
            list.table.source == list.table.quotedName
        else { return nil }
        var key = operand(ofID: table.quotedKey[0])
        if let other = relation.key {
            guard let location = schema.index(of: other) else { return nil }
            key = operand(location)
        } else if table.key.count > 1 {
            return nil
        }
        key.expression = "\"roster:other\".\(key.expression)"
        var own = list.operand(keyColumn)
        own.expression = "\(list.table.quotedName).\(own.expression)"
        guard let naming = dialect.naming(key, by: own) else { return nil }
        // Only ids are known to be unique.
        let isUnique = relation.key == nil && naming.isPlain
        let order = table.quotedKey.joined(separator: ", ")
        let end = isUnique ? "" : " ORDER BY \(order) LIMIT 1"
        func values(_ column: String) -> String {
            "(SELECT \(column) FROM \(table.quotedName) AS \"roster:other\""
                + " WHERE \(naming.condition)\(end))"
        }
        var column = table.columns[position]
        column.isNullable = true
        return RelatedValues(
            column: column,
            value: values(table.quotedColumns[position]),
            order: column.quotedOrder.map(values),
            join: isUnique ? join(position, to: list, keyColumn, own, dialect) : nil
        )
    }

    private func operand(ofID expression: String) -> KeyOperand {
        KeyOperand(
            expression: expression,
            type: table.idType,
            engineType: table.key[0].engineType
        )
    }

    private func operand(_ position: Int) -> KeyOperand {
        let column = table.columns[position]
        return KeyOperand(
            expression: table.quotedColumns[position],
            type: schema.columns[position].type,
            engineType: column.engineType,
            isKeyed: column.isKeyed,
            isTyped: table.isStored && !column.isKeyed
        )
    }

    /// The join that reads the values of a column before the rows of the list that refers to it.
    ///
    /// Nil for views, which have no indexes.
    private func join(
        _ position: Int,
        to list: TableSource,
        _ keyColumn: Int,
        _ own: KeyOperand,
        _ dialect: any Dialect
    ) -> TableDescription.Join? {
        typealias Join = TableDescription.Join
        guard table.origin != .foreignView, list.table.origin != .foreignView,
            let keyCondition = dialect.naming(operand(ofID: Join.key), by: own)?.condition
        else { return nil }
        var columns = ["\(table.quotedKey[0]) AS \(Join.key)"]
        columns.append("\(table.quotedColumns[position]) AS \(Join.value)")
        if let order = table.columns[position].quotedOrder {
            columns.append("\(order) AS \(Join.order)")
        }
        var condition = keyCondition
        if table.isStored, table.idType.isText {
            // The index of a column of texts has their sort keys.
            var keys = table
            keys.derive(TableDescription.StoredColumn(table.key[0].name), as: Join.key)
            let sides = [
                dialect.comparand(column: table.columns.count, of: keys, as: table.idType),
                dialect.comparand(
                    column: keyColumn,
                    of: list.table,
                    as: list.schema.columns[keyColumn].type
                ),
            ]
            condition = sides.map(\.expression).joined(separator: " = ")
        }
        return Join(
            source: "(SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName))"
                + " AS \"roster:first\"",
            condition: condition,
            keyCondition: keyCondition
        )
    }
}

extension TableSource {
    package var rules: RowRules? { writers?.rules }

    package func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? {
        observer.flatMap { $0(action) }
    }

    package func makeWriter() throws(SourceError) -> (any ListWriter)? { writers?.make() }
}

extension TableSource {
    package func explain(_ query: ListQuery) throws(SourceError) -> [String] {
        do throws(ReadingError) {
            let session = try open()
            _ = try session.beginReading()
            defer { session.endReading() }
            // A column that cannot be derived is refused before.
            let source = (try? deriving(query.derived, session.dialect)) ?? self
            let reading = session.reading.deriving(source.table, source.schema)
            var statistics = QueryStatistics()
            try statistics.learnTimes(of: query, reading, within: budgets.rows)
            return try reading.explanations(of: query).flatMap(\.lines)
        } catch {
            throw error.sourceError
        }
    }
}

package struct ReadingBudgets: Hashable, Sendable {
    /// For the rows of a page, over all attempts to find them; beyond it, the response is an error.
    package var rows: Duration
    /// For all counts of a page together, which are omitted beyond it.
    package var counts: Duration
    /// For all facets of a page together, and for its letters, which are omitted beyond it.
    package var facets: Duration
    /// For the counts of a page, and for its facets, if exact counts are requested.
    package var exactCounts: Duration
    /// The time of a full scan per million rows, which limits one access path if the rows can also
    /// be read by another one.
    ///
    /// It is at least `shortestTrial`, and at most an eighth of `rows`.
    package var attempt: Duration
    /// For a search in the order of the rows, before all matching rows are gathered.
    package var shortestTrial: Duration

    package init(
        rows: Duration = .seconds(10),
        counts: Duration = .milliseconds(50),
        facets: Duration? = nil,
        exactCounts: Duration = .seconds(2),
        attempt: Duration = .milliseconds(50),
        shortestTrial: Duration = .milliseconds(50)
    ) {
        self.rows = rows
        self.counts = counts
        self.facets = facets ?? counts
        self.exactCounts = exactCounts
        self.attempt = attempt
        self.shortestTrial = shortestTrial
    }

    private static let longestCounting = Duration.seconds(60)

    mutating func finishCounts() {
        (counts, facets) = (Self.longestCounting, Self.longestCounting)
        exactCounts = Self.longestCounting
    }

    mutating func limit(to times: ReadingTimes) {
        rows = times.rows ?? rows
        counts = times.counts ?? counts
        facets = times.facets ?? facets
        exactCounts = max(exactCounts, counts, facets)
    }
}
