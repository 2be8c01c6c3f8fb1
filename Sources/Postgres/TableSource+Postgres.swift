package import Database
package import Listings

extension TableSource {
    /// Makes a list of a table or view of a PostgreSQL database, which is only read.
    ///
    /// - Parameters:
    ///   - list: The name of the list, which cursors are made for.
    ///   - database: Where the table is.
    ///   - table: The table; its columns are those of the schema, in their order.
    ///   - schema: What the list has.
    ///   - registration: Shows the models.
    ///   - budgets: How long reading may take.
    ///   - decode: Makes a model of a record; columns count as in the schema.
    package init(
        list: String,
        database: PostgresDatabase,
        table: TableDescription,
        schema: ListSchema,
        registration: Registration<Model>,
        budgets: ReadingBudgets = ReadingBudgets(rows: .seconds(5)),
        decode: @escaping @Sendable (Record) -> Model
    ) {
        self.init(
            list: list,
            table: table,
            schema: schema,
            registration: registration,
            budgets: budgets,
            decode: decode,
            writers: nil
        ) { () throws(ReadingError) in PostgresSession(database, table: table, schema: schema) }
    }
}
