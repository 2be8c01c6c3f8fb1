package import Listings
import Locks
import Synchronization

/// A lock that lets one thread of the process at a time write to a database.
///
/// Other threads wait without polling SQLite.
package final class WriterQueue: Sendable {
    /// The writers' knowledge of the files of a database.
    struct Files {
        /// The state at the last write.
        ///
        /// Nil before the first one, and in memory.
        var state: FileFingerprint?
        /// Whether another program has removed the log that writers had opened.
        var hasLostLog = false
    }
    /// A long write, such as an import.
    private struct Hold {
        var isHeld = false
        /// The number of threads that wait for its end.
        var waiting = 0
    }

    /// The maximum wait for the end of a long write.
    static let longestWait = Duration.seconds(5)
    /// The maximum number of waiting threads, so that other threads can write to other databases.
    private static let maximumWaiting = 2

    private let files = Locked(Files())
    private let hold = Monitor(Hold())

    /// The number of connections that write to the database.
    let writers = Atomic<Int>(0)

    /// Creates an open gate.
    package init() {}

    /// Runs a closure while no other thread writes.
    ///
    /// - Parameter body: May change the files that the next writer compares with.
    /// - Returns: The result of the closure.
    /// - Throws: ``WriteError/busy`` if a long write does not end within ``longestWait``, and the
    ///   errors of the closure.
    func pass<R: Sendable>(
        _ body: (inout Files) throws(WriteError) -> R
    ) throws(WriteError) -> R {
        while true {
            try awaitEndOfHold()
            let result: R? = try files.withLock { (files) throws(WriteError) in
                // Another thread may have begun a long write since the check.
                guard !isHeld else { return nil }
                return try body(&files)
            }
            if let result { return result }
        }
    }

    private var isHeld: Bool { !hold.wait(for: .zero) { !$0.isHeld } }

    private func awaitEndOfHold() throws(WriteError) {
        guard isHeld else { return }
        let isAdmitted = hold.withLock { hold in
            guard hold.waiting < Self.maximumWaiting else { return false }
            hold.waiting += 1
            return true
        }
        guard isAdmitted else { throw .busy }
        let hasEnded = hold.wait(for: Self.longestWait) { !$0.isHeld }
        hold.withLock { $0.waiting -= 1 }
        guard hasEnded else { throw .busy }
    }

    /// Runs a write of any duration.
    ///
    /// Other threads wait for at most ``longestWait``.
    ///
    /// - Parameters:
    ///   - begin: Begins the write while no other thread writes; see ``pass(_:)``.
    ///   - body: Continues the write.
    /// - Throws: ``WriteError/busy`` if another long write does not end in time, and the errors of
    ///   the closures.
    func hold(
        _ begin: (inout Files) throws(WriteError) -> Void,
        _ body: () throws(WriteError) -> Void
    ) throws(WriteError) {
        try pass { (files) throws(WriteError) in
            try begin(&files)
            hold.withLock { $0.isHeld = true }
        }
        defer { hold.withLock { $0.isHeld = false } }
        try body()
    }
}

/// The rules and the gate for writing rows of a table.
package struct TableWriting: Sendable {
    /// The gate, shared by all lists of a database.
    package let gate: WriterQueue
    /// The rules for the values of rows.
    package let rules: RowRules

    /// Creates a description for rows that follow the given rules.
    package init(_ rules: RowRules, through gate: WriterQueue) {
        self.rules = rules
        self.gate = gate
    }
}
