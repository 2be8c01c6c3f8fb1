import Database
import Listings
import Synchronization

/// Writes the rows of a list that Roster stores, through its own connection.
///
/// A commit returns when the log is on disk (WAL, `synchronous=FULL`). A database in memory lives
/// as long as the process.
final class StoredListWriter: StreamingWriter {
    /// The maximum wait for another process and, in memory, for readers.
    ///
    /// Other writers of this process wait at the gate.
    private var busyTimeout: Duration {
        location.isMemory ? DatabaseConnection.longestWaitInMemory : .milliseconds(500)
    }

    private let location: DatabaseLocation
    private let table: TableDescription
    private let schema: ListSchema
    private let gate: WriterQueue
    private let performer: BatchWriter
    /// Nil until the first write.
    private var session: Session?

    /// A writing connection, closed with the last reference to it.
    private final class Session {
        let connection: DatabaseConnection
        let reading: TableQueries
        let files: FileFingerprint?
        private let gate: WriterQueue

        init(
            _ connection: DatabaseConnection,
            _ reading: TableQueries,
            _ files: FileFingerprint?,
            through gate: WriterQueue
        ) {
            self.connection = connection
            self.reading = reading
            self.files = files
            self.gate = gate
            gate.writers.add(1, ordering: .sequentiallyConsistent)
        }

        /// Informs the gate before the connection closes, which may remove the log.
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
        performer = BatchWriter(
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
    ) throws(WriteError) -> WriteResponse {
        do {
            return try gate.pass { (known) throws(WriteError) in
                let session = try open(&known)
                let connection = session.connection
                try WriteError.ofDatabase { () throws(SQLiteError) in
                    try connection.begin(.writing)
                }
                // After a commit, the rollback has no effect.
                defer { connection.rollback() }
                known = WriterQueue.Files(state: try look())
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
        _ known: inout WriterQueue.Files
    ) throws(WriteError) -> Session {
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

    /// Drops the connection after an error that a new connection may not have.
    private func forget(_ error: WriteError) {
        switch error {
        case .unavailable, .uncertain, .readOnly: session = nil
        case .refused, .reusedKey, .busy, .keepsNoAnswers, .full: break
        }
    }

    /// The connection.
    ///
    /// It is reopened if the file was replaced.
    ///
    /// Connections with different logs of one database would destroy it together. Therefore nothing
    /// is written after the log was replaced.
    private func open(_ known: inout WriterQueue.Files) throws(WriteError) -> Session {
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
        if gate.writers.load(ordering: .sequentiallyConsistent) == 0, !known.hasLostLog {
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
                busyTimeout: busyTimeout
            )
        }
        let reading = TableQueries(connection, table: table, schema: schema)
        let session = Session(connection, reading, files, through: gate)
        self.session = session
        return session
    }

    /// The state of the file.
    ///
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
    /// Converts an error of the database.
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

    /// Runs a closure that uses the database, and converts its errors.
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
