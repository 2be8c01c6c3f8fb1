/// A one-shot mailbox between two threads: one puts a value, the other takes it.
package final class Mailbox<Value: ~Copyable>: Sendable {
    private let value: Locked<Value?> = Locked(nil)
    package let cancellation = RequestCancellation()

    package init() {}

    package var isWanted: Bool { !cancellation.isCancelled }

    package func cancel() { cancellation.cancel() }

    package func put(_ value: consuming sending Value) { self.value.replace(with: value) }

    /// Takes the value out of the mailbox; nil while there is none.
    package func take() -> sending Value? { value.withLock { $0.take() } }
}
