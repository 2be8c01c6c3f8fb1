import Glibc

/// A queue of jobs for threads, with fair shares of them for its clients.
///
/// At most a quarter of the threads, and at least one, run jobs of one client. The clients with
/// waiting jobs take turns, so that the jobs of one client wait for each other first.
@safe
package final class JobQueue: @unchecked Sendable {
    package typealias Job = @Sendable () -> Void

    private struct Share {
        var waiting = FIFO<Job>()
        var running = 0
        var isInTurn = false
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let maximumWaiting: Int

    private var shares: [UInt64?: Share] = [:]
    /// In the order of their turns.
    private var turns = FIFO<UInt64?>()
    private var threads = 0
    private var busyThreads = 0
    private var isClosed = false

    /// The limit is that of a client that uses its share; at least 0.
    package init(maximumWaiting: Int) {
        precondition(maximumWaiting >= 0, "\(maximumWaiting) jobs")
        self.maximumWaiting = maximumWaiting
        // SAFETY: owned by this object alone, and at addresses that never change.
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        // SAFETY: the last reference is gone, so no thread holds the lock or waits.
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// They are going to call ``work()``.
    package func expect(threads count: Int) {
        withLock { threads += count }
    }

    /// A nil client may use all threads.
    ///
    /// False if too many jobs of the client wait, or the queue is closed.
    package func offer(of client: UInt64? = nil, _ job: @escaping Job) -> Bool {
        withLock {
            let share = shares[client] ?? Share()
            let room = min(maximumRunning(of: client) - share.running, threads - busyThreads)
            guard !isClosed, share.waiting.count < room + maximumWaiting else { return false }
            shares[client, default: share].waiting.append(job)
            giveTurn(client)
            return true
        }
    }

    /// Returns when the queue is closed.
    package func work() {
        while let (client, job) = next() {
            job()
            withLock {
                busyThreads -= 1
                shares[client]?.running -= 1
                giveTurn(client)
                if let share = shares[client], share.running == 0, !share.isInTurn {
                    shares[client] = nil
                }
            }
        }
    }

    /// Drops waiting jobs, and lets every thread end after its job.
    package func close() {
        withLock {
            isClosed = true
            (shares, turns) = ([:], FIFO())
            // SAFETY: initialised in init.
            unsafe pthread_cond_broadcast(condition)
        }
    }

    private func maximumRunning(of client: UInt64?) -> Int {
        max(1, client == nil ? threads : threads / 4)
    }

    /// Only if it may begin a job and has none yet.
    private func giveTurn(_ client: UInt64?) {
        guard let share = shares[client], !share.waiting.isEmpty, !share.isInTurn,
            share.running < maximumRunning(of: client)
        else { return }
        shares[client]?.isInTurn = true
        turns.append(client)
        // SAFETY: initialised in init.
        unsafe pthread_cond_signal(condition)
    }

    private func next() -> (client: UInt64?, job: Job)? {
        withLock {
            while turns.isEmpty, !isClosed {
                // SAFETY: both are initialised in init, and this thread holds the lock.
                unsafe pthread_cond_wait(condition, mutex)
            }
            guard let client = turns.takeFirst(), let job = shares[client]?.waiting.takeFirst()
            else { return nil }
            busyThreads += 1
            shares[client]?.running += 1
            shares[client]?.isInTurn = false
            giveTurn(client)
            return (client, job)
        }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        // SAFETY: initialised in init; a default mutex fails only when its memory is broken.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}
