import Synchronization

/// A number that any thread reads and sets without waiting.
package final class SharedNumber: Sendable {
    private let atomic: Atomic<UInt64>

    package init(_ value: UInt64) { atomic = Atomic(value) }

    package var value: UInt64 {
        get { atomic.load(ordering: .acquiring) }
        set { atomic.store(newValue, ordering: .releasing) }
    }
}

/// A counter that one thread raises and every thread may read.
///
/// It needs no lock and no locked instruction, because only its own thread writes to it.
package struct ThreadLocalCounter: ~Copyable, Sendable {
    private let number = Atomic(0)

    package init() {}

    /// Called on the owner's thread only.
    package func add(_ amount: Int = 1) {
        number.store(number.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// The value that is visible to the reading thread.
    package var value: Int { number.load(ordering: .relaxed) }
}
