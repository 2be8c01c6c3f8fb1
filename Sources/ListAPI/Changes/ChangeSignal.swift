import HTTP
import Locks

/// A signal to all event loops of a process that a list may have changed.
///
/// Loops also poll the lists that they follow, so a change without a signal is noticed later.
final class ChangeSignal: Sendable {
    private struct State {
        var wakers: [UInt64: HTTPStreamWaker] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Registers the waker of a loop, until the result is released.
    func add(_ waker: HTTPStreamWaker) -> Listener {
        state.withLock { state in
            state.lastID += 1
            state.wakers[state.lastID] = waker
            return Listener(self, id: state.lastID)
        }
    }

    /// Wakes all registered loops; callable from any thread.
    func notify() {
        for waker in state.withLock({ Array($0.wakers.values) }) { waker.wake() }
    }

    /// The registration of a loop, which ends with this object.
    final class Listener: Sendable {
        private let changeSignal: ChangeSignal
        private let id: UInt64

        fileprivate init(_ changeSignal: ChangeSignal, id: UInt64) {
            self.changeSignal = changeSignal
            self.id = id
        }

        deinit { changeSignal.state.withLock { $0.wakers[id] = nil } }
    }
}
