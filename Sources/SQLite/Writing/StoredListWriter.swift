import Database
import Listings
import Locks

/// A commit returns when the log is on disk (WAL, `synchronous=FULL`).
///
/// A database in memory lives as long as the process.
final class StoredListWriter: ListWriter {
    private let location: DatabaseLocation
    private let table: TableDescription
    private let schema: ListSchema
    private let gate: WriterQueue
    private let number: UInt64
    private let performer: BatchWriter
    /// Nil for a table that Roster made.
    private let foreign: ForeignTable?
    private let mark: SharedNumber?
    /// Nil if the rows stay in the database.
    private let saver: FileSaver?

    init(
        _ location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        number: UInt64,
        writing: TableWriting,
        registration: Registration<Record>,
        mark: SharedNumber? = nil
    ) {
        self.location = location
        self.table = table
        self.schema = schema
        gate = writing.gate
        self.number = number
        self.mark = mark
        foreign = writing.info.map { ForeignTable(table, $0, writing.rules) }
        saver = writing.saver
        performer = BatchWriter(
            schema,
            rules: writing.rules,
            registration: registration
        )
    }

    var rules: RowRules { performer.rules }

    var abilities: WriterAbilities {
        var abilities = WriterAbilities()
        abilities.stream = stream
        abilities.grouping = WriteGrouping(database: ObjectIdentifier(gate), perform: writeTogether)
        return abilities
    }

    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        if let group = gate.currentGroup {
            return try write(batch, in: group, into: &page, response: response)
        }
        var attempts = 0
        while true {
            attempts += 1
            let earlier = try readFileAgain(for: batch)
            do throws(WriteError) {
                return try gate.pass { (known) throws(WriteError) in
                    let group = WriteGroup()
                    group.files = known
                    defer {
                        known = group.files
                        endCopy(of: group)
                    }
                    let outcome = try write(
                        batch,
                        in: group,
                        earlier: earlier,
                        into: &page,
                        response: response
                    )
                    try commit(group)
                    return outcome
                }
            } catch  where error == .busy && attempts < BatchWriter.maximumAttempts {
                // Another program may have changed the file meanwhile.
                guard let saver, !saver.isCurrent else { throw error }
            }
        }
    }

    /// Imports the file again if another program has changed it.
    ///
    /// Returns the rows that the batch means, as they were before.
    private func readFileAgain(for batch: WriteBatch) throws(WriteError) -> [String: StoredRow] {
        guard let saver, !saver.isCurrent else { return [:] }
        let earlier = try gate.pass { (known) throws(WriteError) in
            let session = try forgetting { () throws(WriteError) in try begin(&known) }
            defer { session.connection.rollback() }
            let transaction = transaction(in: session, list: saver.list)
            var rows: [String: StoredRow] = [:]
            // A condition is about the row as it is now.
            for change in batch.changes where change.conditions.isEmpty {
                if let id = change.id { rows[id] = try transaction.row(id) }
            }
            return rows
        }
        try saver.readAgain()
        return earlier
    }

    private func transaction(
        in session: WriterSession,
        list: String,
        group: WriteGroup? = nil,
        edits: FileEdits? = nil
    ) -> any WriteTransaction {
        let reading = session.reading(number, table, schema)
        let history = group.map(\.history) ?? TransactionChanges()
        guard let foreign else {
            return StoredTransaction(
                session.connection,
                table,
                rules,
                list: list,
                reading: reading,
                history,
                in: group,
                edits: edits
            )
        }
        return ForeignTransaction(
            session.connection,
            foreign,
            rules,
            list: list,
            reading: reading,
            history,
            mark: mark,
            in: group
        )
    }

    private func newEdits() throws(WriteError) -> FileEdits? {
        try saver.map { (saver) throws(WriteError) in try FileEdits(saver, table, rules) }
    }

    func writeTogether(_ performNext: (_ number: Int) -> Bool) -> [Int] {
        let group = WriteGroup()
        // Readers of a database in memory wait for a transaction, also those of other members.
        guard !location.isMemory || canCopy && saver?.isCurrent ?? false else {
            while performNext(group.member) { group.member += 1 }
            return []
        }
        do throws(WriteError) {
            try gate.pass { (known) throws(WriteError) in
                group.files = known
                defer {
                    known = group.files
                    endCopy(of: group)
                }
                gate.perform(group) {
                    while group.isUsable, performNext(group.member) { group.member += 1 }
                }
                // The members are performed again and report their errors.
                try? commit(group)
            }
        } catch {
            group.fail(error)
            gate.perform(group) { _ = performNext(0) }
        }
        return group.membersToRepeat
    }

    private func write(
        _ batch: WriteBatch,
        in group: WriteGroup,
        earlier: [String: StoredRow] = [:],
        into page: inout Page,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        if let edits = try newEdits(), !group.takes(edits) {
            group.repeatMember()
            throw .busy
        }
        // A refused single change has written nothing.
        let mayBeUndone = batch.changes.count > 1
        let session = try group.begin(mayBeUndone: mayBeUndone) { () throws(WriteError) in
            try forgetting { () throws(WriteError) in
                group.usesCopy = canCopy
                return try begin(&group.files, copying: group.usesCopy)
            }
        }
        do throws(WriteError) {
            let transaction = transaction(
                in: session,
                list: page.list,
                group: group,
                edits: saver == nil ? nil : group.edits
            )
            try refuseChangedRows(of: batch, earlier, in: transaction)
            let outcome = try performer.perform(
                batch,
                in: transaction,
                into: &page,
                response: response
            )
            try group.finish()
            return outcome
        } catch {
            group.undo(after: error)
            forget(error)
            throw error
        }
    }

    /// Another program may have changed rows in the file that the client has not seen.
    private func refuseChangedRows(
        of batch: WriteBatch,
        _ earlier: [String: StoredRow],
        in transaction: any WriteTransaction
    ) throws(WriteError) {
        guard !earlier.isEmpty else { return }
        var refusals: [Int: RowRefusal] = [:]
        for (index, change) in batch.changes.enumerated() {
            guard let id = change.id, let before = earlier[id] else { continue }
            let now = try transaction.row(id)
            let different = rules.columns.indices.filter { column in
                now.map { !$0.values[column].isIdentical(to: before.values[column]) } ?? true
            }
            guard !different.isEmpty else { continue }
            refusals[index] = .changedInFile(
                id,
                different.map { column in
                    ValueConflict(
                        column: column,
                        before: before.values[column],
                        now: now?.values[column]
                    )
                }
            )
        }
        guard refusals.isEmpty else { throw .refused(refusals) }
    }

    /// Whether readers get a copy of the database in memory while a file is saved, because saving
    /// takes longer than copying.
    private var canCopy: Bool {
        guard location.isMemory, let saver else { return false }
        return gate.session.withLock { session in
            // Without the size, readers wait.
            let bytes = try? session?.connection.countBytes()
            return (bytes ?? .max) / 16 < max(saver.knownBytes, 64 << 10)
        }
    }

    private func endCopy(of group: WriteGroup) {
        if group.usesCopy { MemorySnapshots.end(of: location) }
        group.usesCopy = false
    }

    private func commit(_ group: WriteGroup) throws(WriteError) {
        try forgetting { () throws(WriteError) in try group.commit() }
    }

    /// A long write of a database in memory is separated from its readers by a copy.
    private func begin(
        _ known: inout WriterQueue.Files,
        copying: Bool = false
    ) throws(WriteError) -> WriterSession {
        let session = try open(&known)
        do throws(WriteError) {
            try WriteError.ofDatabase { () throws(SQLiteError) in
                if copying {
                    // A cache overflow would be written before the commit, which would have to wait
                    // for remaining readers of the original.
                    try session.connection.execute("PRAGMA cache_spill = OFF")
                    try MemorySnapshots.begin(with: session.connection)
                }
                try session.connection.begin(.writing)
            }
            if let mark {
                let number = try WriteError.ofDatabase { () throws(SQLiteError) in
                    try session.connection.schemaNumber()
                }
                guard number == mark.value else { throw .redefined }
            }
            known = WriterQueue.Files(state: try inspect())
        } catch {
            session.connection.rollback()
            if copying { MemorySnapshots.end(of: location) }
            throw error
        }
        return session
    }

    func stream(
        to list: String,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) {
        if let saver, !saver.isCurrent { try saver.readAgain() }
        var begun: WriterSession?
        try gate.hold(
            { (known) throws(WriteError) in
                begun = try forgetting { () throws(WriteError) in
                    try begin(&known, copying: location.isMemory)
                }
            },
            { () throws(WriteError) in
                guard let begun else { return }
                // Ends the transaction before another thread writes.
                defer {
                    begun.connection.rollback()
                    if location.isMemory { MemorySnapshots.end(of: location) }
                }
                let edits = try newEdits()
                let transaction = transaction(in: begun, list: list, edits: edits)
                try forgetting { () throws(WriteError) in
                    try performer.stream(in: transaction, body)
                }
            }
        )
    }

    private func forgetting<R: Sendable>(
        _ body: () throws(WriteError) -> R
    ) throws(WriteError) -> R {
        do throws(WriteError) {
            return try body()
        } catch {
            forget(error)
            throw error
        }
    }

    /// Drops the connection after an error that a new connection may not have.
    private func forget(_ error: WriteError) {
        switch error {
        case .unavailable, .failed, .unsaved, .uncertain, .readOnly: gate.session.replace(with: nil)
        case .refused, .reusedKey, .busy, .keepsNoAnswers, .full, .redefined: break
        }
    }

    /// Connections with different logs of one database would destroy it together.
    ///
    /// Therefore nothing is written after the log was replaced.
    private func open(_ known: inout WriterQueue.Files) throws(WriteError) -> WriterSession {
        let session = gate.session.withLock { $0 }
        let files: FileFingerprint?
        do throws(WriteError) {
            files = try inspect()
        } catch {
            // The next file may have the same inode number.
            known = WriterQueue.Files()
            throw error
        }
        // The last connection removes the log when it closes, so that no connection uses the old
        // one.
        if session == nil, !known.hasLostLog {
            known = WriterQueue.Files()
        }
        if let files, let before = known.state, files.hasLostLog(of: before) {
            known.hasLostLog = true
        }
        if known.hasLostLog, let files, known.state.map(files.isSameFile) ?? false {
            // Acknowledged writes are now only in the log of this connection. A failure makes
            // nothing worse.
            try? session?.connection.execute("PRAGMA wal_checkpoint")
            throw .unavailable(
                reason: "another program removed the database's write-ahead log; nothing is written"
                    + " until the program is started again"
            )
        }
        if let session, session.files.map({ files?.isSameFile(as: $0) ?? false }) ?? true {
            return session
        }
        let connection = try WriteError.ofDatabase { () throws(SQLiteError) in
            try DatabaseConnection(
                location,
                access: foreign == nil ? .readWrite : .writeForeign,
                busyTimeout: gate.longestWait
            )
        }
        connection.core.log = gate.log
        let opened = WriterSession(connection, files)
        gate.session.replace(with: opened)
        return opened
    }

    /// Throws if it is missing, because SQLite would create a new one.
    private func inspect() throws(WriteError) -> FileFingerprint? {
        guard case .file(let path) = location else { return nil }
        do throws(ReadingError) {
            return try FileFingerprint(path: path)
        } catch {
            throw .unavailable(reason: "\(error.sourceError)")
        }
    }
}

extension WriteError {
    init(_ error: SQLiteError) {
        // A foreign key that is checked only at the commit.
        if case .engine(.commit, _, _) = error, let violation = ConstraintViolation(error, of: "") {
            self = .refused([0: .invalid([FieldValidationError(column: nil, violation.reason)])])
            return
        }
        switch error.cause {
        case .busy: self = .busy
        case .full: self = .full
        case .readOnly: self = .readOnly
        case .cannotOpen, .notADatabase, .corrupted, .unreadableLog, .unknownFormat, .inputOutput,
            .other:
            self = .unavailable(reason: "\(error)")
        }
    }

    static func ofDatabase<R: ~Copyable>(
        _ body: () throws(SQLiteError) -> R
    ) throws(WriteError) -> R {
        do {
            return try body()
        } catch {
            throw WriteError(error)
        }
    }
}
