import Synchronization

/// Stops what a connection is doing, from any thread.
package final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)

    /// Creates an interruption that is not raised.
    package init() {}

    /// Whether statements are to stop.
    package var isRaised: Bool { raised.load(ordering: .relaxed) }

    /// Makes the running statement, and every later one, fail with
    /// ``SQLiteError/interrupted``.
    package func raise() { raised.store(true, ordering: .relaxed) }

    /// Lets later statements run again.
    package func lower() { raised.store(false, ordering: .relaxed) }
}
