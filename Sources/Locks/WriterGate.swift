import Glibc

/// Lets one thread at a time through, and tells a thread that is inside already from one that has
/// to wait.
@safe
package final class WriterGate: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates an open gate.
    package init() {
        // SAFETY: owned by this object alone, and at an address that never changes; the attributes
        // live until the mutex has taken them over.
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        unsafe pthread_mutex_init(mutex, &attributes)
        unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        // SAFETY: the last reference is gone, so nobody is inside.
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Waits until nobody else is inside.
    ///
    /// - Returns: false, at once, when this very thread is inside already; then ``leave()`` must
    ///   not be called.
    package func enter() -> Bool {
        // SAFETY: initialised in init; a mutex that checks errors answers EDEADLK to its owner.
        unsafe pthread_mutex_lock(mutex) == 0
    }

    /// Lets the next one in; called once for each ``enter()`` that returned true, by its thread.
    package func leave() {
        // SAFETY: initialised in init, and held by this thread as the caller vouches.
        unsafe pthread_mutex_unlock(mutex)
    }
}
