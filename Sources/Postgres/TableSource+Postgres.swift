package import Database
package import Listings
package import Locks

extension TableSource {
    /// `mark` is the fingerprint of the schema that the table description was made from.
    package init(
        database: PostgresDatabase,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        mark: SharedNumber? = nil,
        budgets: ReadingBudgets = ReadingBudgets(shortestTrial: .milliseconds(250)),
        writing: PostgresWriting? = nil
    ) {
        self.init(
            table: table,
            in: "\(ObjectIdentifier(database))",
            schema: schema,
            registration: registration,
            budgets: budgets,
            writers: writing.map { writing in
                Writers(writing.rules) {
                    PostgresListWriter(
                        database,
                        table: table,
                        schema: schema,
                        writing: writing,
                        registration: registration
                    )
                }
            },
            observer: { database.observe($0) },
            open: { () throws(ReadingError) in
                PostgresSession(database, table: table, schema: schema, mark: mark)
            }
        )
    }
}
