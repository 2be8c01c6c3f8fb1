import HTTP
import Locks

/// Tells the loops of a process at once that a list may have changed.
///
/// Whoever does not ring it is noticed, too, a moment later: loops ask the lists they follow.
final class ChangeBell: Sendable {
    private struct State {
        var wakers: [UInt64: HTTPStreamWaker] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Tells another loop, until the result is dropped.
    func add(_ waker: HTTPStreamWaker) -> Listener {
        state.withLock { state in
            state.lastID += 1
            state.wakers[state.lastID] = waker
            return Listener(self, id: state.lastID)
        }
    }

    /// Says that a list may have changed; from any thread.
    func ring() {
        for waker in state.withLock({ Array($0.wakers.values) }) { waker.wake() }
    }

    /// Keeps a loop told.
    final class Listener: Sendable {
        private let bell: ChangeBell
        private let id: UInt64

        fileprivate init(_ bell: ChangeBell, id: UInt64) {
            self.bell = bell
            self.id = id
        }

        deinit { bell.state.withLock { $0.wakers[id] = nil } }
    }
}
