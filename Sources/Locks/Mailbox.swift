/// A one-shot mailbox between two threads: one puts a value, the other takes it.
package final class Mailbox<Value: ~Copyable>: Sendable {
    private let value: Locked<Value?> = Locked(nil)
    private let wanted = Locked(true)

    /// Creates an empty mailbox.
    package init() {}

    /// Whether the receiver still needs the value.
    package var isWanted: Bool { wanted.withLock { $0 } }

    /// Marks the value as no longer needed.
    package func cancel() { wanted.withLock { $0 = false } }

    /// Puts the value into the mailbox.
    package func put(_ value: consuming sending Value) { self.value.replace(with: value) }

    /// Takes the value out of the mailbox; nil while there is none.
    package func take() -> sending Value? { value.withLock { $0.take() } }
}
