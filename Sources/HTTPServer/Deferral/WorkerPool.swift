public import HTTP
package import Locks
import System

/// A thread pool for handlers that block, with a bounded queue.
///
/// The threads are started with the first request and shared by all loops. Each takes the memory of
/// its stack. They end when the last reference is gone and their handlers have returned.
public final class WorkerPool: Sendable {
    private let queue: JobQueue
    private let threadCount: Int
    private let crew = Locked(Crew())

    private struct Crew: ~Copyable {
        var threads = ThreadGroup()
        var count = 0
    }

    /// Creates workers.
    ///
    /// - Parameters:
    ///   - threads: The number of threads, at least 1.
    ///   - maximumWaiting: The maximum number of requests waiting for a thread, at least 0. Further
    ///     requests get 503 with Retry-After.
    public init(threads: Int = 16, maximumWaiting: Int = 256) {
        precondition(threads > 0, "\(threads) threads")
        threadCount = threads
        queue = JobQueue(maximumWaiting: maximumWaiting)
    }

    deinit {
        // A handler may block for long, so the threads are not joined. They are detached before
        // they can end: pthread_detach of glibc may read the memory of a thread that just ended.
        crew.withLock { $0.threads.detach() }
        queue.close()
    }

    /// False if there is no capacity for the job.
    package func offer(of client: UInt64? = nil, _ job: @escaping JobQueue.Job) -> Bool {
        startThreads() && queue.offer(of: client, job)
    }

    /// False if no thread runs.
    ///
    /// Threads that could not be started are tried again next time.
    private func startThreads() -> Bool {
        crew.withLock { crew in
            while crew.count < threadCount {
                do throws(SystemError) {
                    let name = "http-worker-\(crew.count)"
                    try crew.threads.start(named: name) { [queue] in queue.work() }
                } catch {
                    break
                }
                queue.expect(threads: 1)
                crew.count += 1
            }
            return crew.count > 0
        }
    }
}

/// Threads for tasks of a program, which may block them.
///
/// Blocked threads of the concurrency runtime, of which there are as many as cores, would stop all
/// tasks of the process.
package final class TaskThreads: TaskExecutor {
    private let workers: WorkerPool

    /// The threads are started with the first task.
    package init(_ count: Int) { workers = WorkerPool(threads: count, maximumWaiting: .max / 2) }

    /// Runs a part of a task on one of the threads; on the caller's if none can be started.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // SAFETY: a job runs once, and the closure holds this executor meanwhile.
        let run = { @Sendable [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        if !workers.offer(run) { run() }
    }
}

/// A handler that passes all requests to workers.
///
/// ```swift
/// let workers = HTTPWorkers(threads: 8)
/// let server = try HTTPServer(configuration) { _ in WorkerHandler(ArchiveHandler(), on: workers) }
/// ```
public final class WorkerHandler: HTTPHandler {
    private let handler: any BlockingHTTPHandler
    private let workers: WorkerPool

    /// Creates the handler of a loop.
    ///
    /// - Parameters:
    ///   - handler: The handler that runs on the threads of the workers.
    ///   - workers: The same for every loop.
    public init(_ handler: any BlockingHTTPHandler, on workers: WorkerPool) {
        self.handler = handler
        self.workers = workers
    }

    /// Defers a request to the workers.
    public func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        response.deferral = WorkerResponse(handler, copy request, on: workers)
    }
}

private final class WorkerResponse: DeferredResponse {
    private let handler: any BlockingHTTPHandler
    private let request: HTTPRequest
    private let workers: WorkerPool
    private let mailbox = Mailbox<Result<HTTPResponse, any Error>>()

    init(_ handler: any BlockingHTTPHandler, _ request: HTTPRequest, on workers: WorkerPool) {
        self.handler = handler
        self.request = request
        self.workers = workers
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        workers.offer { [handler, request, mailbox] in
            guard mailbox.isWanted else { return }
            var response = HTTPResponse()
            do {
                try handler.respond(to: request, with: &response)
                mailbox.put(.success(response))
            } catch {
                mailbox.put(.failure(error))
            }
            waker.wake()
        }
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        try mailbox.take(into: &response)
    }

    /// Does nothing: only a waiting job could be cancelled, and the client may still read.
    func clientLeft() {}

    func cancel() { mailbox.cancel() }
}
