import HTTP
import Locks

/// A one-shot mailbox: the thread that makes a response puts it, the event loop takes it.
final class AnswerSlot: Sendable {
    private let response: Locked<HTTPResponse?> = Locked(nil)
    private let error: Locked<(any Error)?> = Locked(nil)
    private let wanted = Locked(true)

    /// Whether the response is still needed.
    var isWanted: Bool { wanted.withLock { $0 } }

    /// Records that the response is not needed.
    func cancel() { wanted.withLock { $0 = false } }

    /// Puts the response.
    func put(_ response: consuming sending HTTPResponse) {
        self.response.replace(with: response)
    }

    /// Puts the error of a response that failed.
    func fail(_ error: any Error) { self.error.withLock { $0 = error } }

    /// Takes the response, as `DeferredResponse.take(into:)` does.
    func take(into response: inout HTTPResponse) throws -> Bool {
        if let error = error.withLock({ $0 }) { throw error }
        switch self.response.withLock({ $0.take() }) {
        case .some(let made):
            response = made
            return true
        case nil:
            return false
        }
    }
}
