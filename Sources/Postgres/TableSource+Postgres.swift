package import Database
package import Listings
package import Locks

extension TableSource {
    /// Creates a list of a table or view of a PostgreSQL database.
    ///
    /// - Parameters:
    ///   - database: The database of the table.
    ///   - table: The table, whose columns are those of the schema in order.
    ///   - schema: The schema of the list.
    ///   - registration: The registration of the row controller.
    ///   - mark: The fingerprint of the schema that the table description was made from.
    ///   - budgets: The time budgets for reading.
    ///   - writing: The write support, or nil if the table is read-only.
    package init(
        database: PostgresDatabase,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Record>,
        mark: SharedNumber? = nil,
        budgets: ReadingBudgets = ReadingBudgets(glance: .milliseconds(250)),
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
