import System

struct Acceptor: ~Copyable {
    enum Pause: Hashable {
        case cap

        /// The kernel has no descriptor or memory for another one.
        case exhaustion
    }

    private static let shortestBackOff = Duration.milliseconds(100)
    private static let longestBackOff = Duration.seconds(1)

    private(set) var listeners: [OwnedListener] = []

    /// Nil while connections are accepted.
    private(set) var pause: Pause?

    private var backOff = Self.shortestBackOff

    /// A reserve that is closed when the process has no other descriptor.
    private var spare: FileDescriptor?

    init(_ listeners: [SharedListener]) throws(SystemError) {
        for shared in listeners {
            guard let listener = shared.take() else { continue }
            // Connections inherit the option from their listener.
            if try listener.address.isIP { try listener.descriptor.sendWithoutDelay() }
            self.listeners.append(OwnedListener(listener, isShared: shared.isShared))
        }
        spare = try .spare()
    }

    mutating func watch(with eventLoop: borrowing Poller) throws(SystemError) {
        for (index, owned) in listeners.enumerated() {
            let token = EventLoop.Token.firstListener + UInt64(index)
            try eventLoop.add(
                owned.listener.descriptor,
                token: token,
                interest: owned.isShared ? [.reading, .sharing] : .reading
            )
        }
        pause = nil
    }

    /// Stops watching the listeners.
    ///
    /// Readiness is level-triggered, so a connection that cannot be accepted would be reported
    /// again and again.
    ///
    /// Returns the time to wait before the next attempt, if no connection closes earlier.
    mutating func pause(_ reason: Pause, of eventLoop: borrowing Poller) -> Duration {
        if pause == nil {
            for owned in listeners {
                // A listener that is not watched need not be removed.
                try? eventLoop.remove(owned.listener.descriptor)
            }
        }
        pause = reason
        defer { backOff = min(backOff * 2, Self.longestBackOff) }
        return backOff
    }

    mutating func connectionTaken() { backOff = Self.shortestBackOff }

    /// Whether exhaustion has lasted so long that clients are disconnected instead of left waiting.
    var isHopeless: Bool { pause == .exhaustion && backOff == Self.longestBackOff }

    /// Disconnects waiting clients, with the descriptor that was held for it.
    mutating func turnAway(atMost count: Int) {
        spare = nil
        for owned in listeners {
            for _ in 0..<count {
                guard case .connection = owned.listener.accept() else { break }
            }
        }
        // A descriptor that is unavailable now may be available next time.
        spare = try? .spare()
    }

    /// Closes the listeners, so that the kernel refuses clients that connect from now on.
    mutating func close() {
        listeners = []
        spare = nil
    }
}

/// A listener in an array, which can hold references only.
final class OwnedListener {
    let listener: Listener

    /// Other loops accept connections from the same socket.
    let isShared: Bool

    init(_ listener: consuming Listener, isShared: Bool) {
        self.listener = listener
        self.isShared = isShared
    }
}
