import Glibc

/// A value that one thread at a time may use.
///
/// A pthread mutex and not `Synchronization.Mutex`: the thread sanitizer of this toolchain does not
/// see the latter and reports races that are none.
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Behind a pointer: what the lock lets one thread at a time reach need not be held against other
    /// accesses while the program runs.
    private let value: UnsafeMutablePointer<Value>

    /// Guards a value.
    package init(_ value: consuming sending Value) {
        // SAFETY: owned by this object alone, and at an address that never changes.
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        // SAFETY: the last reference is gone, so nobody holds the lock.
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Lends the value to a closure; others wait meanwhile.
    package func withLock<R: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
        // SAFETY: initialised in init; a default mutex fails only when its memory is broken.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        // SAFETY: the holder of the lock alone is here; one who asks for it again meanwhile waits for
        // ever, as the mutex is not recursive.
        return try unsafe body(&value.pointee)
    }

    /// Puts a value of the caller's in the place of the one there is.
    package func replace(with value: consuming sending Value) {
        // SAFETY: initialised in init; a default mutex fails only when its memory is broken.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        // SAFETY: as in withLock.
        unsafe self.value.pointee = value
    }
}
