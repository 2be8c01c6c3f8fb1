package import System

/// The messages between the fetching program and the process that started it.
///
/// A message is its length in four bytes, little-endian, followed by its parts. Numbers have eight
/// bytes. Texts and bodies follow their length.
package enum FetchMessage {
    package static let prefixCount = 4

    /// The maximum length: a body of 1 GiB and its metadata.
    package static let maximumCount = (1 << 30) + (1 << 20)

    package static func count(_ prefix: [UInt8]) -> Int? {
        let count = prefix.reversed().reduce(0) { $0 << 8 | Int($1) }
        return prefix.count == prefixCount && count <= maximumCount ? count : nil
    }

    package static func bytes(of request: RemoteRequest) -> [UInt8] {
        var writer = Writer()
        writer.append(request.method.name)
        writer.append("\(request.address)")
        writer.append(request.fields)
        writer.append(request.body)
        writer.append(Int(request.timeout / .milliseconds(1)))
        writer.append(request.maximumBytes)
        return writer.message
    }

    /// Without the length prefix.
    ///
    /// Nil if it is invalid.
    package static func request(_ bytes: [UInt8]) -> RemoteRequest? {
        var reader = Reader(bytes)
        guard let method = reader.text().flatMap(Endpoint.Method.init),
            let address = reader.text().flatMap(RemoteAddress.absolute),
            let fields = reader.fields(), let body = reader.bytes(),
            let timeout = reader.number(), let maximum = reader.number(), reader.isAtEnd
        else { return nil }
        return RemoteRequest(
            method: method,
            address: address,
            fields: fields,
            body: body,
            timeout: .milliseconds(timeout),
            maximumBytes: maximum
        )
    }

    package static func bytes(of result: Result<RemoteResponse, RemoteError>) -> [UInt8] {
        var writer = Writer()
        switch result {
        case .success(let response):
            writer.append(0)
            writer.append(response.status)
            writer.append(response.fields)
            writer.append(response.body)
        case .failure(.tooLarge(let maximum)):
            writer.append(1)
            writer.append(maximum)
        case .failure(.transport(let failure)):
            writer.append(2)
            writer.append(Self.number(of: failure))
        case .failure:
            writer.append(2)
            writer.append(Self.number(of: .programFailed))
        }
        return writer.message
    }

    /// Without the length prefix.
    ///
    /// Nil if it is invalid.
    package static func result(_ bytes: [UInt8]) -> Result<RemoteResponse, RemoteError>? {
        var reader = Reader(bytes)
        switch reader.number() {
        case 0:
            guard let status = reader.number(), let fields = reader.fields(),
                let body = reader.bytes(), reader.isAtEnd
            else { return nil }
            return .success(RemoteResponse(status: status, fields: fields, body: body))
        case 1: return reader.number().map { .failure(.tooLarge(maximumBytes: $0)) }
        case 2: return reader.number().map { .failure(.transport(Self.failure($0))) }
        default: return nil
        }
    }

    private static let failures: [TransportFailure] = [
        .timedOut, .unknownHost, .unreachable, .connectionLost, .insecure, .programFailed,
        .malformedResponse, .libraryMissing,
    ]

    /// The table index, or a negative number of its own.
    private static func number(of failure: TransportFailure) -> Int {
        if case .other(let number) = failure { return min(number, -1) }
        return failures.firstIndex(of: failure) ?? Self.number(of: .programFailed)
    }

    private static func failure(_ number: Int) -> TransportFailure {
        guard number >= 0 else { return .other(number) }
        return number < failures.count ? failures[number] : .programFailed
    }
}

extension FetchMessage {
    private struct Writer {
        private var bytes: [UInt8] = [0, 0, 0, 0]

        var message: [UInt8] {
            let count = bytes.count - FetchMessage.prefixCount
            precondition(count <= FetchMessage.maximumCount, "a message of \(count) bytes")
            var message = bytes
            for index in 0..<FetchMessage.prefixCount {
                message[index] = UInt8(truncatingIfNeeded: count >> (8 * index))
            }
            return message
        }

        mutating func append(_ number: Int) {
            let bits = UInt64(bitPattern: Int64(number))
            for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * index))) }
        }

        mutating func append(_ body: [UInt8]) {
            append(body.count)
            bytes += body
        }

        mutating func append(_ text: String) { append(Array(text.utf8)) }

        mutating func append(_ fields: [RemoteField]) {
            append(fields.count)
            for field in fields {
                append(field.name)
                append(field.value)
            }
        }
    }

    private struct Reader {
        private let source: [UInt8]
        private var index = 0

        init(_ source: [UInt8]) { self.source = source }

        var isAtEnd: Bool { index == source.count }

        mutating func number() -> Int? {
            guard source.count - index >= 8 else { return nil }
            let bits = source[index..<(index + 8)].reversed().reduce(UInt64(0)) { bits, byte in
                bits << 8 | UInt64(byte)
            }
            index += 8
            return Int(exactly: Int64(bitPattern: bits))
        }

        mutating func bytes() -> [UInt8]? {
            guard let count = number(), count >= 0, source.count - index >= count else {
                return nil
            }
            defer { index += count }
            return Array(source[index..<(index + count)])
        }

        mutating func text() -> String? {
            bytes().flatMap { String(validating: $0, as: UTF8.self) }
        }

        mutating func fields() -> [RemoteField]? {
            guard let count = number(), count >= 0 else { return nil }
            var fields: [RemoteField] = []
            for _ in 0..<count {
                guard let name = text(), let value = text() else { return nil }
                fields.append(RemoteField(received: name, value))
            }
            return fields
        }
    }
}

extension FetchMessage {
    /// False at the deadline.
    package static func send(
        _ message: [UInt8],
        to connection: borrowing FileDescriptor,
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> Bool {
        var rest = message[...]
        let nothing: [UInt8] = []
        while !rest.isEmpty {
            switch try connection.send(rest.span, nothing.span) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .queueFull:
                guard try connection.wait(for: .writing, until: deadline) else { return false }
            }
        }
        return true
    }

    /// Without the length prefix.
    ///
    /// Nil at the deadline.
    ///
    /// A truncated message, or one with an invalid length, yields no bytes and so cannot be parsed.
    package static func receive(
        from connection: borrowing FileDescriptor,
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> [UInt8]? {
        guard let prefix = try receive(prefixCount, from: connection, until: deadline) else {
            return nil
        }
        guard let count = count(prefix) else { return [] }
        guard let message = try receive(count, from: connection, until: deadline) else {
            return nil
        }
        return message.count == count ? message : []
    }

    /// Fewer bytes if the other side ends.
    ///
    /// Nil at the deadline.
    private static func receive(
        _ count: Int,
        from connection: borrowing FileDescriptor,
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(count, 1 << 20))
        var room = [UInt8](repeating: 0, count: min(max(count, 1), 64 << 10))
        while bytes.count < count {
            // The other side sends nothing after a message until it gets a response.
            room.removeLast(max(0, room.count - (count - bytes.count)))
            var span = room.mutableSpan
            switch try connection.receive(into: &span) {
            case .bytes(let received): bytes += room[..<received]
            case .endOfInput: return bytes
            case .nothingYet:
                guard try connection.wait(for: .reading, until: deadline) else { return nil }
            }
        }
        return bytes
    }
}
