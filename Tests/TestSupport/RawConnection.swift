import System

/// A client that sends exactly the bytes it is given and shows exactly what comes back.
///
/// Every wait ends at a deadline, so that a server that is silent fails a test instead of hanging it.
package final class RawConnection {
    private let descriptor: FileDescriptor
    private let timeout: Duration

    /// What came and was not handed out yet.
    private var received: [UInt8] = []

    private var room = [UInt8](repeating: 0, count: 65_536)
    private var hasEnded = false

    /// Connects to a port of this machine.
    package init(
        port: UInt16,
        host: String = "127.0.0.1",
        timeout: Duration = .seconds(20)
    ) throws {
        self.timeout = timeout
        let address = try SocketAddress.resolve(host: host, port: port)[0]
        descriptor = try .connected(to: address, until: .now.advanced(by: timeout))
        try descriptor.sendWithoutDelay()
    }

    package init(path: String, timeout: Duration = .seconds(20)) throws {
        self.timeout = timeout
        guard let address = SocketAddress(path: path) else {
            throw AddressError.unknownHost(path)
        }
        descriptor = try .connected(to: address, until: .now.advanced(by: timeout))
    }

    /// Connects to a port of 127.0.0.1 from another address of this machine, as 127.0.0.2 is.
    package init(port: UInt16, from source: String, timeout: Duration = .seconds(20)) throws {
        self.timeout = timeout
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: port)[0]
        let own = try SocketAddress.resolve(host: source, port: 0)[0]
        let deadline = ContinuousClock.now.advanced(by: timeout)
        descriptor = try .connected(to: address, from: own, until: deadline)
    }

    /// Sends a text as UTF-8, all of it.
    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        var sent = 0
        while sent < bytes.count {
            switch try descriptor.send(bytes.span.extracting(sent...), [UInt8]().span) {
            case .bytes(let count): sent += count
            case .queueFull:
                guard try descriptor.wait(for: .writing, until: deadline) else {
                    throw RawConnectionError.timedOut(received: text(received))
                }
            }
        }
    }

    /// Sends as many of the bytes as the kernel takes without waiting, and says how many.
    package func sendWhatFits(_ bytes: [UInt8]) throws -> Int {
        switch try descriptor.send(bytes.span, [UInt8]().span) {
        case .bytes(let count): count
        case .queueFull: 0
        }
    }

    /// Says that nothing more will be sent; receiving goes on.
    package func endOutput() throws {
        try descriptor.endOutput()
    }

    /// Makes the end of this client a reset instead of an orderly close.
    package func resetWhenReleased() throws {
        try descriptor.resetWhenClosed()
    }

    /// Everything until the server ends the connection.
    package func receiveAll() throws -> [UInt8] {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while try receiveMore(until: deadline) {}
        return take(received.count)
    }

    /// As `receiveAll()`, as text.
    package func receiveAllText() throws -> String {
        text(try receiveAll())
    }

    /// Waits until the bytes that came and were not handed out satisfy a condition.
    package func receive(until isEnough: ([UInt8]) -> Int?) throws -> [UInt8] {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while true {
            if let count = isEnough(received) { return take(count) }
            guard try receiveMore(until: deadline) else {
                throw RawConnectionError.ended(received: text(received))
            }
        }
    }

    package func receive(count: Int) throws -> [UInt8] {
        try receive { $0.count >= count ? count : nil }
    }

    /// Whether the server ends the connection without sending another byte.
    package func isEndedByServer() throws -> Bool {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while received.isEmpty {
            guard try receiveMore(until: deadline) else { return true }
        }
        return false
    }

    package func receiveResponse(to method: String = "GET") throws -> RawResponse {
        var parsed: RawResponse?
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while true {
            if let (response, count) = try RawResponse.parse(
                received,
                method: method,
                isEnded: hasEnded
            ) {
                _ = take(count)
                parsed = response
            }
            if let parsed { return parsed }
            guard !hasEnded else { throw RawConnectionError.ended(received: text(received)) }
            _ = try receiveMore(until: deadline)
        }
    }

    /// Receives at least a byte; false at the end of the connection, in order or by a reset.
    private func receiveMore(until deadline: ContinuousClock.Instant) throws -> Bool {
        guard !hasEnded else { return false }
        while true {
            var room = room.mutableSpan
            let outcome: FileDescriptor.Received
            do {
                outcome = try descriptor.receive(into: &room)
            } catch {
                hasEnded = true
                return false
            }
            switch outcome {
            case .bytes(let count):
                received.append(contentsOf: self.room[..<count])
                return true
            case .endOfInput:
                hasEnded = true
                return false
            case .nothingYet:
                guard try descriptor.wait(for: .reading, until: deadline) else {
                    throw RawConnectionError.timedOut(received: text(received))
                }
            }
        }
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

/// What a client did not get from a server.
package enum RawConnectionError: Error {
    case timedOut(received: String)

    case ended(received: String)

    /// These bytes are no answer in HTTP.
    case malformed(received: String)
}
