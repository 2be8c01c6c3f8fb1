package import Database
package import Listings
import Locks

/// Other threads wait without polling SQLite.
package final class WriterQueue: Sendable {
    struct Files {
        /// Nil before the first one, and in memory.
        var state: FileFingerprint?
        /// Whether another program has removed the log that writers had opened.
        var hasLostLog = false
    }

    /// The maximum wait for the end of a long write, or of one of another program.
    let longestWait: Duration

    let log = WriteAheadLog()

    private let files = Locked(Files())
    private let isHeld = Monitor(false)
    private let groups = Locked<[UInt: WriteGroup]>([:])

    /// Only the thread that has passed uses it.
    let session = Locked<WriterSession?>(nil)

    package init(longestWait: Duration = .seconds(5)) { self.longestWait = longestWait }

    /// Throws ``WriteError/busy`` if a long write does not end within ``longestWait``.
    func pass<R: Sendable>(
        _ body: (inout Files) throws(WriteError) -> R
    ) throws(WriteError) -> R {
        while true {
            guard isHeld.wait(for: longestWait, until: { !$0 }) else { throw .busy }
            let result: R? = try files.withLock { (files) throws(WriteError) in
                // Another thread may have begun a long write since the check.
                guard isHeld.wait(for: .zero, until: { !$0 }) else { return nil }
                return try body(&files)
            }
            if let result { return result }
        }
    }

    var currentGroup: WriteGroup? { groups.withLock { $0[CurrentThread.id] } }

    func perform(_ group: WriteGroup, _ body: () -> Void) {
        groups.withLock { $0[group.thread] = group }
        defer { groups.withLock { _ = $0.removeValue(forKey: group.thread) } }
        body()
    }

    /// `begin` runs while no other thread writes; others then wait for at most ``longestWait``.
    func hold(
        _ begin: (inout Files) throws(WriteError) -> Void,
        _ body: () throws(WriteError) -> Void
    ) throws(WriteError) {
        try pass { (files) throws(WriteError) in
            try begin(&files)
            isHeld.withLock { $0 = true }
        }
        defer { isHeld.withLock { $0 = false } }
        try body()
    }
}

extension WriterQueue {
    /// Other writers wait, and readers of a database in memory use a copy meanwhile.
    ///
    /// The connection is outside a transaction. The given error is thrown if another long write does
    /// not end in time, or there is no room for the copy.
    package func holdLong<R, Failure: Error>(
        _ connection: DatabaseConnection,
        orThrow busy: Failure,
        _ body: () throws(Failure) -> R
    ) throws(Failure) -> R {
        let isMemory = connection.location.isMemory
        connection.core.log = log
        var result: Result<R, Failure>?
        do throws(WriteError) {
            try hold(
                { (files) throws(WriteError) in
                    // The next writer must not compare the file with its state before this write.
                    files = Files()
                    guard isMemory else { return }
                    try WriteError.ofDatabase { () throws(SQLiteError) in
                        try connection.execute("PRAGMA cache_spill = OFF")
                        try MemorySnapshots.begin(with: connection)
                    }
                },
                {
                    defer { if isMemory { MemorySnapshots.end(of: connection.location) } }
                    result = Result(catching: body)
                }
            )
        } catch {
            throw busy
        }
        guard let result else { throw busy }
        return try result.get()
    }
}

package struct TableWriting: Sendable {
    package let gate: WriterQueue
    package let rules: RowRules
    /// Nil for a table that Roster made.
    let info: TableInfo?
    /// Nil if the rows stay in the database.
    let saver: FileSaver?

    package init(
        _ rules: RowRules,
        through gate: WriterQueue,
        of info: TableInfo? = nil,
        saver: FileSaver? = nil
    ) {
        self.rules = rules
        self.info = info
        self.gate = gate
        self.saver = saver
    }
}
