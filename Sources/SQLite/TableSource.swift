package import Database
package import Listings

/// A list whose rows stand in a table or view of an SQLite database.
///
/// A table that Roster made orders text as lists do and knows its version; a foreign one is only
/// read, orders text byte by byte (so that its own indexes help), and is as old as its file.
/// Every reader has a connection of its own.
package struct TableSource<Model>: WritableSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// What the list has.
    package let schema: ListSchema
    private let list: String
    private let location: DatabaseLocation
    private let table: TableDescription
    private let registration: Registration<Model>
    private let decode: @Sendable (Record) -> Model
    private let budgets: ReadingBudgets
    private let keeper: MemoryDatabase?
    private let writing: TableWriting?

    /// Makes a list of a table.
    ///
    /// - Parameters:
    ///   - list: The name of the list, which cursors are made for.
    ///   - location: Where the database is.
    ///   - table: The table; its columns are those of the schema, in their order.
    ///   - schema: What the list has.
    ///   - registration: Shows the models.
    ///   - budgets: How long reading may take.
    ///   - keeper: Keeps a database in memory alive for as long as the source.
    ///   - writing: Makes the rows writable; nil for a table of somebody else.
    ///   - decode: Makes a model of a record; columns count as in the schema.
    package init(
        list: String,
        location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Model>,
        budgets: ReadingBudgets = ReadingBudgets(),
        keeper: MemoryDatabase? = nil,
        writing: TableWriting? = nil,
        decode: @escaping @Sendable (Record) -> Model
    ) {
        precondition(
            table.columns.count == schema.columns.count,
            "\(table.columns.count) columns of a table for \(schema.columns.count) of a list"
        )
        precondition(table.idType == schema.idType, "ids \(table.idType) and \(schema.idType)")
        self.list = list
        self.location = location
        self.table = table
        self.schema = schema
        self.registration = registration
        self.decode = decode
        self.budgets = budgets
        self.keeper = keeper
        self.writing = writing
    }

    /// Opens a connection for one thread at a time.
    ///
    /// - Throws: ``SourceError`` when the database cannot be opened.
    package func makeReader() throws(SourceError) -> any ListReader {
        do {
            return TableReader(
                list: list,
                session: try TableSession(location, table: table, schema: schema),
                schema: schema,
                registration: registration,
                budgets: budgets,
                decode: decode
            )
        } catch {
            throw error.sourceError
        }
    }
}

extension TableSource {
    /// What the rows must be like; nil for a table that is only read.
    package var rules: RowRules? { writing?.rules }

    /// Makes a writer, which opens its connection when it is first used.
    package func makeWriter() throws(SourceError) -> (any ListWriter)? {
        guard let writing else { return nil }
        return StoredListWriter(
            location,
            table: table,
            schema: schema,
            writing: writing,
            registration: registration,
            decode: decode
        )
    }
}

extension TableSource {
    /// What the engine would do to read a page of rows, in its own words: for people who look for a
    /// missing index.
    ///
    /// - Parameter query: A question in flow mode.
    /// - Returns: Lines of SQLite's EXPLAIN QUERY PLAN.
    /// - Throws: ``SourceError`` when the database cannot be read.
    package func explain(_ query: ListQuery) throws(SourceError) -> [String] {
        do {
            let session = try TableSession(location, table: table, schema: schema)
            _ = try session.beginReading()
            defer { session.endReading() }
            let plan = session.reading.plan(for: query)
            return try session.reading.explain(
                TableReading.FlowQuestion(
                    plan: plan,
                    keys: try SectionSelection(query, session.reading).keys(plan),
                    limit: 1,
                    start: query.start
                )
            )
        } catch {
            throw error.sourceError
        }
    }
}

extension TableSource where Model == Record {
    /// Makes a list of a table whose models nobody declared.
    package init(
        list: String,
        location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        budgets: ReadingBudgets = ReadingBudgets(),
        keeper: MemoryDatabase? = nil,
        writing: TableWriting? = nil
    ) {
        self.init(
            list: list,
            location: location,
            table: table,
            schema: schema,
            registration: registration,
            budgets: budgets,
            keeper: keeper,
            writing: writing,
            decode: { $0 }
        )
    }
}

/// How long reading may take.
package struct ReadingBudgets: Hashable, Sendable {
    /// For the rows of a page; over it the answer is an error.
    ///
    /// Default 10 s.
    package var rows: Duration
    /// For all counts of a page together; over it they are left out.
    ///
    /// Default 50 ms.
    package var counts: Duration

    /// Creates budgets.
    package init(rows: Duration = .seconds(10), counts: Duration = .milliseconds(50)) {
        self.rows = rows
        self.counts = counts
    }
}
