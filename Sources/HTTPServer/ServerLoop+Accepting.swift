import HTTP
import Locks
import Sockets

extension ServerLoop {
    /// Connections taken before what is open is served again.
    private static let maximumAcceptsPerTurn = 16

    /// How long a client that is new or leaving may be silent before it has to make room.
    private static let shortestSilence = Duration.seconds(1)

    /// Takes connections that wait at a listener.
    mutating func accept(from index: Int) {
        guard acceptor.pause == nil, index < acceptor.listeners.count else { return }
        let owned = acceptor.listeners[index]
        for attempt in 0..<Self.maximumAcceptsPerTurn {
            if connections.count >= maximumConnections {
                // Somebody is known to wait only at the first attempt.
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

    /// Takes connections again, if that was paused.
    mutating func resumeAccepting() {
        guard acceptor.pause != nil, drainDeadline == nil else { return }
        do throws(SystemError) {
            try acceptor.watch(with: eventLoop)
        } catch {
            pauseAccepting(.exhaustion)
        }
    }

    /// Makes room by closing the connection that has been idle longest, or else one that has not
    /// been heard of for a while.
    ///
    /// - Returns: Whether there was one.
    private mutating func makeRoom() -> Bool {
        for _ in 0..<Self.maximumAcceptsPerTurn {
            guard let connection = mostDispensable() else { return false }
            // What has been sent meanwhile is answered first.
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
        // Behind its last request it may have begun another: that one is answered still.
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

    private mutating func open(_ descriptor: consuming Descriptor) {
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
            machine: HTTPConnectionMachine(rules: rules, at: time),
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
            // The kernel cannot watch it (ENOMEM, ENOSPC): the client is let go.
            return close(connection)
        }
        settle(connection, connection.machine)
    }

    /// Says who has too many connections, once a second at most.
    private mutating func tellOfRefusal(of address: SocketAddress) {
        guard refusals.isDue(at: time) else { return }
        configuration.eventLog?(.addressAtLimit(host: address.host))
    }
}
