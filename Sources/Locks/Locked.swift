import Glibc

/// A value that one thread at a time may use.
///
/// It uses a pthread mutex, not `Synchronization.Mutex`. This toolchain's thread sanitizer does not
/// know the latter and reports false races.
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// The value, behind a pointer because the lock already excludes other accesses.
    ///
    /// A property would be checked for exclusive access at run time.
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        // SAFETY: owned by this object alone, and at an address that never changes.
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        // SAFETY: the last reference is gone, so no thread holds the lock.
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    package func withLock<R: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
        // SAFETY: initialised in init; a default mutex fails only when its memory is broken.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        // SAFETY: only the holder of the lock is here. A nested call would wait forever, because
        // the mutex is not recursive.
        return try unsafe body(&value.pointee)
    }

    package func replace(with value: consuming sending Value) {
        // SAFETY: initialised in init; a default mutex fails only when its memory is broken.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        // SAFETY: as in withLock.
        unsafe self.value.pointee = value
    }
}
