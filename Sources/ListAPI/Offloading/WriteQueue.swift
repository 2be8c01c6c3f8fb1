import Locks

/// Each database has a lane of its own; the bytes that wait in memory are bounded.
final class WriteQueue: Sendable {
    enum Lane: Hashable, Sendable {
        case database(ObjectIdentifier)
        case list(String?)

        var maximumWorkers: Int {
            switch self {
            case .database: 1
            case .list: ServiceWorkers.writerThreads
            }
        }
    }

    enum Admission {
        case refused
        case waits
        /// The caller must give the lane another worker.
        case needsWorker
    }

    private struct Waiting {
        var writes = FIFO<OffloadedCall>()
        var workers = 0
    }

    private struct State {
        var lanes: [Lane: Waiting] = [:]
        var bytes = 0
    }

    private let maximumBytes: Int
    private let state = Locked(State())

    /// Only writes that wait while every worker of their lane is busy count.
    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    func add(_ write: OffloadedCall, _ lane: Lane) -> Admission {
        state.withLock { [maximumBytes] state in
            let isFree = (state.lanes[lane]?.workers ?? 0) < lane.maximumWorkers
            guard isFree || state.bytes + write.bytes <= maximumBytes else { return .refused }
            state.bytes += write.bytes
            state.lanes[lane, default: Waiting()].writes.append(write)
            guard isFree else { return .waits }
            state.lanes[lane]?.workers += 1
            return .needsWorker
        }
    }

    func take(_ lane: Lane) -> OffloadedCall? {
        state.withLock { state in
            guard let write = state.lanes[lane]?.writes.takeFirst() else { return nil }
            state.bytes -= write.bytes
            return write
        }
    }

    /// Returns whether the worker must take another turn, because writes wait.
    func endTurn(_ lane: Lane) -> Bool {
        state.withLock { state in
            guard var waiting = state.lanes[lane], waiting.writes.isEmpty else { return true }
            waiting.workers -= 1
            state.lanes[lane] = waiting.workers == 0 ? nil : waiting
            return false
        }
    }

    /// Returns the writes that no worker takes, or that find no room to wait.
    func withdrawWorker(_ lane: Lane) -> [OffloadedCall] {
        state.withLock { [maximumBytes] state in
            state.lanes[lane]?.workers -= 1
            let isAbandoned = state.lanes[lane]?.workers == 0
            var refused: [OffloadedCall] = []
            while isAbandoned || state.bytes > maximumBytes,
                let write = state.lanes[lane]?.writes.takeLast()
            {
                state.bytes -= write.bytes
                refused.append(write)
            }
            if isAbandoned { state.lanes[lane] = nil }
            return refused
        }
    }
}
