package import Database
package import Listings

package enum TableIndexes {
    /// The first is for the default order.
    ///
    /// The others are for single columns in their order, groupable ones before those that are only
    /// sortable.
    package static let maximumCount = 10

    /// The number of rows from which lists have indexes.
    ///
    /// A page of 200 rows takes 0.3 million instructions with them and 1.7 million by sorting.
    package static let minimumRows = 64

    /// Called after the rows are written, in the same transaction.
    package static func create(
        for table: TableDescription,
        schema: ListSchema,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        precondition(table.isStored, "indexes for a table of another program")
        try OrderColumns.createTriggers(for: table, on: connection)
        while try createNext(for: table, schema: schema, on: connection) > 0 {}
    }

    /// Creates only the index without which the first page would be slow.
    package static func createFirst(
        for table: TableDescription,
        schema: ListSchema,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        guard case .stored(let list) = table.origin else { return }
        try OrderColumns.createTriggers(for: table, on: connection)
        if schema.defaultGrouping != nil || schema.defaultSort.contains(where: { $0.field != .id })
        {
            _ = try createNext(for: table, schema: schema, on: connection)
        }
        let missing = try missing(for: table, schema, on: connection)
        try ListCatalog.setMissingIndexes(missing.count, of: list, in: connection)
    }

    /// Leaves out the indexes of a list with few rows until it has more; see ``extend(_:_:on:)``.
    package static func postpone(
        for table: TableDescription,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        guard case .stored(let list) = table.origin else { return }
        try OrderColumns.createTriggers(for: table, on: connection)
        try ListCatalog.setMissingIndexes(1, of: list, in: connection)
    }

    /// Creates the indexes of a list that was imported with few rows, and has many now.
    ///
    /// Called after rows are added, in the same transaction.
    static func extend(
        _ table: TableDescription,
        _ schema: ListSchema,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        guard case .stored(let list) = table.origin,
            try ListCatalog.isSmall(list, in: connection),
            try connection.hasRows(minimumRows, in: table)
        else { return }
        try create(for: table, schema: schema, on: connection)
    }

    /// Returns the number of indexes that are still missing.
    package static func createNext(
        for table: TableDescription,
        schema: ListSchema,
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> Int {
        let missing = try missing(for: table, schema, on: connection)
        let left = max(0, missing.count - 1)
        if let (name, steps) = missing.orders.first {
            try connection.execute(
                "CREATE INDEX \(name) ON \(table.quotedName) (\(steps.joined(separator: ", ")))"
            )
        } else if let texts = missing.texts.first {
            try texts.create(on: connection)
        }
        if case .stored(let list) = table.origin, try ListCatalog.exists(in: connection) {
            try ListCatalog.setMissingIndexes(left, of: list, in: connection)
        }
        return left
    }

    private struct MissingIndexes {
        var orders: [(name: String, steps: [String])] = []
        var texts: [FullTextIndex] = []

        var count: Int { orders.count + texts.count }
    }

    private static func missing(
        for table: TableDescription,
        _ schema: ListSchema,
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> MissingIndexes {
        var missing = MissingIndexes()
        for (number, steps) in orders(table, schema).enumerated() {
            let name = "roster_\(table.name)_\(number)"
            guard let quoted = SQLName.quoted(name), try !connection.hasIndex(named: name)
            else { continue }
            missing.orders.append((quoted, steps))
        }
        var texts = [WordIndex.index(of: table, schema: schema)]
        if case .stored(let list) = table.origin,
            try ListCatalog.list(named: list, in: connection)?.rowCount ?? 0
                >= TrigramIndex.minimumRows
        {
            texts.append(TrigramIndex.index(of: table, schema: schema))
        }
        for case .some(let index) in texts where try !connection.hasTexts(named: index.name) {
            missing.texts.append(index)
        }
        return missing
    }

    /// Creates the index for the order of a grouping that the import did not know.
    package static func addMissing(
        for table: TableDescription,
        schema: ListSchema,
        on connection: DatabaseConnection,
        onMissing: () -> Void
    ) throws(SQLiteError) {
        guard schema.defaultGrouping != nil, let steps = orders(table, schema).first else { return }
        let target = "\(table.quotedName) (\(steps.joined(separator: ", ")))"
        guard try !connection.hasSchema(endingWith: "ON \(target)") else { return }
        onMissing()
        let name = try connection.freeName("roster_\(table.name)_grouped", besides: [])
        guard let quoted = SQLName.quoted(name) else { return }
        try connection.execute("CREATE INDEX \(quoted) ON \(target)")
    }

    /// The tables of texts stay behind when the table itself is dropped.
    static func removeAll(
        of table: String,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        let found = try connection.prepare(
            """
            SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL AND (
                tbl_name = ?1 AND type IN ('index', 'trigger')
                    AND substr(name, 1, length(?2)) = ?2
                OR type = 'table' AND name IN (?3, ?4)
                    AND sql LIKE 'CREATE VIRTUAL TABLE %')
            """
        )
        try found.bind(1, table)
        try found.bind(2, "roster_\(table)_")
        try found.bind(3, WordIndex.name(of: table))
        try found.bind(4, TrigramIndex.name(of: table))
        var removals: [String] = []
        while try found.step() {
            guard let name = SQLName.quoted(found.text(1)) else { continue }
            removals.append("DROP \(found.text(0)) \(name)")
        }
        found.reset()
        for removal in removals { try connection.execute(removal) }
    }

    private static func orders(_ table: TableDescription, _ schema: ListSchema) -> [[String]] {
        let sql = TableSQL(table, schema: schema, dialect: SQLiteDialect())
        let id = sql.terms(SortKey(.id))
        var orders: [[String]] = []
        func add(_ terms: [OrderTerm]) {
            let steps = (terms + id).map {
                $0.expression + ($0.direction == .ascending ? "" : " DESC")
            }
            if !orders.contains(steps) { orders.append(steps) }
        }
        let group = schema.defaultGrouping.map { [sql.term(for: $0)] } ?? []
        let sort = schema.defaultSort.filter { $0.field != .id }.flatMap(sql.terms)
        if !(group + sort).isEmpty { add(group + sort) }
        let groupable = schema.columns.indices.filter { schema.columns[$0].isGroupable }
        let sortable = schema.columns.indices.filter {
            schema.columns[$0].isSortable && !schema.columns[$0].isGroupable
        }
        for column in groupable + sortable where orders.count < maximumCount {
            let terms = sql.terms(SortKey(.column(column)))
            // The key already has an index.
            if terms.map(\.expression) != id.map(\.expression) { add(terms) }
        }
        return orders
    }
}
