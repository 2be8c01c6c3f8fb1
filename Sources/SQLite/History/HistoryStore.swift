import Database
package import Listings
import Locks
import System

/// The history of changes in a SQLite file of its own.
///
/// Changes are in the file before the list has them, and confirmed after it. So no entry says that
/// something was committed that was not. A change whose commit was interrupted has the outcome
/// `unknown` after the next start.
package final class HistoryStore: ChangeHistory {
    package struct Limits: Sendable {
        package let age: Duration
        package let bytes: Int

        package init(age: Duration, bytes: Int) { (self.age, self.bytes) = (age, bytes) }
    }

    private enum Outcome: Int64 {
        case pending
        case committed
        case unknown
    }

    private struct State {
        let session: WriterSession
        /// Batches whose outcome could not be written, with whether they were committed.
        var unsettled: [Int64: Bool] = [:]
        var uncheckedEntries = 0
    }

    /// The entries between two checks of the limits.
    private static let entriesPerCheck = 1_000

    /// The letters `Rhis`, by which the file is told from databases that hold anything else.
    private static let applicationID: Int64 = 0x5268_6973

    package let location: DatabaseLocation
    private let path: String
    private let limits: Limits
    private let state: Locked<State>
    private let file: FileFingerprint?

    /// Opens or creates the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limits: The age and size beyond which the oldest entries are removed.
    ///   - wait: The maximum wait for a lock of another program.
    /// - Throws: ``SQLiteError``.
    package init(
        at path: String,
        _ limits: Limits,
        wait: Duration = .seconds(5)
    ) throws(SQLiteError) {
        let location = DatabaseLocation.file(Array(path.utf8))
        (self.location, self.path, self.limits) = (location, path, limits)
        let isNew = Self.isEmpty(path)
        let connection = try DatabaseConnection(location, access: .readWrite, busyTimeout: wait)
        if isNew {
            try connection.execute(
                "PRAGMA application_id = \(Self.applicationID);"
                    + " PRAGMA auto_vacuum = INCREMENTAL; VACUUM"
            )
        }
        file = try? FileFingerprint(path: Array(path.utf8))
        try connection.transaction(.writing) { () throws(SQLiteError) in
            try connection.execute(Self.tables)
            try connection.execute(Self.view(of: [:]))
            try connection.execute(
                "UPDATE batches SET outcome = \(Outcome.unknown.rawValue)"
                    + " WHERE outcome = \(Outcome.pending.rawValue)"
            )
        }
        state = Locked(State(session: WriterSession(connection, nil)))
        try state.withLock { (state) throws(SQLiteError) in try remove(&state) }
    }

    private static func isEmpty(_ path: String) -> Bool {
        (try? FileFingerprint(path: Array(path.utf8)))?.isEmpty ?? true
    }

    /// Whether a file is a database of something else, which stays as it is.
    package static func isForeign(_ path: String) throws(SQLiteError) -> Bool {
        guard !isEmpty(path) else { return false }
        let connection = try DatabaseConnection(.file(Array(path.utf8)), access: .readOnly)
        let number = try connection.prepare("PRAGMA application_id")
        return try !number.step() || number.integer(0) != applicationID
    }

    /// Whether the file of the history is at a path now.
    package func isFile(at path: String) -> Bool {
        guard let file, let other = try? FileFingerprint(path: Array(path.utf8)) else {
            return false
        }
        return file.isSameFile(as: other)
    }

    /// Shows the changes of the served lists.
    ///
    /// Those that were recorded before a column was hidden have no values.
    ///
    /// - Parameter lists: The hidden columns, by the names of the lists.
    /// - Throws: ``SQLiteError``.
    package func show(_ lists: [String: [String]]) throws(SQLiteError) {
        try state.withLock { (state) throws(SQLiteError) in
            let connection = state.session.connection
            try connection.transaction(.writing) { () throws(SQLiteError) in
                try connection.execute(Self.view(of: lists))
            }
        }
    }

    private static let tables = """
        CREATE TABLE IF NOT EXISTS batches (id INTEGER PRIMARY KEY, outcome INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS entries (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          batch INTEGER NOT NULL,
          time TEXT NOT NULL,
          caller TEXT,
          list TEXT NOT NULL,
          row TEXT NOT NULL,
          change TEXT NOT NULL,
          old TEXT,
          new TEXT
        );
        CREATE INDEX IF NOT EXISTS entries_of_rows ON entries (list, row);
        CREATE INDEX IF NOT EXISTS entries_of_batches ON entries (batch);
        """

    /// The table that ``HistoryList`` shows.
    static let viewName = "history"

    private static func view(of lists: [String: [String]]) -> String {
        func text(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
        func values(_ column: String) -> String {
            let cases = lists.sorted { $0.key < $1.key }.flatMap { list, names in
                names.map { name in
                    let member = text(RecordedChange.start(ofMember: name))
                    return " WHEN e.list = \(text(list))"
                        + " AND instr(e.\(column), \(member)) THEN NULL"
                }
            }
            let shown =
                cases.isEmpty
                ? "e.\(column)" : "CASE\(cases.joined()) ELSE e.\(column) END"
            // The stored form of JSON (KeyedValue).
            return "CAST('j' || \(shown) AS BLOB) AS \(column)"
        }
        let names = lists.keys.sorted().map(text).joined(separator: ", ")
        return """
            DROP VIEW IF EXISTS \(viewName);
            CREATE VIEW \(viewName) AS
              SELECT e.id, e.time, e.caller, e.list, e.row, e.change, \(values("old")),
                \(values("new")), iif(b.outcome = 1, 'committed', 'unknown') AS outcome
              FROM entries AS e CROSS JOIN batches AS b ON b.id = e.batch
              WHERE b.outcome <> 0 AND e.list IN (\(names));
            """
    }

    package func prepare(
        _ changes: [RecordedChange],
        in batch: Int64?
    ) throws(WriteError) -> Int64 {
        guard isFile(at: path) else {
            throw .unavailable(reason: "the file of the history was removed or replaced")
        }
        do {
            return try state.withLock { (state) throws(SQLiteError) in
                let connection = state.session.connection
                let number = try connection.transaction(.writing) { () throws(SQLiteError) in
                    try settle(state.unsettled, on: connection)
                    return try add(changes, to: batch, on: connection)
                }
                state.unsettled = [:]
                state.uncheckedEntries += changes.count
                if state.uncheckedEntries >= Self.entriesPerCheck { try remove(&state) }
                return number
            }
        } catch {
            let error = WriteError(error)
            if case .full = error { throw error }
            throw .unavailable(reason: "the history cannot be written: \(error)")
        }
    }

    private func add(
        _ changes: [RecordedChange],
        to batch: Int64?,
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> Int64 {
        var number = batch
        if number == nil {
            let begin = try connection.statement(
                "INSERT INTO batches (outcome) VALUES (\(Outcome.pending.rawValue))"
            )
            try begin.run()
            number = connection.lastInsertedRowID
        }
        let entry = try connection.statement(
            """
            INSERT INTO entries (batch, time, caller, list, row, change, old, new)
              VALUES (?1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        for change in changes {
            let values: [String?] = [
                change.caller, change.list, change.row, change.change, change.old, change.new,
            ]
            try entry.bind(1, number ?? 0)
            for (position, value) in values.enumerated() {
                try entry.bind(position + 2, value.map(CellValue.text) ?? .null)
            }
            try entry.run()
        }
        return number ?? 0
    }

    package func settle(_ batch: Int64, isCommitted: Bool) {
        state.withLock { state in
            state.unsettled[batch] = isCommitted
            let connection = state.session.connection
            do throws(SQLiteError) {
                // After a power failure, the outcome may be unknown.
                try connection.execute("PRAGMA synchronous = NORMAL")
                try connection.transaction(.writing) { () throws(SQLiteError) in
                    try settle(state.unsettled, on: connection)
                }
                state.unsettled = [:]
            } catch {
                // The next change writes it.
            }
            // A pragma fails in no state that the connection is in here.
            try? connection.execute("PRAGMA synchronous = FULL")
        }
    }

    private func settle(
        _ outcomes: [Int64: Bool],
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        for (batch, isCommitted) in outcomes {
            let sql =
                isCommitted
                ? ["UPDATE batches SET outcome = \(Outcome.committed.rawValue) WHERE id = ?1"]
                : ["DELETE FROM entries WHERE batch = ?1", "DELETE FROM batches WHERE id = ?1"]
            for text in sql {
                let statement = try connection.statement(text)
                try statement.bind(1, batch)
                try statement.run()
            }
        }
    }

    // MARK: - Limits

    /// Removes the oldest entries until the rest keeps the limits.
    private func remove(_ state: inout State) throws(SQLiteError) {
        state.uncheckedEntries = 0
        let connection = state.session.connection
        var isSmaller = false
        while try removeNext(connection) { isSmaller = true }
        guard isSmaller else { return }
        try connection.execute("PRAGMA incremental_vacuum")
        _ = try connection.emptyLog()
    }

    private func removeNext(_ connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        let oldest = try connection.statement(
            """
            SELECT (SELECT min(id) FROM entries), (SELECT max(id) FROM entries),
              (SELECT time FROM entries ORDER BY id LIMIT 1)
                < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?1),
              (SELECT (page_count - freelist_count) * page_size
                FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()) > ?2
            """
        )
        defer { oldest.reset() }
        try oldest.bind(1, "-\(limits.age.components.seconds) seconds")
        try oldest.bind(2, Int64(limits.bytes))
        guard try oldest.step(), oldest.held(0).storage != .null else { return false }
        let (first, last) = (oldest.integer(0), oldest.integer(1))
        let (isOld, isLarge) = (oldest.integer(2) != 0, oldest.integer(3) != 0)
        guard isOld || isLarge else { return false }
        oldest.reset()
        // The last entry stays, which a single large change may need.
        let step = isLarge ? (last - first) / 20 : 999
        guard first < last || isOld else { return false }
        try connection.transaction(.writing) { () throws(SQLiteError) in
            let entries = try connection.statement(
                """
                DELETE FROM entries WHERE id <= ?1
                  AND (?2 OR time < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?3))
                """
            )
            try entries.bind(1, first + step)
            try entries.bind(2, Int64(isLarge ? 1 : 0))
            try entries.bind(3, "-\(limits.age.components.seconds) seconds")
            try entries.run()
            try connection.execute(
                "DELETE FROM batches WHERE outcome <> 0"
                    + " AND id < coalesce((SELECT min(batch) FROM entries), 0)"
            )
        }
        return true
    }
}
