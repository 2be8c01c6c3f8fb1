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
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        let task = Task.detached(executorPreference: threads) {
            let result: Result<Value, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            outcome.withLock { if $0 == nil { $0 = result } }
        }
        RequestCancellation.current?.onCancel {
            task.cancel()
            outcome.withLock { if $0 == nil { $0 = .failure(CancellationError()) } }
        }
        guard outcome.wait(for: limit, until: { $0 != nil }), let result = outcome.withLock({ $0 })
        else {
            task.cancel()
            throw SourceError.outOfTime
        }
        return try result.get()
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
