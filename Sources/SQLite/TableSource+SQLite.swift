package import Database
package import Listings
package import Locks

extension TableSource {
    /// Creates a list of a table or view of an SQLite database.
    ///
    /// A foreign table orders text byte by byte, so that its own indexes help. Its version is that
    /// of its file.
    ///
    /// - Parameters:
    ///   - location: The location of the database.
    ///   - table: The table. Its columns are those of the schema, in their order.
    ///   - schema: The schema of the list.
    ///   - registration: The row controller that shows the records.
    ///   - mark: The number of the schema with which the table was described, or nil if Roster made
    ///     it.
    ///   - check: The check of the description, or nil if nothing was concluded from data.
    ///   - budgets: The time limits for reading.
    ///   - keeper: Keeps a database in memory alive as long as the source.
    ///   - writing: The rules and gate for writing, or nil for a foreign table.
    ///   - staleness: A number other than 0 while the rows are stale, or nil if they never are.
    ///   - secondsToIndexes: The seconds until all indexes are created, or nil if they are.
    package init(
        location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        mark: SharedNumber? = nil,
        check: DescriptionCheck? = nil,
        budgets: ReadingBudgets = ReadingBudgets(),
        keeper: MemoryDatabase? = nil,
        writing: TableWriting? = nil,
        staleness: SharedNumber? = nil,
        secondsToIndexes: SharedNumber? = nil
    ) {
        let logBytes: @Sendable () -> Int = { FileFingerprint.logBytes(of: location) }
        let patience = LockPatience()
        var isStale: (@Sendable () -> Bool)?
        if let staleness { isStale = { staleness.value != 0 } }
        var seconds: (@Sendable () -> Int)?
        if let secondsToIndexes { seconds = { Int(secondsToIndexes.value) } }
        self.init(
            table: table,
            in: "\(location)",
            schema: schema,
            registration: registration,
            budgets: budgets,
            isStale: isStale,
            secondsToIndexes: seconds,
            writers: writing.map { writing in
                Writers(writing.rules) {
                    StoredListWriter(
                        location,
                        table: table,
                        schema: schema,
                        writing: writing,
                        registration: registration
                    )
                }
            },
            logBytes: logBytes
        ) { () throws(ReadingError) in
            // The capture keeps the database alive as long as the source.
            _ = keeper
            return try FileSession(
                location,
                table: table,
                schema: schema,
                mark: mark,
                check: check,
                log: writing?.gate.log,
                patience: patience
            )
        }
    }
}
