/// A one-shot mailbox between two threads: one puts a value, the other takes it.
package final class Mailbox<Value: ~Copyable>: Sendable {
    private let value: Locked<Value?> = Locked(nil)
    /// The cancellation of the work for the value.
    package let cancellation = RequestCancellation()

    /// Creates an empty mailbox.
    package init() {}

    /// Whether the receiver still needs the value.
    package var isWanted: Bool { !cancellation.isCancelled }

    /// Marks the value as no longer needed, and cancels the work for it.
    package func cancel() { cancellation.cancel() }

    /// Puts the value into the mailbox.
    package func put(_ value: consuming sending Value) { self.value.replace(with: value) }

    /// Takes the value out of the mailbox; nil while there is none.
    package func take() -> sending Value? { value.withLock { $0.take() } }
}
