import HTTP
import Locks
import System

extension EventLoop {
    /// Sets the deadline of the connection's next event, and its place in the lists for making
    /// room.
    mutating func settle(
        _ connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionStateMachine
    ) {
        let slot = connection.slot
        // The handler's deadline has passed, and the client has received a timeout.
        if connection.deferred != nil, !machine.isResponding {
            dropDeferredAnswer(of: connection)
        }
        deadlines.set(slot + 1, to: machine.deadline)
        // A client that sends a head byte by byte counts as new.
        if connection.phase == .busy, machine.isReceivingHead { connection.phase = .new }
        switch connection.phase {
        case .new:
            kept.remove(slot)
            if !quiet.contains(slot) { quiet.append(slot) }
        case .lingering:
            connection.quietSince = time.monotonic
            kept.remove(slot)
            quiet.append(slot)
        case .kept:
            quiet.remove(slot)
            kept.append(slot)
            // Accepting is paused for lack of room, and this connection can be closed to make some.
            if acceptor.pause == .cap { resumeAccepting() }
        case .busy:
            kept.remove(slot)
            quiet.remove(slot)
        }
    }

    /// Ends a connection so that the client cannot take a part for the whole.
    mutating func abort(_ connection: HTTPConnection) {
        // If the option cannot be set, the connection is already gone.
        try? connection.descriptor.resetWhenClosed()
        close(connection)
    }

    /// Ends a connection, whose descriptor is closed with the last reference.
    mutating func close(_ connection: HTTPConnection) {
        logStream(of: connection, isAborted: true)
        dropDeferredAnswer(of: connection)
        deadlines.set(connection.slot + 1, to: nil)
        kept.remove(connection.slot)
        quiet.remove(connection.slot)
        forgetUnsent(of: connection)
        connections.remove(slot: connection.slot)
        measures.closed.add()
        if let network = connection.network { addressCounts?.leave(network) }
        resumeAccepting()
    }
}
