import Database
import Listings

/// Writes the rows of a list that Roster stores, through a connection of its own.
///
/// A commit returns when the log is on the disk (WAL, `synchronous=FULL`); a database in memory
/// lives as long as the process.
final class StoredListWriter<Model>: ListWriter
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// The longest wait for another process; threads of this one wait at the gate.
    private static var busyTimeout: Duration { .milliseconds(500) }

    let rules: RowRules
    private let location: DatabaseLocation
    private let table: TableDescription
    private let schema: ListSchema
    private let gate: WriteGate
    private let registration: Registration<Model>
    private let decode: @Sendable (Record) -> Model
    /// Nil until the first write.
    private var session: Session?

    private struct Session {
        let connection: DatabaseConnection
        let reading: TableReading
        let files: FileState?
    }

    init(
        _ location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        writing: TableWriting,
        registration: Registration<Model>,
        decode: @escaping @Sendable (Record) -> Model
    ) {
        self.location = location
        self.table = table
        self.schema = schema
        gate = writing.gate
        rules = writing.rules
        self.registration = registration
        self.decode = decode
    }

    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteAnswer {
        do {
            return try gate.pass { () throws(WriteError) in
                let session = try open()
                let connection = session.connection
                try WriteError.ofDatabase { () throws(SQLiteError) in
                    try connection.begin(.writing)
                }
                // After a commit there is nothing left to roll back.
                defer { connection.rollback() }
                return try write(batch, through: session, into: &page, answer: answer)
            }
        } catch {
            // What went wrong below may be right again in a connection opened anew.
            if case .unavailable = error { session = nil }
            throw error
        }
    }

    private func write(
        _ batch: WriteBatch,
        through session: Session,
        into page: inout Page,
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteAnswer {
        let connection = session.connection
        let kept = KeptAnswers(connection: connection, list: page.list)
        if let receipt = batch.receipt, let answer = try kept.answer(to: receipt) {
            return .repeated(answer)
        }
        let results = try perform(batch, on: connection)
        let effects = results.compactMap { try? $0.get().effect }
        let isChanged = effects.contains { $0 != .unchanged }
        let growth = effects.count { $0 == .created } - effects.count { $0 == .deleted }
        let version = try WriteError.ofDatabase { () throws(SQLiteError) in
            try isChanged
                ? ListCatalog.advance(page.list, growth: growth, in: connection)
                : ListCatalog.version(of: page.list, in: connection)
        }
        guard let version else {
            throw .unavailable(reason: "the database has no list \(page.list) any more")
        }
        try fill(&page, results, version, through: session.reading)
        let bytes = answer(page, results)
        guard isChanged || batch.receipt != nil else { return .performed(bytes) }
        try WriteError.ofDatabase { () throws(SQLiteError) in
            if let receipt = batch.receipt { try kept.keep(bytes, for: receipt) }
            try connection.commit()
        }
        return .performed(bytes)
    }

    private func perform(
        _ batch: WriteBatch,
        on connection: DatabaseConnection
    ) throws(WriteError) -> [Result<ChangedRow, RowRefusal>] {
        let rows = RowStatements(connection, table, rules)
        var results: [Result<ChangedRow, RowRefusal>] = []
        var refusals: [Int: RowRefusal] = [:]
        for (index, change) in batch.changes.enumerated() {
            let result = try WriteError.ofDatabase { () throws(SQLiteError) in
                try rows.perform(change)
            }
            if case .failure(let refusal) = result { refusals[index] = refusal }
            results.append(result)
        }
        guard batch.manner == .each || refusals.isEmpty else { throw .refused(refusals) }
        return results
    }

    /// Fills the page with the row that a single change leaves.
    private func fill(
        _ page: inout Page,
        _ results: [Result<ChangedRow, RowRefusal>],
        _ version: ListVersion,
        through reading: TableReading
    ) throws(WriteError) {
        let grouping = schema.defaultGrouping
        page.begin(ListQuery(grouping: grouping, shape: .flow(limit: 1)), version: version)
        guard results.count == 1, case .success(let row) = results[0], row.effect != .deleted
        else { return }
        do {
            guard let found = try reading.record(row.id, grouping: grouping) else { return }
            page.beginSection(schema.section(found.section, grouping: grouping))
            page.append(decode(Record(found.batch, at: 0)), using: registration)
            try page.end()
        } catch {
            throw .unavailable(reason: "\(error)")
        }
    }

    /// The connection; a new one where another file has taken the place of the one that was open.
    private func open() throws(WriteError) -> Session {
        let files = try look()
        if let session, session.files.map({ files?.isSameFile(as: $0) ?? false }) ?? true {
            return session
        }
        let connection = try WriteError.ofDatabase { () throws(SQLiteError) in
            try DatabaseConnection(
                location,
                access: .readWrite,
                busyTimeout: Self.busyTimeout
            )
        }
        let reading = TableReading(connection, table: table, schema: schema)
        let session = Session(connection: connection, reading: reading, files: files)
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
