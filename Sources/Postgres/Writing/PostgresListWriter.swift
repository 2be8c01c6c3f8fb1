package import Database
package import Listings

package struct PostgresWriting: Sendable {
    let rules: RowRules
    let facts: TableInfo
    let keepsAnswers: Bool

    package init(_ rules: RowRules, facts: TableInfo, keepsAnswers: Bool) {
        self.rules = rules
        self.facts = facts
        self.keepsAnswers = keepsAnswers
    }
}

/// This process has no write queue, because the server's locks order the writers of all processes.
final class PostgresListWriter: ListWriter {
    private let session: PostgresSession
    private let table: TableDescription
    private let writing: PostgresWriting
    private let performer: BatchWriter
    var changesPerSlice = StagedChanges.maximumSlice

    init(
        _ database: PostgresDatabase,
        table: TableDescription,
        schema: ListSchema,
        writing: PostgresWriting,
        registration: Registration<Record>
    ) {
        session = PostgresSession(database, table: table, schema: schema)
        self.table = table
        self.writing = writing
        performer = BatchWriter(
            schema,
            rules: writing.rules,
            registration: registration
        )
    }

    var rules: RowRules { performer.rules }

    var abilities: WriterAbilities {
        var abilities = WriterAbilities()
        (abilities.stream, abilities.load) = (stream, load)
        return abilities
    }

    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        guard batch.receipt == nil || writing.keepsAnswers else { throw .keepsNoAnswers }
        let transaction = try begin(page.list)
        defer { session.endReading() }
        return try performer.perform(batch, in: transaction, into: &page, response: response)
    }

    func stream(
        to list: String,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) {
        let transaction = try begin(list)
        defer { session.endReading() }
        try performer.stream(in: transaction, body)
    }

    func load(
        to list: String,
        isCancelled: @escaping () -> Bool,
        _ body: (any RowLoad) throws(WriteError) -> Bool
    ) throws(WriteError) -> Bool {
        let transaction = try begin(list)
        defer { session.endReading() }
        let changes: StagedChanges
        do throws(PostgresError) {
            let connection = session.connection
            try connection.current().liftLimits(until: connection.usualEnd, isCancelled)
            changes = try StagedChanges(
                transaction,
                performer,
                changesPerSlice: changesPerSlice
            )
        } catch .refused(let state, _) where state.hasPrefix("42") {
            // The user may not create temporary tables.
            return false
        } catch {
            throw WriteError(error)
        }
        guard try body(changes), changes.hasChanged else { return true }
        _ = try transaction.version(after: [.changed])
        try transaction.commit([], for: nil)
        return true
    }

    private func begin(_ list: String) throws(WriteError) -> PostgresTransaction {
        try WriteError.ofDatabase { () throws(PostgresError) in
            try session.connection.beginWriting()
        }
        return PostgresTransaction(
            session: session,
            table: ForeignTable(table, writing.facts, rules),
            rules: rules,
            idempotency: IdempotencyStore(connection: session.connection, list: list)
        )
    }
}
