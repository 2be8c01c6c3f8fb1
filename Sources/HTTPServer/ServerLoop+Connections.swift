import HTTP
import Locks
import Sockets

extension ServerLoop {
    /// Bytes written for one connection before the others have their turn.
    private static let maximumBytesPerTurn = 256 * 1_024

    /// After so many nanoseconds of a turn, and the kernel's next tick, a connection gives its place to the
    /// others: behind an answer, or behind a piece of one.
    private static let longestTurn = 5_000_000

    /// Does what the kernel says can be done.
    mutating func handle(_ event: EventLoop.Event, of connection: HTTPConnection) {
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

    /// Gives the machine what the client has sent, at most one buffer of it.
    ///
    /// - Parameters:
    ///   - connection: The client's.
    ///   - mayWait: Whether the answer may wait for those of other connections.
    /// - Returns: Whether there was anything.
    @discardableResult
    mutating func receive(_ connection: HTTPConnection, mayWait: Bool = false) -> Bool {
        // Held for the time, so that the machine may be lent it while the loop does what it says.
        var received: [UInt8] = []
        swap(&received, &self.received)
        defer { swap(&received, &self.received) }
        let outcome: Descriptor.Received
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
            // The end of input stays readable for ever: without an answer under way nothing is left.
            if connections[token: connection.token] != nil, !connection.isWriting,
                !connection.machine.isWaitingForStream
            {
                close(connection)
            }
        }
        return true
    }

    /// Tells the machine of an event and does what it says, until there is something to wait for.
    mutating func advance(
        _ connection: HTTPConnection,
        mayWait: Bool = false,
        _ event: (inout HTTPConnectionMachine, inout HTTPOutput) -> HTTPConnectionAction
    ) {
        var output = connection.takeOutput() ?? spareOutputs.take()
        // The machine is lent once for all answers of the event: each look at an object's own is an
        // access that is checked while the program runs.
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
        _ machine: inout HTTPConnectionMachine,
        _ output: inout HTTPOutput,
        _ event: (inout HTTPConnectionMachine, inout HTTPOutput) -> HTTPConnectionAction
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

    /// Lets no more answers be gathered once the others have waited long enough.
    private func boundTurn(of machine: inout HTTPConnectionMachine) {
        guard machine.hasMoreToAnswer else { return }
        machine.gathersAnswers = .lastTick <= turnStart.advanced(by: Self.longestTurn)
    }

    /// Tells the machine of an event and does what it says.
    ///
    /// - Returns: Whether the connection is still open.
    private mutating func perform(
        _ event: (inout HTTPConnectionMachine, inout HTTPOutput) -> HTTPConnectionAction,
        for connection: HTTPConnection,
        mayWait: Bool,
        _ machine: inout HTTPConnectionMachine,
        _ output: inout HTTPOutput
    ) -> Bool {
        // While clients wait for a place, everybody gets one answer per connection.
        machine.closesAfterAnswer = acceptor.pause != nil
        var action = event(&machine, &output)
        var room = Self.maximumBytesPerTurn
        machine.gathersAnswers = true
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
                case .done where !machine.gathersAnswers && machine.hasMoreToAnswer:
                    connection.isWriting = true
                    return watch(connection, for: .writing)
                case .done:
                    action = machine.outputDrained(at: time, into: &output)
                    // One that threw is not over: the connection ends before it.
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
            case .waitForAnswer:
                connection.isWriting = false
                return watch(connection, for: connection.isInputOver ? [] : .endOfInput)
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

    /// Waits for bytes of the client.
    private mutating func wait(_ connection: HTTPConnection) -> Bool {
        connection.isWriting = false
        guard !connection.isInputOver else {
            close(connection)
            return false
        }
        return watch(connection, for: .reading)
    }

    /// What became of writing.
    private enum Written {
        case done
        case waiting
        case failed
    }

    private func write(
        _ output: inout HTTPOutput,
        of machine: inout HTTPConnectionMachine,
        to connection: HTTPConnection,
        room: inout Int
    ) -> Written {
        guard !output.isEmpty else { return .done }
        // Another piece of a stream waits until the other connections have had their turn.
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
    ) throws(SystemError) -> Descriptor.Sent {
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

    mutating func watch(_ connection: HTTPConnection, for interest: EventLoop.Interest) -> Bool {
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
