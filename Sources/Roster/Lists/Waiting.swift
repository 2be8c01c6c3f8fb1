import HTTPServer
import ListAPI
import Listings
import Locks
import System

/// Waits on a worker thread for asynchronous work.
enum Waiting {
    /// The threads of all closures of programs.
    private static let threads = TaskThreads(ServiceWorkers.waitingThreads)

    /// After the longest wait, the task is cancelled.
    ///
    /// Fails with ``SourceError/outOfTime`` then, and with `CancellationError` when the client has
    /// left.
    static func result<Value: Sendable>(
        within limit: Duration,
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try results([(limit, body)])[0].get()
    }

    /// Waits for tasks that run at the same time, each with the caller of the request.
    static func results<Value: Sendable>(
        _ works: [(limit: Duration, body: @Sendable () async throws -> Value)]
    ) -> [Result<Value, any Error>] {
        let caller = RequestCaller.name
        let outcomes = works.map { _ in Monitor<Result<Value, any Error>?>(nil) }
        let tasks = zip(works, outcomes).map { work, outcome in
            Task.detached(executorPreference: threads) {
                let result: Result<Value, any Error>
                do {
                    result = .success(
                        try await RequestCaller.$name.withValue(caller) { try await work.body() }
                    )
                } catch {
                    result = .failure(error)
                }
                outcome.withLock { if $0 == nil { $0 = result } }
            }
        }
        RequestCancellation.current?.onCancel {
            for (task, outcome) in zip(tasks, outcomes) {
                task.cancel()
                outcome.withLock { if $0 == nil { $0 = .failure(CancellationError()) } }
            }
        }
        let start = ContinuousClock.now
        return zip(works, zip(tasks, outcomes)).map { work, running in
            let (task, outcome) = running
            let rest = max(.zero, work.limit - (ContinuousClock.now - start))
            guard outcome.wait(for: rest, until: { $0 != nil }),
                let result = outcome.withLock(\.self)
            else {
                task.cancel()
                return .failure(SourceError.outOfTime)
            }
            return result
        }
    }
}

extension SourceError {
    /// The closure of a list took longer than its deadline.
    static func late(_ list: String, _ deadline: Duration) -> SourceError {
        .unavailable(reason: "the models of '\(list)' were not there after \(deadline)")
    }
}

extension ThreadGroup {
    /// Waits for the result of a thread of its own, which may block.
    static func result<Value: Sendable>(
        ofThread name: String,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            var threads = ThreadGroup()
            do {
                try threads.start(named: name) { continuation.resume(with: Result { try body() }) }
                threads.detach()
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
