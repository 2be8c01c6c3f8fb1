import Synchronization

/// A number that one thread raises and every thread may read.
///
/// No lock and no locked instruction: nobody but its own thread writes to it.
package struct LoopCount: ~Copyable, Sendable {
    private let number = Atomic(0)

    /// Begins at 0.
    package init() {}

    /// Raises the number; on its own thread only.
    package func add(_ amount: Int = 1) {
        number.store(number.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// The number, as far as the reading thread has heard of it.
    package var value: Int { number.load(ordering: .relaxed) }
}
