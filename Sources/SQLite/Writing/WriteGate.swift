package import Listings
import Locks
import Synchronization

/// Lets one thread of the process at a time write to a database; the others wait their turn here
/// rather than asking the engine again and again.
package final class WriteGate: Sendable {
    /// What writers know of the files of a database.
    struct Files {
        /// As the last write found them; nil before the first one, and in memory.
        var state: FileState?
        /// Whether somebody has removed the log that writers had opened.
        var hasLostLog = false
    }
    /// A write that takes long, such as an import.
    private struct Hold {
        var isHeld = false
        /// The threads that wait for its end.
        var waiting = 0
    }

    /// The longest wait for the end of a long write.
    static let longestWait = Duration.seconds(5)
    /// The most threads that wait for it: the others write to other databases.
    private static let maximumWaiting = 2

    private let files = Locked(Files())
    private let hold = Monitor(Hold())

    /// How many connections write to the database.
    let writers = Atomic<Int>(0)

    /// Creates an open gate.
    package init() {}

    /// Does something that nobody else does at the time.
    ///
    /// - Parameter body: May change which files the next writer is to find.
    /// - Returns: What the body returns.
    /// - Throws: ``WriteError/busy`` where a long write does not end within ``longestWait``, and what
    ///   the body throws.
    func pass<R: Sendable>(
        _ body: (inout Files) throws(WriteError) -> R
    ) throws(WriteError) -> R {
        while true {
            try awaitEndOfHold()
            let result: R? = try files.withLock { (files) throws(WriteError) in
                // Another thread may have begun a long write meanwhile.
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

    /// Writes for as long as it takes; other threads wait for ``longestWait`` at most.
    ///
    /// - Parameters:
    ///   - begin: Begins while nobody else does; see ``pass(_:)``.
    ///   - body: Goes on.
    /// - Throws: ``WriteError/busy`` where another long write does not end in time, and what the
    ///   bodies throw.
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

/// What makes the rows of a table writable.
package struct TableWriting: Sendable {
    /// Shared by all lists of a database.
    package let gate: WriteGate
    /// What the rows must be like.
    package let rules: RowRules

    /// Makes rows that follow some rules writable.
    package init(_ rules: RowRules, through gate: WriteGate) {
        self.rules = rules
        self.gate = gate
    }
}
