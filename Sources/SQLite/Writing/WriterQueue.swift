package import Listings
import Locks
import Synchronization

/// A lock that lets one thread of the process at a time write to a database.
///
/// Other threads wait without polling SQLite.
package final class WriterQueue: Sendable {
    struct Files {
        /// The state at the last write.
        ///
        /// Nil before the first one, and in memory.
        var state: FileFingerprint?
        /// Whether another program has removed the log that writers had opened.
        var hasLostLog = false
    }

    /// The maximum wait for the end of a long write, or of one of another program.
    let longestWait: Duration

    let log = WriteAheadLog()

    private let files = Locked(Files())
    /// Whether a long write, such as an import, is in progress.
    private let isHeld = Monitor(false)
    private let groups = Locked<[UInt: WriteGroup]>([:])

    /// The connection that writes; nil until the first write, and after an error.
    ///
    /// Only the thread that has passed uses it.
    let session = Locked<WriterSession?>(nil)

    package init(longestWait: Duration = .seconds(5)) { self.longestWait = longestWait }

    /// Runs a closure while no other thread writes.
    ///
    /// It may change the files that the next writer compares with. Throws ``WriteError/busy`` if a
    /// long write does not end within ``longestWait``.
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

    /// Other threads wait for at most ``longestWait``.
    ///
    /// `begin` runs while no other thread writes; see ``pass(_:)``. Throws ``WriteError/busy`` if
    /// another long write does not end in time.
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
    /// Other writers wait.
    ///
    /// Readers of a database in memory use a copy meanwhile.
    ///
    /// The connection is outside a transaction. Throws ``WriteError/busy`` if another long write
    /// does not end in time, and errors of the copy.
    package func holdLong<R, Failure: Error>(
        _ connection: DatabaseConnection,
        _ body: () throws(Failure) -> R
    ) throws(WriteError) -> Result<R, Failure> {
        let isMemory = connection.location.isMemory
        connection.core.log = log
        var result: Result<R, Failure>?
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
        guard let result else { throw .busy }
        return result
    }
}

package struct TableWriting: Sendable {
    /// The gate, shared by all lists of a database.
    package let gate: WriterQueue
    package let rules: RowRules
    let number: UInt64

    private static let lastNumber = Atomic<UInt64>(0)

    package init(_ rules: RowRules, through gate: WriterQueue) {
        self.rules = rules
        self.gate = gate
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }
}
