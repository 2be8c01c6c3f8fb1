import Glibc

/// A value that one thread at a time may use, and whose changes other threads may wait for (Hoare,
/// "Monitors: An Operating System Structuring Concept", 1974).
@safe
package final class Monitor<Value: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        // SAFETY: owned by this object alone, and at addresses that never change. The attributes
        // live until the condition has taken them over.
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        // SAFETY: the last reference is gone, so no thread holds the lock or waits.
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Calls a closure with the value, then wakes the threads that wait for changes.
    package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        // SAFETY: initialised in init; a default mutex fails only when its memory is broken.
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(condition)
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// The condition may change the value.
    ///
    /// False if it was not met in time.
    package func wait(for timeout: Duration, until isMet: (inout Value) -> Bool) -> Bool {
        let deadline = MonotonicDeadline(after: timeout)
        // SAFETY: as in withLock. The wait releases the mutex and acquires it again.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isMet(&value) {
            var end = deadline.time
            let outcome = unsafe pthread_cond_timedwait(condition, mutex, &end)
            if outcome == ETIMEDOUT { return isMet(&value) }
        }
        return true
    }
}

/// A moment of the monotonic clock, in the form that conditions take.
private struct MonotonicDeadline {
    var time = timespec()

    init(after duration: Duration) {
        // SAFETY: every Linux has the clock. The call fills a structure of this value.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
        time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
    }
}
