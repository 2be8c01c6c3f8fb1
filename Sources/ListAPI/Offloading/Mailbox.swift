import Locks

/// A one-shot mailbox: a worker puts a value, the event loop takes it.
final class Mailbox<Value: ~Copyable & Sendable>: Sendable {
    private let value: Locked<Value?> = Locked(nil)
    private let wanted = Locked(true)

    /// Whether the loop still needs the value.
    var isWanted: Bool { wanted.withLock { $0 } }

    /// Marks the value as no longer needed.
    func cancel() { wanted.withLock { $0 = false } }

    /// Puts the value into the mailbox.
    func put(_ value: consuming Value) { self.value.replace(with: value) }

    /// Takes the value out of the mailbox; nil while there is none.
    func take() -> Value? { value.withLock { $0.take() } }
}
