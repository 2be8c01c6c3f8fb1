package import Listings
import Synchronization

/// Lets one thread of the process at a time write to a database; the others wait their turn here
/// rather than asking the engine again and again.
package final class WriteGate: Sendable {
    private let mutex = Mutex(())

    /// Creates an open gate.
    package init() {}

    /// Does something that nobody else does at the time.
    func pass<R: Sendable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try mutex.withLock { (_) throws(E) in try body() }
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
