import Glibc

/// A bounded queue of jobs for threads.
@safe
package final class JobQueue: @unchecked Sendable {
    /// A job of a thread.
    package typealias Job = @Sendable () -> Void

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let maximumWaiting: Int

    /// The jobs, with nil for those before `first`, which are taken.
    private var jobs: [Job?] = []
    private var first = 0
    private var threads = 0
    private var busyThreads = 0
    private var isClosed = false

    /// Creates an empty queue.
    ///
    /// - Parameter maximumWaiting: The maximum number of waiting jobs while every thread is busy;
    ///   at least 0.
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

    /// Announces `count` threads that are going to call ``work()``.
    package func expect(threads count: Int) {
        withLock { threads += count }
    }

    /// Adds a job.
    ///
    /// - Returns: false if every thread is busy and the queue is full, or the queue is closed.
    package func offer(_ job: @escaping Job) -> Bool {
        withLock {
            let waiting = jobs.count - first
            guard !isClosed, waiting < threads - busyThreads + maximumWaiting else { return false }
            jobs.append(job)
            // SAFETY: initialised in init.
            unsafe pthread_cond_signal(condition)
            return true
        }
    }

    /// Runs jobs, one after the other, until the queue is closed.
    package func work() {
        while let job = next() {
            job()
            withLock { busyThreads -= 1 }
        }
    }

    /// Drops waiting jobs, and lets every thread end after its job.
    package func close() {
        withLock {
            isClosed = true
            jobs = []
            first = 0
            // SAFETY: initialised in init.
            unsafe pthread_cond_broadcast(condition)
        }
    }

    private func next() -> Job? {
        withLock {
            while first == jobs.count, !isClosed {
                // SAFETY: both are initialised in init, and this thread holds the lock.
                unsafe pthread_cond_wait(condition, mutex)
            }
            guard first < jobs.count, let job = jobs[first] else { return nil }
            jobs[first] = nil
            first += 1
            // The front is removed once it is half of the array, which costs O(1) for each job.
            if first * 2 >= jobs.count {
                jobs.removeFirst(first)
                first = 0
            }
            busyThreads += 1
            return job
        }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        // SAFETY: initialised in init; a default mutex fails only when its memory is broken.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}
