import CLinux
import Glibc

/// Ends another thread's wait (eventfd).
package final class WakeUp: Sendable {
    /// What the waiting thread adds to its event loop, for reading.
    package let descriptor: Descriptor

    /// Creates a wake-up that has not been used.
    package init() throws(SystemError) {
        descriptor = Descriptor(adopting: try checked("eventfd") { clinux_eventfd() })
    }

    /// Makes the descriptor readable; from any thread, also from a signal handler.
    package func wake() {
        // The only failure left is a counter that is full: then it is readable already.
        _ = eventfd_write(descriptor.rawValue, 1)
    }

    /// Makes the descriptor unreadable until the next wake-up.
    package func reset() {
        var count: eventfd_t = 0
        // SAFETY: the counter is written during the call only. An empty counter is no failure.
        _ = unsafe eventfd_read(descriptor.rawValue, &count)
    }
}
