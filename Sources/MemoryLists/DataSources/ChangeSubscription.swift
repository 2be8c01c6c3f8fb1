import ListDiff
import Locks

final class ChangeSubscription: Sendable {
    private struct State {
        var waiting: [ChangeBatch] = []
        var reader: CheckedContinuation<ChangeBatch?, Never>?
        var isClosed = false
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    deinit { close() }

    /// At the limit, one reload replaces all pending batches.
    func send(_ batch: ChangeBatch) {
        let reader = state.withLock { state -> CheckedContinuation<ChangeBatch?, Never>? in
            guard !state.isClosed else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if let first = state.waiting.first, state.waiting.count == limit {
                state.waiting = [
                    ChangeBatch(
                        from: first.from,
                        to: batch.to,
                        countsBefore: first.countsBefore,
                        countsAfter: batch.countsAfter,
                        kind: .reload
                    )
                ]
            } else {
                state.waiting.append(batch)
            }
            return nil
        }
        reader?.resume(returning: batch)
    }

    func next() async -> ChangeBatch? {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> ChangeBatch?? in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                // A second concurrent reader would wait forever, because there is only one
                // continuation.
                guard !state.isClosed, state.reader == nil else { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    func close() {
        let reader = state.withLock { state in
            state.isClosed = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}
