package import Database
package import Listings
package import Locks
import Synchronization

extension TableSource {
    /// `readers` are shared by the lists of a database; without them, the source has its own.
    ///
    /// `mark` is the number of the schema with which a foreign table was described.
    ///
    /// `check` is nil if nothing was concluded from data. `keeper` keeps a temporary database
    /// alive. `staleness` is other than 0 while the rows are stale.
    package init(
        location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        mark: SharedNumber? = nil,
        check: DescriptionCheck? = nil,
        budgets: ReadingBudgets = ReadingBudgets(),
        readers: DatabaseReaders? = nil,
        keeper: (any Sendable)? = nil,
        writing: TableWriting? = nil,
        staleness: SharedNumber? = nil,
        secondsToIndexes: SharedNumber? = nil
    ) {
        let logBytes: @Sendable () -> Int = { FileFingerprint.logBytes(of: location) }
        let readers = readers ?? DatabaseReaders(location)
        let number = TableNumber.next()
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
                        number: number,
                        writing: writing,
                        registration: registration,
                        mark: writing.info == nil ? nil : mark
                    )
                }
            },
            logBytes: logBytes
        ) { () throws(ReadingError) in
            // The capture keeps the database alive as long as the source.
            _ = keeper
            return try FileSession(
                readers,
                table: table,
                schema: schema,
                number: number,
                mark: mark,
                check: check,
                log: writing?.gate.log
            )
        }
    }
}

/// Numbers by which connections know tables.
private enum TableNumber {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
