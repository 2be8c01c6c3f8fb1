import HTTP
import Locks
import Sockets

extension ServerLoop {
    /// Notes until when the connection's next event has to come, and whether it could make room.
    mutating func settle(
        _ connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionMachine
    ) {
        let slot = connection.slot
        // Its time is over, and the client has been told so.
        if connection.deferred != nil, !machine.isResponding {
            dropDeferredAnswer(of: connection)
        }
        deadlines.set(slot + 1, to: machine.deadline)
        // Who sends the head of a request byte by byte is no more than new.
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
            // Somebody waits for its place, or did: accepting finds out.
            if acceptor.pause == .cap { resumeAccepting() }
        case .busy:
            kept.remove(slot)
            quiet.remove(slot)
        }
    }

    /// Ends a connection so that the client cannot take a part for the whole.
    mutating func abort(_ connection: HTTPConnection) {
        // Where the option cannot be set the connection is gone already.
        try? connection.descriptor.resetWhenClosed()
        close(connection)
    }

    /// Ends a connection; its descriptor is closed with the last reference.
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
