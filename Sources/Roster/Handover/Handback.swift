import Locks

/// What a thread makes for a loop, on its way.
final class Handback<Value: ~Copyable & Sendable>: Sendable {
    private let value: Locked<Value?> = Locked(nil)
    private let wanted = Locked(true)

    /// Whether it is still of use.
    var isWanted: Bool { wanted.withLock { $0 } }

    /// Takes note that it is not.
    func cancel() { wanted.withLock { $0 = false } }

    /// Puts it in.
    func put(_ value: consuming Value) { self.value.replace(with: value) }

    /// Hands it over; nil while it is not there.
    func take() -> Value? { value.withLock { $0.take() } }
}
