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
