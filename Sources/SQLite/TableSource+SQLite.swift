package import Database
package import Listings
package import Locks

extension TableSource {
    /// Makes a list of a table or view of an SQLite database.
    ///
    /// A foreign table orders text byte by byte, so that its own indexes help, and is as old as its
    /// file.
    ///
    /// - Parameters:
    ///   - location: Where the database is.
    ///   - table: The table; its columns are those of the schema, in their order.
    ///   - schema: What the list has.
    ///   - registration: Shows the models.
    ///   - mark: The number of the schema by which the table was described; nil for one that Roster made.
    ///   - budgets: How long reading may take.
    ///   - keeper: Keeps a database in memory alive for as long as the source.
    ///   - writing: Makes the rows writable; nil for a table of somebody else.
    package init(
        location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        mark: SharedNumber? = nil,
        budgets: ReadingBudgets = ReadingBudgets(),
        keeper: MemoryDatabase? = nil,
        writing: TableWriting? = nil
    ) {
        let patience = LockPatience()
        self.init(
            table: table,
            schema: schema,
            registration: registration,
            budgets: budgets,
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
            }
        ) { () throws(ReadingError) in
            // The session is the database's as long as the source is there.
            _ = keeper
            return try FileSession(
                location,
                table: table,
                schema: schema,
                mark: mark,
                patience: patience
            )
        }
    }
}
