package import Database
package import Listings
package import Locks

extension TableSource {
    /// A foreign table orders text byte by byte, so that its own indexes help.
    ///
    /// Its version is that of its file.
    ///
    /// `mark` is the number of the schema with which the table was described, nil if Roster made
    /// it. `check` is nil if nothing was concluded from data. `keeper` keeps a database in memory
    /// alive as long as the source. `writing` is nil for a foreign table. `staleness` is a number
    /// other than 0 while the rows are stale, nil if they never are. `secondsToIndexes` is nil if
    /// all indexes are created.
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
