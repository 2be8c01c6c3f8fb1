import Glibc

package enum CurrentThread {
    /// Unique among the running threads.
    package static var id: UInt { pthread_self() }
}
