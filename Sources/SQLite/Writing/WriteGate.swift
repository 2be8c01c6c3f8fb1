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
    private struct State {
        var files = Files()
        /// Whether somebody writes for longer than others would wait.
        var isHeld = false
    }

    private let state = Locked(State())

    /// How many connections write to the database.
    let writers = Atomic<Int>(0)

    /// Creates an open gate.
    package init() {}

    /// Does something that nobody else does at the time.
    ///
    /// - Parameter body: May change which files the next writer is to find.
    /// - Returns: What the body returns.
    /// - Throws: ``WriteError/busy`` while somebody writes for long, and what the body throws.
    func pass<R: Sendable>(
        _ body: (inout Files) throws(WriteError) -> R
    ) throws(WriteError) -> R {
        try state.withLock { (state) throws(WriteError) in
            guard !state.isHeld else { throw .busy }
            return try body(&state.files)
        }
    }

    /// Writes for as long as it takes; others do not wait meanwhile, but are refused.
    ///
    /// - Parameters:
    ///   - begin: Begins while nobody else does; see ``pass(_:)``.
    ///   - body: Goes on.
    /// - Throws: ``WriteError/busy`` while somebody else writes for long, and what the bodies throw.
    func hold(
        _ begin: (inout Files) throws(WriteError) -> Void,
        _ body: () throws(WriteError) -> Void
    ) throws(WriteError) {
        try state.withLock { (state) throws(WriteError) in
            guard !state.isHeld else { throw .busy }
            try begin(&state.files)
            state.isHeld = true
        }
        defer { state.withLock { $0.isHeld = false } }
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
