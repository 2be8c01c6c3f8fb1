import CLinux
import Glibc

/// A wait for descriptors, by level-triggered epoll, and for a point in time.
///
/// Every readiness is reported until it is used. So no order of reading, writing and changing
/// interests can lose one.
@safe
package struct Poller: ~Copyable {
    /// Errors and hang-ups are always reported.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Bytes, a connection or the end of input are available.
        package static let reading = Interest(rawValue: EPOLLIN.rawValue)

        package static let writing = Interest(rawValue: EPOLLOUT.rawValue)

        /// Of several loops that watch one descriptor, not all are woken (for `add` only).
        package static let sharing = Interest(rawValue: EPOLLEXCLUSIVE.rawValue)

        /// The peer has ended its output (for descriptors that are not being read).
        package static let endOfInput = Interest(rawValue: EPOLLRDHUP.rawValue)
    }

    package struct Event: Sendable {
        /// The one with which the descriptor was added.
        package let token: UInt64

        let bits: UInt32

        package var isReadable: Bool { bits & EPOLLIN.rawValue != 0 }

        package var isWritable: Bool { bits & EPOLLOUT.rawValue != 0 }

        /// Reported only if requested.
        package var isEndOfInput: Bool { bits & EPOLLRDHUP.rawValue != 0 }

        /// Reset, failed, or closed in both directions.
        package var isBroken: Bool { bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 }
    }

    private let epoll: FileDescriptor
    private var events: [epoll_event]

    /// The capacity is the maximum number of events of one wait.
    package init(capacity: Int = 256) throws(SystemError) {
        precondition(capacity > 0, "capacity \(capacity)")
        epoll = FileDescriptor(adopting: try checked("epoll_create1") { clinux_epoll_create() })
        // SAFETY: an event is plain memory; its pointer member is never used.
        unsafe events = [epoll_event](repeating: epoll_event(), count: capacity)
    }

    /// Watches the descriptor until it is removed or closed.
    package func add(
        _ descriptor: borrowing FileDescriptor,
        token: UInt64,
        interest: Interest
    ) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor.rawValue, token: token, interest: interest)
    }

    package func modify(
        _ descriptor: borrowing FileDescriptor,
        token: UInt64,
        interest: Interest
    ) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor.rawValue, token: token, interest: interest)
    }

    package func remove(_ descriptor: borrowing FileDescriptor) throws(SystemError) {
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

    /// A signal ends the wait without an event.
    ///
    /// A nil deadline waits forever, a past one only polls. Returns the number of events, to be
    /// read by `event(at:)` before the next wait. Never fails with EINTR.
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

    package func event(at index: Int) -> Event {
        // SAFETY: epoll returns the token as it was set, and no other member of the union is used.
        let event = unsafe events[index]
        return unsafe Event(token: event.data.u64, bits: event.events)
    }
}
