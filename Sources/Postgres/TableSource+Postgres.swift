package import Database
package import Listings
package import Locks

extension TableSource {
    /// Makes a list of a table or view of a PostgreSQL database.
    ///
    /// - Parameters:
    ///   - database: Where the table is.
    ///   - table: The table; its columns are those of the schema, in their order.
    ///   - schema: What the list has.
    ///   - registration: Shows the models.
    ///   - mark: The number of the schema by which the table was described.
    ///   - budgets: How long reading may take.
    ///   - writing: Makes the rows writable; nil for a table that is only read.
    package init(
        database: PostgresDatabase,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        mark: SharedNumber? = nil,
        budgets: ReadingBudgets = ReadingBudgets(
            rows: .seconds(1),
            glance: .milliseconds(250)
        ),
        writing: PostgresWriting? = nil
    ) {
        self.init(
            table: table,
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
