import HTTP
import Sockets

extension ServerLoop {
    /// Does what the server's phase asks for, if it is not done yet.
    func follow(_ phase: HTTPServerState.Phase) {
        switch phase {
        case .serving: return
        case .draining:
            if drainDeadline == nil { beginDraining() }
        case .stopping:
            if drainDeadline == nil { acceptor.close() }
            drainDeadline = time.monotonic
        }
        if let drainDeadline, drainDeadline <= time.monotonic { cutConnectionsLeft() }
    }

    /// Takes the clients that the kernel has promised a server, closes the listeners, and tells
    /// every connection.
    private func beginDraining() {
        configuration.eventLog?(
            .drainingBegan(loop: index, openConnections: connections.count)
        )
        for index in acceptor.listeners.indices { acceptAll(from: index) }
        acceptor.close()
        deadlines.set(0, to: nil)
        // The turn that notices may have begun before the server was stopped.
        time = Self.now()
        drainDeadline = time.monotonic.advanced(by: configuration.drainTimeout)
        for slot in 0..<connections.slotCount {
            guard let connection = connections[slot: slot] else { continue }
            // A request that has arrived is answered; only what is idle for sure is closed.
            if !connection.isWriting, connection.deferred == nil { receive(connection) }
            guard connections[slot: slot] === connection else { continue }
            let time = time
            advance(connection) { machine, output in
                machine.drainRequested(at: time, into: &output)
            }
        }
    }

    private func acceptAll(from index: Int) {
        var before = -1
        while connections.count > before, acceptor.pause == nil {
            before = connections.count
            accept(from: index)
        }
    }

    private func cutConnectionsLeft() {
        for slot in 0..<connections.slotCount {
            guard let connection = connections[slot: slot] else { continue }
            // Whoever has all answers, or has asked for none, loses nothing.
            guard connection.phase == .busy else {
                close(connection)
                continue
            }
            cutConnections += 1
            abort(connection)
        }
    }
}
