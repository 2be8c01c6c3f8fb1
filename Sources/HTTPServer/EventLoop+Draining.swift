import HTTP
import System

extension EventLoop {
    /// Applies the server's phase, if it is not applied yet.
    mutating func follow(_ phase: HTTPServerState.Phase) {
        switch phase {
        case .serving: return
        case .leaving: return leave()
        case .draining:
            if drainDeadline == nil { beginDraining() }
        case .stopping:
            if drainDeadline == nil { acceptor.close() }
            drainDeadline = time.monotonic
        }
        if let drainDeadline, drainDeadline <= time.monotonic { cutConnectionsLeft() }
    }

    /// Serves until the delay is over, which every loop measures itself.
    private mutating func leave() {
        guard let leaveDeadline else {
            leaveDeadline = time.monotonic.advanced(by: configuration.drainDelay)
            for slot in 0..<connections.slotCount {
                connections[slot: slot]?.machine.isDraining = true
            }
            guard index == 0 else { return }
            return configuration.eventLog?(.leavingBegan(for: configuration.drainDelay)) ?? ()
        }
        guard leaveDeadline <= time.monotonic else { return }
        configuration.state.advance(to: .draining)
        beginDraining()
    }

    /// Accepts the clients that the kernel has already connected, closes the listeners, and drains
    /// every connection.
    private mutating func beginDraining() {
        configuration.eventLog?(
            .drainingBegan(loop: index, openConnections: connections.count)
        )
        for index in acceptor.listeners.indices { acceptAll(from: index) }
        acceptor.close()
        deadlines.set(0, to: nil)
        // The current iteration may have begun before the server was stopped.
        lookAtClocks()
        drainDeadline = time.monotonic.advanced(by: configuration.drainTimeout)
        for slot in 0..<connections.slotCount {
            guard let connection = connections[slot: slot] else { continue }
            connection.machine.isDraining = true
            // A request that has arrived gets a response. Only connections that are surely idle are
            // closed.
            if !connection.isWriting, connection.deferred == nil { receive(connection) }
            guard connections[slot: slot] === connection else { continue }
            let time = time
            advance(connection) { machine, output in
                machine.drainRequested(at: time, into: &output)
            }
        }
    }

    private mutating func acceptAll(from index: Int) {
        var before = -1
        while connections.count > before, acceptor.pause == nil {
            before = connections.count
            accept(from: index)
        }
    }

    private mutating func cutConnectionsLeft() {
        for slot in 0..<connections.slotCount {
            guard let connection = connections[slot: slot] else { continue }
            // A client without a pending request or response loses nothing.
            guard connection.phase == .busy || connection.machine.isReceivingHead else {
                close(connection)
                continue
            }
            cutConnections += 1
            abort(connection)
        }
    }
}
