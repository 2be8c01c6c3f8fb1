import Synchronization

/// Stops the statements of a connection, from any thread.
package final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)

    /// Creates an interruption that is not raised.
    package init() {}

    /// Whether statements have to stop.
    package var isRaised: Bool { raised.load(ordering: .relaxed) }

    /// Makes the running statement, and every later one, fail with
    /// ``SQLiteError/interrupted``.
    package func raise() { raised.store(true, ordering: .relaxed) }

    /// Allows later statements to run again.
    package func lower() { raised.store(false, ordering: .relaxed) }
}
