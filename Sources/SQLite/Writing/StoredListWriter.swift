import Database
import Listings
import Locks

/// Writes the rows of a list that Roster stores, through the writing connection of its database.
///
/// A commit returns when the log is on disk (WAL, `synchronous=FULL`). A database in memory lives
/// as long as the process.
final class StoredListWriter: ListWriter {
    private let location: DatabaseLocation
    private let table: TableDescription
    private let schema: ListSchema
    private let gate: WriterQueue
    private let number: UInt64
    private let performer: BatchWriter

    init(
        _ location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        writing: TableWriting,
        registration: Registration<Record>
    ) {
        self.location = location
        self.table = table
        self.schema = schema
        gate = writing.gate
        number = writing.number
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
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        if let group = gate.currentGroup {
            return try write(batch, in: group, into: &page, answer: answer)
        }
        return try gate.pass { (known) throws(WriteError) in
            let group = WriteGroup()
            group.files = known
            defer { known = group.files }
            let response = try write(batch, in: group, into: &page, answer: answer)
            try commit(group)
            return response
        }
    }

    func writeTogether(_ performNext: (_ number: Int) -> Bool) -> [Int] {
        let group = WriteGroup()
        // Readers of a database in memory wait for a transaction, and none of its writes is synced.
        guard !location.isMemory else {
            while performNext(group.member) { group.member += 1 }
            return []
        }
        do throws(WriteError) {
            try gate.pass { (known) throws(WriteError) in
                group.files = known
                defer { known = group.files }
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
        into page: inout Page,
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        // A refused single change has written nothing.
        let mayBeUndone = batch.changes.count > 1
        let session = try group.begin(mayBeUndone: mayBeUndone) { () throws(WriteError) in
            try forgetting { () throws(WriteError) in try begin(&group.files) }
        }
        do throws(WriteError) {
            let transaction = StoredTransaction(
                session.connection,
                table,
                rules,
                list: page.list,
                reading: session.reading(number, table, schema),
                in: group
            )
            let response = try performer.perform(
                batch,
                in: transaction,
                into: &page,
                answer: answer
            )
            try group.finish()
            return response
        } catch {
            group.undo(after: error)
            forget(error)
            throw error
        }
    }

    private func commit(_ group: WriteGroup) throws(WriteError) {
        try forgetting { () throws(WriteError) in try group.commit() }
    }

    private func begin(_ known: inout WriterQueue.Files) throws(WriteError) -> WriterSession {
        let session = try open(&known)
        try WriteError.ofDatabase { () throws(SQLiteError) in
            try session.connection.begin(.writing)
        }
        do throws(WriteError) {
            known = WriterQueue.Files(state: try look())
        } catch {
            session.connection.rollback()
            throw error
        }
        return session
    }

    func stream(
        to list: String,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) {
        var begun: WriterSession?
        try gate.hold(
            { (known) throws(WriteError) in
                begun = try forgetting { () throws(WriteError) in try beginStreaming(&known) }
            },
            { () throws(WriteError) in
                guard let begun else { return }
                // Ends the transaction before another thread writes.
                defer {
                    begun.connection.rollback()
                    endCopy()
                }
                let transaction = StoredTransaction(
                    begun.connection,
                    table,
                    rules,
                    list: list,
                    reading: begun.reading(number, table, schema)
                )
                try forgetting { () throws(WriteError) in
                    try performer.stream(in: transaction, body)
                }
            }
        )
    }

    private func beginStreaming(
        _ known: inout WriterQueue.Files
    ) throws(WriteError) -> WriterSession {
        let session = try open(&known)
        try WriteError.ofDatabase { () throws(SQLiteError) in
            guard location.isMemory else { return try session.connection.begin(.writing) }
            // A cache overflow would be written before the commit, which would have to wait for
            // remaining readers of the original.
            try session.connection.execute("PRAGMA cache_spill = OFF")
            try MemorySnapshots.begin(with: session.connection)
            do throws(SQLiteError) {
                try session.connection.begin(.writing)
            } catch {
                endCopy()
                throw error
            }
        }
        do throws(WriteError) {
            known = WriterQueue.Files(state: try look())
        } catch {
            session.connection.rollback()
            endCopy()
            throw error
        }
        return session
    }

    private func endCopy() {
        if location.isMemory { MemorySnapshots.end(of: location) }
    }

    /// Runs a closure, and drops the connection after an error that a new one may not have.
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
        case .unavailable, .uncertain, .readOnly: gate.session.replace(with: nil)
        case .refused, .reusedKey, .busy, .keepsNoAnswers, .full: break
        }
    }

    /// It is reopened if the file was replaced.
    ///
    /// Connections with different logs of one database would destroy it together. Therefore nothing
    /// is written after the log was replaced.
    private func open(_ known: inout WriterQueue.Files) throws(WriteError) -> WriterSession {
        let session = gate.session.withLock { $0 }
        let files: FileFingerprint?
        do throws(WriteError) {
            files = try look()
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
                access: .readWrite,
                busyTimeout: gate.longestWait
            )
        }
        connection.core.log = gate.log
        let opened = WriterSession(connection, files)
        gate.session.replace(with: opened)
        return opened
    }

    /// Throws if it is missing, because SQLite would create a new one.
    private func look() throws(WriteError) -> FileFingerprint? {
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
        switch error.cause {
        case .busy: self = .busy
        case .full: self = .full
        case .readOnly: self = .readOnly
        case .cannotOpen, .notADatabase, .corrupted, .unreadableLog, .newerFormat, .inputOutput,
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
