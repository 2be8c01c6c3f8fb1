import CLinux
import Glibc

/// A wake-up that ends another thread's wait (eventfd).
package final class EventFD: Sendable {
    /// The descriptor that the waiting thread adds to its event loop, for reading.
    package let descriptor: FileDescriptor

    package init() throws(SystemError) {
        descriptor = FileDescriptor(adopting: try checked("eventfd") { clinux_eventfd() })
    }

    /// Makes the descriptor readable, from any thread and also from a signal handler.
    package func wake() {
        // The only possible failure is a full counter, and then the descriptor is already readable.
        _ = eventfd_write(descriptor.rawValue, 1)
    }

    package func reset() {
        var count: eventfd_t = 0
        // SAFETY: the counter is written during the call only. An empty counter is no error.
        _ = unsafe eventfd_read(descriptor.rawValue, &count)
    }
}
