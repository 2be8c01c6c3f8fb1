import HTTP
import Locks
import System

extension EventLoop {
    /// The maximum bytes written for one connection before other connections are served.
    private static let maximumBytesPerTurn = 256 * 1_024

    /// The nanoseconds of an iteration, up to the kernel's next tick, after which a connection
    /// yields.
    private static let longestTurn = 5_000_000

    /// Handles a readiness event of a connection.
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

    /// Passes received bytes to the machine, at most one buffer.
    ///
    /// - Parameters:
    ///   - connection: The client's connection.
    ///   - mayWait: Whether the response may be batched with those of other connections.
    /// - Returns: Whether there was any input.
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

    /// Passes an event to the machine, and performs its actions until it has to wait.
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
        guard machine.hasMoreToAnswer else { return }
        machine.gathersAnswers = .lastTick <= turnStart.advanced(by: Self.longestTurn)
    }

    /// Passes an event to the machine and performs its actions.
    ///
    /// - Returns: Whether the connection is still open.
    private mutating func perform(
        _ event: (inout HTTPConnectionStateMachine, inout HTTPOutput) -> HTTPConnectionAction,
        for connection: HTTPConnection,
        mayWait: Bool,
        _ machine: inout HTTPConnectionStateMachine,
        _ output: inout HTTPOutput
    ) -> Bool {
        // While clients wait to be accepted, each connection closes after one response.
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

    /// Waits for bytes from the client.
    private mutating func wait(_ connection: HTTPConnection) -> Bool {
        connection.isWriting = false
        guard !connection.isInputOver else {
            close(connection)
            return false
        }
        return watch(connection, for: .reading)
    }

    /// The result of writing.
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
