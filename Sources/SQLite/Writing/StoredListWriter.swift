import Database
import Listings
import Synchronization

/// Writes the rows of a list that Roster stores, through a connection of its own.
///
/// A commit returns when the log is on the disk (WAL, `synchronous=FULL`); a database in memory
/// lives as long as the process.
final class StoredListWriter: StreamingWriter {
    /// The longest wait for another process, and in memory for readers.
    ///
    /// Other writers of this process wait at the gate.
    private var busyTimeout: Duration {
        location.isMemory ? DatabaseConnection.longestWaitInMemory : .milliseconds(500)
    }

    private let location: DatabaseLocation
    private let table: TableDescription
    private let schema: ListSchema
    private let gate: WriteGate
    private let performer: BatchPerformer
    /// Nil until the first write.
    private var session: Session?

    /// A connection that writes; closed when nobody holds it any more.
    private final class Session {
        let connection: DatabaseConnection
        let reading: TableReading
        let files: FileState?
        private let gate: WriteGate

        init(
            _ connection: DatabaseConnection,
            _ reading: TableReading,
            _ files: FileState?,
            through gate: WriteGate
        ) {
            self.connection = connection
            self.reading = reading
            self.files = files
            self.gate = gate
            gate.writers.add(1, ordering: .sequentiallyConsistent)
        }

        /// Tells the gate before the connection closes, which may remove the log.
        deinit { gate.writers.subtract(1, ordering: .sequentiallyConsistent) }
    }

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
        performer = BatchPerformer(
            schema,
            rules: writing.rules,
            registration: registration
        )
    }

    var rules: RowRules { performer.rules }

    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteAnswer {
        do {
            return try gate.pass { (known) throws(WriteError) in
                let session = try open(&known)
                let connection = session.connection
                try WriteError.ofDatabase { () throws(SQLiteError) in
                    try connection.begin(.writing)
                }
                // After a commit there is nothing left to roll back.
                defer { connection.rollback() }
                known = WriteGate.Files(state: try look())
                let transaction = StoredTransaction(
                    connection,
                    table,
                    rules,
                    list: page.list,
                    reading: session.reading
                )
                return try performer.perform(batch, in: transaction, into: &page, answer: answer)
            }
        } catch {
            forget(error)
            throw error
        }
    }

    func stream(
        to list: String,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) {
        var begun: Session?
        do {
            try gate.hold(
                { (known) throws(WriteError) in begun = try beginStreaming(&known) },
                { () throws(WriteError) in
                    guard let begun else { return }
                    // Before anybody else writes.
                    defer {
                        begun.connection.rollback()
                        endCopy()
                    }
                    let transaction = StoredTransaction(
                        begun.connection,
                        table,
                        rules,
                        list: list,
                        reading: begun.reading
                    )
                    try performer.stream(in: transaction, body)
                }
            )
        } catch {
            forget(error)
            throw error
        }
    }

    private func beginStreaming(
        _ known: inout WriteGate.Files
    ) throws(WriteError) -> Session {
        let session = try open(&known)
        try WriteError.ofDatabase { () throws(SQLiteError) in
            guard location.isMemory else { return try session.connection.begin(.writing) }
            // What does not fit the cache would be written before the end, for which whoever reads
            // the original still would have to be waited for.
            try session.connection.execute("PRAGMA cache_spill = OFF")
            try MemoryCopies.begin(with: session.connection)
            do throws(SQLiteError) {
                try session.connection.begin(.writing)
            } catch {
                endCopy()
                throw error
            }
        }
        do throws(WriteError) {
            known = WriteGate.Files(state: try look())
        } catch {
            session.connection.rollback()
            endCopy()
            throw error
        }
        return session
    }

    private func endCopy() {
        if location.isMemory { MemoryCopies.end(of: location) }
    }

    /// What went wrong may be right again in a connection opened anew.
    private func forget(_ error: WriteError) {
        switch error {
        case .unavailable, .uncertain, .readOnly: session = nil
        case .refused, .reusedKey, .busy, .keepsNoAnswers, .full: break
        }
    }

    /// The connection; a new one where another file has taken the place of the one that was open.
    ///
    /// Connections that know the log from before and those that find another one in its place would
    /// destroy the database together: nothing is written then.
    private func open(_ known: inout WriteGate.Files) throws(WriteError) -> Session {
        let files: FileState?
        do throws(WriteError) {
            files = try look()
        } catch {
            // The next file may well have the number of this one.
            known = WriteGate.Files()
            throw error
        }
        // The last connection that closes takes the log with it; nobody else knows it then.
        if gate.writers.load(ordering: .sequentiallyConsistent) == 0, !known.hasLostLog {
            known = WriteGate.Files()
        }
        if let files, let before = known.state, files.hasLostLog(of: before) {
            known.hasLostLog = true
        }
        if known.hasLostLog, let files, known.state.map(files.isSameFile) ?? false {
            // What was acknowledged is in the log that only this connection has yet. Where that
            // fails, nothing worse has happened than before.
            try? session?.connection.execute("PRAGMA wal_checkpoint")
            throw .unavailable(
                reason: "somebody has removed the database's write-ahead log; nothing is written"
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
                busyTimeout: busyTimeout
            )
        }
        let reading = TableReading(connection, table: table, schema: schema)
        let session = Session(connection, reading, files, through: gate)
        self.session = session
        return session
    }

    /// A file that has gone is not made anew, as the engine would.
    private func look() throws(WriteError) -> FileState? {
        guard case .file(let path) = location else { return nil }
        do throws(ReadingError) {
            return try FileState(path: path)
        } catch {
            throw .unavailable(reason: "\(error.sourceError)")
        }
    }
}

extension WriteError {
    /// What an error of the database means for a write.
    init(_ error: SQLiteError) {
        switch error.cause {
        case .busy: self = .busy
        case .full: self = .full
        case .readOnly: self = .readOnly
        case .cannotOpen, .notADatabase, .corrupted, .inputOutput, .other:
            self = .unavailable(reason: "\(error)")
        }
    }

    /// Uses the database; what it throws becomes an error of the write.
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
