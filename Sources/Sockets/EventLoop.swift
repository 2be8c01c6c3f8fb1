import CLinux
import Glibc

/// What one thread waits for: descriptors by level-triggered epoll, and a point in time.
///
/// Every readiness is told again and again until it is used, so that no order of reading, writing and
/// changing interests can lose one.
@safe
package struct EventLoop: ~Copyable {
    /// What is wanted of a descriptor; errors and hang-ups are told in any case.
    package struct Interest: OptionSet, Sendable {
        /// The bits of epoll.
        package let rawValue: UInt32

        /// Creates an interest from epoll's bits.
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Bytes, a connection or the end of input can be taken.
        package static let reading = Interest(rawValue: EPOLLIN.rawValue)

        /// The send queue has room.
        package static let writing = Interest(rawValue: EPOLLOUT.rawValue)

        /// Where several loops watch one descriptor, not every one is told; for `add` only.
        package static let sharing = Interest(rawValue: EPOLLEXCLUSIVE.rawValue)

        /// The peer sends nothing more; for descriptors that are not being read.
        package static let endOfInput = Interest(rawValue: EPOLLRDHUP.rawValue)
    }

    /// What the kernel says of one descriptor now.
    package struct Event: Sendable {
        /// The number the descriptor was added with.
        package let token: UInt64

        let bits: UInt32

        /// Whether reading will not block.
        package var isReadable: Bool { bits & EPOLLIN.rawValue != 0 }

        /// Whether writing will not block.
        package var isWritable: Bool { bits & EPOLLOUT.rawValue != 0 }

        /// Whether the peer sends nothing more; told only where it was asked for.
        package var isEndOfInput: Bool { bits & EPOLLRDHUP.rawValue != 0 }

        /// Whether the descriptor is of no more use: reset, failed, or closed in both directions.
        package var isBroken: Bool { bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 }
    }

    private let epoll: Descriptor
    private var events: [epoll_event]

    /// Creates a loop that waits for nothing.
    ///
    /// - Parameter capacity: The most events told by one wait.
    /// - Throws: What epoll_create1 reports.
    package init(capacity: Int = 256) throws(SystemError) {
        precondition(capacity > 0, "capacity \(capacity)")
        epoll = Descriptor(adopting: try checked("epoll_create1") { clinux_epoll_create() })
        // SAFETY: an event is plain memory; its pointer member is never used.
        unsafe events = [epoll_event](repeating: epoll_event(), count: capacity)
    }

    /// Begins to watch a descriptor, until it is removed or closed.
    ///
    /// The token is a number that comes back with each event of the descriptor.
    package func add(
        _ descriptor: borrowing Descriptor,
        token: UInt64,
        interest: Interest
    ) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor.rawValue, token: token, interest: interest)
    }

    /// Changes what is wanted of a watched descriptor.
    package func modify(
        _ descriptor: borrowing Descriptor,
        token: UInt64,
        interest: Interest
    ) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor.rawValue, token: token, interest: interest)
    }

    /// Stops watching a descriptor.
    package func remove(_ descriptor: borrowing Descriptor) throws(SystemError) {
        try control(EPOLL_CTL_DEL, descriptor.rawValue, token: 0, interest: [])
    }

    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        token: UInt64,
        interest: Interest
    ) throws(SystemError) {
        let epoll = epoll.rawValue
        _ = try checked("epoll_ctl") {
            clinux_epoll_control(epoll, operation, descriptor, interest.rawValue, token)
        }
    }

    /// Waits for events, at most until a deadline.
    ///
    /// A signal ends the wait without an event.
    ///
    /// - Parameter deadline: When to give up; nil waits for ever, a past instant only looks.
    /// - Returns: The number of events, to be read by `event(at:)` before the next wait.
    /// - Throws: What epoll_wait reports, never EINTR.
    package mutating func wait(until deadline: ContinuousClock.Instant?) throws(SystemError) -> Int
    {
        let timeout = deadline?.milliseconds(after: .now) ?? -1
        let epoll = epoll.rawValue
        let count = unsafe events.withUnsafeMutableBufferPointer { events in
            // SAFETY: the kernel fills at most `events.count` elements during the call only.
            unsafe epoll_wait(epoll, events.baseAddress, Int32(clamping: events.count), timeout)
        }
        guard count < 0 else { return Int(count) }
        let code = errno
        guard code == EINTR else { throw SystemError(call: "epoll_wait", code: code) }
        return 0
    }

    /// One of the events of the last wait.
    package func event(at index: Int) -> Event {
        // SAFETY: epoll gives back the token as it was set, and no other member of the union is used.
        let event = unsafe events[index]
        return unsafe Event(token: event.data.u64, bits: event.events)
    }
}
