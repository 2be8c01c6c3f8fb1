import HTTP
import Locks
import System

extension EventLoop {
    /// The maximum connections accepted before open connections are served again.
    private static let maximumAcceptsPerTurn = 16

    /// The silence after which a new or lingering client may be closed to make room.
    private static let shortestSilence = Duration.seconds(1)

    /// Accepts connections that wait at a listener.
    mutating func accept(from index: Int) {
        guard acceptor.pause == nil, index < acceptor.listeners.count else { return }
        let owned = acceptor.listeners[index]
        for attempt in 0..<Self.maximumAcceptsPerTurn {
            if connections.count >= maximumConnections {
                // Only the first attempt is sure to have a waiting client.
                guard attempt == 0 else { return }
                if caps.isDue(at: time) {
                    configuration.eventLog?(.connectionsAtLimit(maximum: maximumConnections))
                }
                guard makeRoom() else { return pauseAccepting(.cap) }
            }
            switch owned.listener.accept() {
            case .nobody: return
            case .goneAlready: continue
            case .connection(let descriptor):
                acceptor.connectionTaken()
                open(descriptor)
            case .impossible(let error):
                guard !makeRoom() else { return }
                pauseAccepting(.exhaustion)
                return configuration.eventLog?(.acceptingPaused(code: error.code)) ?? ()
            }
        }
    }

    /// Tries again after a pause for exhaustion.
    mutating func backOffIsOver() {
        if acceptor.isHopeless, !makeRoom() {
            acceptor.turnAway(atMost: Self.maximumAcceptsPerTurn)
        }
        resumeAccepting()
    }

    /// Accepts connections again, if that was paused.
    mutating func resumeAccepting() {
        guard acceptor.pause != nil, drainDeadline == nil else { return }
        do throws(SystemError) {
            try acceptor.watch(with: eventLoop)
        } catch {
            pauseAccepting(.exhaustion)
        }
    }

    /// Makes room by closing the connection that has been idle longest.
    ///
    /// Without an idle one it closes a connection that has been silent for a while.
    ///
    /// - Returns: Whether room was made.
    private mutating func makeRoom() -> Bool {
        for _ in 0..<Self.maximumAcceptsPerTurn {
            guard let connection = mostDispensable() else { return false }
            // Input that has arrived meanwhile is handled first.
            if !receive(connection) { giveUp(connection) }
            if connections[token: connection.token] == nil { return true }
        }
        return false
    }

    private func mostDispensable() -> HTTPConnection? {
        if let slot = kept.first { return connections[slot: slot] }
        guard let slot = quiet.first, let connection = connections[slot: slot],
            connection.quietSince.duration(to: time.monotonic) >= Self.shortestSilence
        else { return nil }
        return connection
    }

    private mutating func giveUp(_ connection: HTTPConnection) {
        guard connection.phase != .lingering, !connection.machine.isReceivingHead else {
            return close(connection)
        }
        // A further request may have begun after the last one. It still gets its response.
        connection.phase = .busy
        let time = time
        advance(connection) { machine, output in
            machine.drainRequested(at: time, into: &output)
        }
    }

    private mutating func pauseAccepting(_ reason: Acceptor.Pause) {
        let backOff = acceptor.pause(reason, of: eventLoop)
        deadlines.set(0, to: time.monotonic.advanced(by: backOff))
    }

    private mutating func open(_ descriptor: consuming FileDescriptor) {
        var network: UInt64?
        if let addressCounts, let address = try? SocketAddress(ofPeer: descriptor) {
            network = address.network
            if let network, !addressCounts.enter(network) {
                return tellOfRefusal(of: address)
            }
        }
        let place = connections.makePlace()
        let connection = HTTPConnection(
            descriptor,
            slot: place.slot,
            token: place.token,
            network: network,
            machine: HTTPConnectionStateMachine(rules: rules, at: time),
            at: time
        )
        if peerHandler != nil || configuration.accessLog != nil,
            let address = try? SocketAddress(ofPeer: connection.descriptor)
        {
            connection.peer = HTTPPeer(address: address.host)
        }
        connection.machine.isDraining = configuration.state.isDraining
        connections.insert(connection)
        measures.opened.add()
        do throws(SystemError) {
            try eventLoop.add(
                connection.descriptor,
                token: connection.token,
                interest: connection.interest
            )
        } catch {
            // The kernel cannot watch it (ENOMEM, ENOSPC), so the client is disconnected.
            return close(connection)
        }
        settle(connection, connection.machine)
    }

    /// Reports the address that has too many connections, at most once a second.
    private mutating func tellOfRefusal(of address: SocketAddress) {
        guard refusals.isDue(at: time) else { return }
        configuration.eventLog?(.addressAtLimit(host: address.host))
    }
}
