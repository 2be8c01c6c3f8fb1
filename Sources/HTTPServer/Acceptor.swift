import Sockets

/// The listeners of a loop, and whether they are watched.
struct Acceptor: ~Copyable {
    /// Why connections are not taken.
    enum Pause: Hashable {
        /// As many are open as may be.
        case cap

        /// The kernel has no descriptor or memory for another one.
        case exhaustion
    }

    private static let shortestBackOff = Duration.milliseconds(100)
    private static let longestBackOff = Duration.seconds(1)

    private(set) var listeners: [OwnedListener] = []

    /// Why connections are not taken now; nil while they are.
    private(set) var pause: Pause?

    /// How long the next pause lasts.
    private var backOff = Self.shortestBackOff

    /// Held to be given back when there is no other descriptor.
    private var spare: Descriptor?

    init(_ listeners: [SharedListener]) throws(SystemError) {
        for shared in listeners {
            guard let listener = shared.take() else { continue }
            // Connections inherit it from their listener.
            if try listener.address.isIP { try listener.descriptor.sendWithoutDelay() }
            self.listeners.append(OwnedListener(listener, isShared: shared.isShared))
        }
        spare = try .spare()
    }

    /// Tells the event loop about every listener.
    mutating func watch(with eventLoop: borrowing EventLoop) throws(SystemError) {
        for (index, owned) in listeners.enumerated() {
            let token = ServerLoop.Token.firstListener + UInt64(index)
            try eventLoop.add(
                owned.listener.descriptor,
                token: token,
                interest: owned.isShared ? [.reading, .sharing] : .reading
            )
        }
        pause = nil
    }

    /// Stops watching the listeners: with level-triggered readiness a connection that cannot be
    /// taken would be told again and again.
    ///
    /// - Returns: How long to wait before trying again, if no connection closes before.
    mutating func pause(_ reason: Pause, of eventLoop: borrowing EventLoop) -> Duration {
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

    /// A connection could be taken: the next pause is short again.
    mutating func connectionTaken() { backOff = Self.shortestBackOff }

    /// Whether exhaustion has lasted so long that clients are turned away instead of left waiting.
    var isHopeless: Bool { pause == .exhaustion && backOff == Self.longestBackOff }

    /// Turns waiting clients away, with the descriptor that was kept for it.
    mutating func turnAway(atMost count: Int) {
        spare = nil
        for owned in listeners {
            for _ in 0..<count {
                guard case .connection = owned.listener.accept() else { break }
            }
        }
        // Without a descriptor now there may be one next time.
        spare = try? .spare()
    }

    /// Closes the listeners; clients that connect from now on are refused by the kernel.
    mutating func close() {
        listeners = []
        spare = nil
    }
}

/// A listener in an array, which holds references only.
final class OwnedListener {
    let listener: Listener

    /// Whether other loops take connections of the same socket.
    let isShared: Bool

    init(_ listener: consuming Listener, isShared: Bool) {
        self.listener = listener
        self.isShared = isShared
    }
}
