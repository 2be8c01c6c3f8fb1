import Glibc

/// The thread that calls.
package enum CurrentThread {
    /// The identity of the thread, unique among the running ones.
    package static var id: UInt { pthread_self() }
}
