import HTTP
import Locks

/// An answer on its way from the thread that makes it to the loop that sends it.
final class AnswerSlot: Sendable {
    private let response: Locked<HTTPResponse?> = Locked(nil)
    private let error: Locked<(any Error)?> = Locked(nil)
    private let wanted = Locked(true)

    /// Whether the answer is still of use.
    var isWanted: Bool { wanted.withLock { $0 } }

    /// Takes note that it is not.
    func cancel() { wanted.withLock { $0 = false } }

    /// Puts the answer in.
    func put(_ response: consuming sending HTTPResponse) {
        self.response.replace(with: response)
    }

    /// Puts in why there is none.
    func fail(_ error: any Error) { self.error.withLock { $0 = error } }

    /// Hands over the answer, as `HTTPDeferral.take(into:)` does.
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
