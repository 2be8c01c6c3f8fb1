import Locks

/// The writes that wait for a worker.
///
/// Each database has a lane of its own. Writes wait in memory, so their bytes are bounded.
final class WriteQueue: Sendable {
    /// The writes that wait for each other.
    enum Lane: Hashable, Sendable {
        /// The writes to a database that one thread at a time writes to.
        case database(ObjectIdentifier)
        /// The writes to a list, which several threads may perform.
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
        /// A worker of the lane will take the write.
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

    /// Ends the turn of a worker.
    ///
    /// - Returns: Whether the worker must take another turn, because writes wait.
    func endTurn(_ lane: Lane) -> Bool {
        state.withLock { state in
            guard var waiting = state.lanes[lane], waiting.writes.isEmpty else { return true }
            waiting.workers -= 1
            state.lanes[lane] = waiting.workers == 0 ? nil : waiting
            return false
        }
    }

    /// Removes the worker of a lane that cannot start.
    ///
    /// - Returns: The writes that no worker takes, or that find no room to wait.
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
