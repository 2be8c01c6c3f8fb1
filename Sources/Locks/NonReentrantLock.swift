import Glibc

/// A gate that one thread at a time may pass, and that reports a thread already inside.
@safe
package final class NonReentrantLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        // SAFETY: owned by this object alone, and at an address that never changes. The attributes
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
        // SAFETY: the last reference is gone, so no thread is inside.
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Waits until no other thread is inside.
    ///
    /// Returns false, at once, if this thread is already inside. Do not call ``leave()`` then.
    package func enter() -> Bool {
        // SAFETY: initialised in init. A mutex that checks errors returns EDEADLK to its owner.
        unsafe pthread_mutex_lock(mutex) == 0
    }

    /// Lets the next thread in; called once by each thread for which ``enter()`` returned true.
    package func leave() {
        // SAFETY: initialised in init, and held by this thread by the contract of this function.
        unsafe pthread_mutex_unlock(mutex)
    }
}
