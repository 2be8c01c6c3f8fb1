import Dispatch
import Roster
import Testing

extension ListApp {
    func serving(_ body: @escaping @Sendable (UInt16) async throws -> Void) async throws {
        try await run(host: "127.0.0.1", port: 0, handlesSignals: false) { running in
            // Connections block, which the threads of closures must not.
            Task(executorPreference: BlockingExecutor()) {
                defer { running.stop() }
                do {
                    try await body(UInt16(running.port))
                } catch {
                    Issue.record(error)
                }
            }
        }
    }
}

/// Runs tasks that block, on threads of their own.
private final class BlockingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "connections")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // SAFETY: the closure holds the executor while the job runs.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A closure that waits until the gate opens, and says how often it waits and was cancelled.
actor AsyncGate {
    private(set) var waiting = 0
    private(set) var cancelled = 0
    private var isOpen = false
    private var held: [CheckedContinuation<Void, Never>] = []

    private struct Missing: Error {}

    func waitForClosures(_ count: Int) async throws { try await wait { $0.waiting >= count } }

    func waitForCancellation() async throws { try await wait { $0.cancelled > 0 } }

    private func wait(_ isReached: (isolated AsyncGate) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !isReached(self) {
            guard ContinuousClock.now < end else { throw Missing() }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func pass() async {
        waiting += 1
        defer { waiting -= 1 }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                held.append(continuation)
                if isOpen || Task.isCancelled { release() }
            }
        } onCancel: {
            Task { await self.release() }
        }
        if Task.isCancelled { cancelled += 1 }
    }

    func open() {
        isOpen = true
        release()
    }

    private func release() {
        for continuation in held { continuation.resume() }
        held = []
    }
}
