package import Listings

/// A list whose rows stand in a table or view of a database.
///
/// A table that Roster made orders text as lists do and knows its version; a foreign one is only
/// read and orders text byte by byte. Every reader has a session of its own.
package struct TableSource: WritableSource {
    /// What the list has.
    package let schema: ListSchema
    private let registration: Registration<Record>
    private let budgets: ReadingBudgets
    private let open: @Sendable () throws(ReadingError) -> any TableSession
    private let writers: Writers?
    private let observer: Observer?

    /// Calls an action whenever the table may have changed, until what it returns is dropped.
    package typealias Observer = @Sendable (@escaping @Sendable () -> Void) -> any Sendable

    /// What makes the rows of a table writable.
    package struct Writers: Sendable {
        /// What the rows must be like.
        let rules: RowRules
        /// Makes a writer, which opens its connection when it is first used.
        let make: @Sendable () -> any ListWriter

        /// Makes rows that follow some rules writable.
        package init(_ rules: RowRules, make: @escaping @Sendable () -> any ListWriter) {
            self.rules = rules
            self.make = make
        }
    }

    /// Makes a list of a table.
    ///
    /// - Parameters:
    ///   - table: The table; its columns are those of the schema, in their order.
    ///   - schema: What the list has.
    ///   - registration: Shows the models.
    ///   - budgets: How long reading may take.
    ///   - writers: Makes the rows writable; nil for a table that is only read.
    ///   - observer: Tells when the table may have changed; nil where nobody does.
    ///   - open: Opens a session with the table.
    package init(
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        budgets: ReadingBudgets,
        writers: Writers?,
        observer: Observer? = nil,
        open: @escaping @Sendable () throws(ReadingError) -> any TableSession
    ) {
        precondition(
            table.columns.count == schema.columns.count,
            "\(table.columns.count) columns of a table for \(schema.columns.count) of a list"
        )
        precondition(table.idType == schema.idType, "ids \(table.idType) and \(schema.idType)")
        self.schema = schema
        self.registration = registration
        self.budgets = budgets
        self.writers = writers
        self.observer = observer
        self.open = open
    }

    /// The kind of the rows.
    package var kind: String { registration.kind }

    /// Opens a session for one thread at a time.
    ///
    /// - Throws: ``SourceError`` when the database cannot be opened.
    package func makeReader() throws(SourceError) -> any ListReader {
        do { return makeReader(through: try open()) } catch { throw error.sourceError }
    }

    /// Opens a session for a reader of one's own.
    package func openSession() throws(ReadingError) -> any TableSession { try open() }

    /// A reader that reads through a session of its own.
    package func makeReader(through session: any TableSession) -> any ListReader {
        TableReader(
            session: session,
            schema: schema,
            registration: registration,
            budgets: budgets
        )
    }
}

extension TableSource {
    /// What the rows must be like; nil for a table that is only read.
    package var rules: RowRules? { writers?.rules }

    /// Calls whenever the table may have changed; nil where nobody tells.
    package func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? {
        observer?(action)
    }

    /// Makes a writer, which opens its connection when it is first used.
    package func makeWriter() throws(SourceError) -> (any ListWriter)? { writers?.make() }
}

extension TableSource: ExplainableSource {
    /// What the engine would do to read a page of rows, in its own words: for people who look for a
    /// missing index.
    ///
    /// - Parameter query: A question in flow mode.
    /// - Returns: Lines of the engine's EXPLAIN.
    /// - Throws: ``SourceError`` when the database cannot be read.
    package func explain(_ query: ListQuery) throws(SourceError) -> [String] {
        do {
            let session = try open()
            _ = try session.beginReading()
            defer { session.endReading() }
            return try session.reading.explanations(of: query).flatMap(\.lines)
        } catch {
            throw error.sourceError
        }
    }
}

/// How long reading may take.
package struct ReadingBudgets: Hashable, Sendable {
    /// For the rows of a page, all ways to find them together; over it the answer is an error.
    ///
    /// Default 500 ms.
    package var rows: Duration
    /// For rows that may take longer (``ListQuery/isPatient``), where it is more than the others have.
    ///
    /// Default 5 s.
    package var patientRows: Duration
    /// For all counts of a page together; over it they are left out.
    ///
    /// Default 50 ms.
    package var counts: Duration
    /// For all facets of a page together, and its letters; over it they are left out.
    ///
    /// Default that of counts.
    package var facets: Duration
    /// For the counts of a page, and for its facets, where all rows are to be counted.
    ///
    /// Default 2 s.
    package var exactCounts: Duration
    /// For rows that may be read another way where they take longer.
    ///
    /// Default 250 ms.
    package var attempt: Duration
    /// For rows that are searched in their order, before those that have the words are gathered.
    ///
    /// Default 50 ms.
    package var glance: Duration

    /// Creates budgets.
    package init(
        rows: Duration = .milliseconds(500),
        patientRows: Duration = .seconds(5),
        counts: Duration = .milliseconds(50),
        facets: Duration? = nil,
        exactCounts: Duration = .seconds(2),
        attempt: Duration = .milliseconds(250),
        glance: Duration = .milliseconds(50)
    ) {
        self.rows = rows
        self.patientRows = patientRows
        self.counts = counts
        self.facets = facets ?? counts
        self.exactCounts = exactCounts
        self.attempt = attempt
        self.glance = glance
    }

    /// Takes the times that are given.
    mutating func limit(to times: ReadingTimes) {
        rows = times.rows ?? rows
        counts = times.counts ?? counts
        facets = times.facets ?? facets
        exactCounts = max(exactCounts, counts, facets)
    }
}
