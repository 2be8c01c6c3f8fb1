import Locks
import System

/// A clock that stands still until it is told to go on.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let end: Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var sleepCount = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let woken = state.withLock { state in
                state.sleepCount += 1
                let count = state.sleepCount
                let ready = state.watchers.filter { $0.count <= count }
                state.watchers.removeAll { $0.count <= count }
                state.sleepers.append(Sleeper(end: deadline, continuation: continuation))
                return ready.map(\.continuation)
            }
            for watcher in woken { watcher.resume() }
        }
    }

    /// Waits until somebody has gone to sleep for the `count`th time.
    func sleeps(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.sleepCount >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let woken = state.sleepers.filter { $0.end <= now }
            state.sleepers.removeAll { $0.end <= now }
            return woken.map(\.continuation)
        }
        for sleeper in woken { sleeper.resume() }
    }
}
