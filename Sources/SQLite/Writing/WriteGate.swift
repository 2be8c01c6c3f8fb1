package import Listings
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
    private let files = Mutex(Files())

    /// How many connections write to the database.
    let writers = Atomic<Int>(0)

    /// Creates an open gate.
    package init() {}

    /// Does something that nobody else does at the time.
    ///
    /// - Parameter body: May change which files the next writer is to find.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    func pass<R: Sendable, E: Error>(
        _ body: (inout Files) throws(E) -> R
    ) throws(E) -> R {
        try files.withLock { (files) throws(E) in try body(&files) }
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
