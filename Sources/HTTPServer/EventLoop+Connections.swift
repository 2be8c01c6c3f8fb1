import HTTP
import Locks
import Synchronization
import System

extension EventLoop {
    /// The maximum bytes written for one connection before other connections are served.
    private static let maximumBytesPerTurn = 256 * 1_024

    /// The nanoseconds of an iteration, up to the kernel's next tick, after which a connection
    /// yields.
    private static let longestTurn = 5_000_000

    mutating func handle(_ event: Poller.Event, of connection: HTTPConnection) {
        if event.isBroken {
            close(connection)
        } else if connection.isWriting {
            guard event.isWritable else { return }
            advance(connection) { _, _ in .write }
        } else if event.isReadable {
            receive(connection, mayWait: true)
        } else if event.isEndOfInput {
            clientLeft(connection)
        }
    }

    /// Passes at most one buffer to the machine.
    ///
    /// If it may wait, the response is batched with those of other connections. False if there was
    /// no input.
    @discardableResult
    mutating func receive(_ connection: HTTPConnection, mayWait: Bool = false) -> Bool {
        // Swapped out, so that the machine may borrow it while the loop performs actions.
        var received: [UInt8] = []
        swap(&received, &self.received)
        defer { swap(&received, &self.received) }
        let outcome: FileDescriptor.Received
        do throws(SystemError) {
            var room = received.mutableSpan
            outcome = try connection.descriptor.receive(into: &room)
        } catch {
            close(connection)
            return true
        }
        let time = time
        switch outcome {
        case .nothingYet: return false
        case .bytes(let count):
            measures.receivedBytes.add(count)
            if connection.phase == .kept { connection.quietSince = time.monotonic }
            if connection.phase != .lingering { connection.phase = .busy }
            advance(connection, mayWait: mayWait) { machine, output in
                machine.bytesReceived(received.span.extracting(..<count), at: time, into: &output)
            }
        case .endOfInput:
            connection.isInputOver = true
            advance(connection) { machine, output in
                machine.peerClosed(at: time, into: &output)
            }
            // The end of input stays readable. Without a response in progress the connection is
            // over.
            if connections[token: connection.token] != nil, !connection.isWriting,
                !connection.machine.isWaitingForStream
            {
                close(connection)
            }
        }
        return true
    }

    mutating func advance(
        _ connection: HTTPConnection,
        mayWait: Bool = false,
        _ event: (inout HTTPConnectionStateMachine, inout HTTPOutput) -> HTTPConnectionAction
    ) {
        var output = connection.takeOutput() ?? spareOutputs.take()
        // The machine is borrowed once for the whole event, because each access to an object's
        // property is checked at run time.
        let isOpen = advance(
            connection,
            mayWait: mayWait,
            &connection.machine,
            &output,
            event
        )
        if isOpen, connection.isDeparting || !output.isEmpty {
            connection.keep(output)
        } else {
            spareOutputs.give(output)
        }
        boundUnsent()
    }

    private mutating func advance(
        _ connection: HTTPConnection,
        mayWait: Bool,
        _ machine: inout HTTPConnectionStateMachine,
        _ output: inout HTTPOutput,
        _ event: (inout HTTPConnectionStateMachine, inout HTTPOutput) -> HTTPConnectionAction
    ) -> Bool {
        guard perform(event, for: connection, mayWait: mayWait, &machine, &output) else {
            return false
        }
        if !connection.isDeparting {
            note(output, of: connection)
            settle(connection, machine)
        }
        return true
    }

    /// Stops the gathering of responses once other connections have waited long enough.
    private func boundTurn(of machine: inout HTTPConnectionStateMachine) {
        guard machine.hasMoreRequests else { return }
        machine.gathersResponses = .lastTick <= turnStart.advanced(by: Self.longestTurn)
    }

    /// False if the connection is closed.
    private mutating func perform(
        _ event: (inout HTTPConnectionStateMachine, inout HTTPOutput) -> HTTPConnectionAction,
        for connection: HTTPConnection,
        mayWait: Bool,
        _ machine: inout HTTPConnectionStateMachine,
        _ output: inout HTTPOutput
    ) -> Bool {
        // While clients wait to be accepted, each connection closes after one response.
        machine.closesAfterResponse = acceptor.pause != nil
        var action = event(&machine, &output)
        var room = Self.maximumBytesPerTurn
        machine.gathersResponses = true
        while true {
            logRefusals(of: connection)
            switch action {
            case .proceed:
                return true
            case .respond:
                action = respond(to: connection, &machine, &output)
                boundTurn(of: &machine)
            case .write where mayWait && letWait(output, of: connection, &machine):
                return true
            case .write:
                switch write(&output, of: &machine, to: connection, room: &room) {
                case .done where !machine.gathersResponses && machine.hasMoreRequests:
                    connection.isWriting = true
                    return watch(connection, for: .writing)
                case .done:
                    action = machine.outputDrained(at: time, into: &output)
                    // A stream that threw is not complete: its connection has ended before this.
                    if action != .write, action != .abort, !machine.isWaitingForStream {
                        connection.lasting = nil
                        logStream(of: connection, isAborted: false)
                    }
                    if action == .receive { connection.phase = .kept }
                    if action == .write { boundTurn(of: &machine) }
                case .waiting:
                    connection.isWriting = true
                    return watch(connection, for: .writing)
                case .failed:
                    close(connection)
                    return false
                }
            case .admit:
                action = admitBody(of: connection, &machine, &output)
            case .receive, .waitForStream:
                return wait(connection)
            case .waitForResponse:
                connection.isWriting = false
                let isOver = connection.deferred?.hasClientLeft ?? connection.isInputOver
                return watch(connection, for: isOver ? [] : .endOfInput)
            case .linger:
                connection.phase = .lingering
                guard (try? connection.descriptor.endOutput()) != nil else {
                    close(connection)
                    return false
                }
                return wait(connection)
            case .close:
                close(connection)
                return false
            case .abort:
                tellStreamFailure(of: connection, machine)
                abort(connection)
                return false
            }
        }
    }

    private mutating func wait(_ connection: HTTPConnection) -> Bool {
        connection.isWriting = false
        guard !connection.isInputOver else {
            close(connection)
            return false
        }
        return watch(connection, for: .reading)
    }

    private enum Written {
        case done
        case waiting
        case failed
    }

    private func write(
        _ output: inout HTTPOutput,
        of machine: inout HTTPConnectionStateMachine,
        to connection: HTTPConnection,
        room: inout Int
    ) -> Written {
        guard !output.isEmpty else { return .done }
        // Another piece of a stream waits until other connections have been served.
        guard room > 0 else { return .waiting }
        do throws(SystemError) {
            let sent = try send(output, to: connection)
            guard case .bytes(let count) = sent else { return .waiting }
            output.removeFirst(count)
            measures.sentBytes.add(count)
            machine.bytesWritten(count, at: time)
            connection.streamed?.record.bodyBytes += count
            room -= count
        } catch {
            return .failed
        }
        return output.isEmpty ? .done : .waiting
    }

    private func send(
        _ output: borrowing HTTPOutput,
        to connection: HTTPConnection
    ) throws(SystemError) -> FileDescriptor.Sent {
        if let file = output.file, output.isAtFile {
            return try connection.descriptor.send(
                file: file.rawDescriptor,
                from: file.offset,
                count: min(file.count, Self.maximumBytesPerTurn)
            )
        }
        return try output.withPieces { (first, second) throws(SystemError) in
            try connection.descriptor.send(first, second)
        }
    }

    mutating func watch(_ connection: HTTPConnection, for interest: Poller.Interest) -> Bool {
        guard interest != connection.interest else { return true }
        do throws(SystemError) {
            try eventLoop.modify(
                connection.descriptor,
                token: connection.token,
                interest: interest
            )
        } catch {
            close(connection)
            return false
        }
        connection.interest = interest
        return true
    }
}

extension EventLoop {
    /// The maximum connections accepted before open connections are served again.
    private static let maximumAcceptsPerTurn = 16

    /// The silence after which a new or lingering client may be closed to make room.
    private static let shortestSilence = Duration.seconds(1)

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

    mutating func backOffIsOver() {
        if acceptor.isHopeless, !makeRoom() {
            acceptor.turnAway(atMost: Self.maximumAcceptsPerTurn)
        }
        resumeAccepting()
    }

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
    /// False if no room was made.
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
        // A peer without an address is gone already, which its descriptor reports.
        let address = try? SocketAddress(ofPeer: descriptor)
        if let address, let network = address.network, addressCounts?.enter(network) == false {
            return tellOfRefusal(of: address)
        }
        let free = connections.makeSlot()
        let connection = HTTPConnection(
            descriptor,
            slot: free.slot,
            token: free.token,
            network: address?.network,
            machine: HTTPConnectionStateMachine(rules: rules, at: time),
            at: time
        )
        if peerHandler != nil || configuration.accessLog != nil, let address {
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

    /// At most once a second.
    private mutating func tellOfRefusal(of address: SocketAddress) {
        guard refusals.isDue(at: time) else { return }
        configuration.eventLog?(.addressAtLimit(host: address.host))
    }
}

/// A list of numbered slots in the order in which they were appended, with O(1) operations.
struct LRUList {
    private struct Link {
        var previous = -1
        var next = -1
        var isLinked = false
    }

    private var links: [Link] = []
    private var last = -1

    var first: Int? { head >= 0 ? head : nil }

    private var head = -1

    func contains(_ slot: Int) -> Bool { slot < links.count && links[slot].isLinked }

    /// A slot in the list moves to the end.
    mutating func append(_ slot: Int) {
        while slot >= links.count { links.append(Link()) }
        guard slot != last else { return }
        remove(slot)
        links[slot] = Link(previous: last, next: -1, isLinked: true)
        if last >= 0 { links[last].next = slot } else { head = slot }
        last = slot
    }

    /// Slots that are not in the list are ignored.
    mutating func remove(_ slot: Int) {
        guard contains(slot) else { return }
        let link = links[slot]
        if link.previous >= 0 { links[link.previous].next = link.next } else { head = link.next }
        if link.next >= 0 {
            links[link.next].previous = link.previous
        } else {
            last = link.previous
        }
        links[slot] = Link()
    }
}

/// Numbers for the heads that event loops read, handed out in blocks, each only once.
package enum RequestHeadIDs {
    /// Large enough that loops seldom contend, and small enough that 2⁶⁴ numbers suffice.
    private static let blockSize: UInt64 = 1 << 16
    private static let blocks = Atomic<UInt64>(0)

    package static func takeBlock() -> Range<UInt64> {
        let block = blocks.add(1, ordering: .relaxed).oldValue
        return block * blockSize..<(block + 1) * blockSize
    }
}
