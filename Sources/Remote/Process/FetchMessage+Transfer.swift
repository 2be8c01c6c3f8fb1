package import System

extension FetchMessage {
    /// Sends a message.
    ///
    /// - Returns: Whether all of it was sent before the deadline.
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

    /// Receives a message without its length prefix.
    ///
    /// Returns nil at the deadline.
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

    /// Receives this number of bytes, or fewer if the other side ends.
    ///
    /// Returns nil at the deadline.
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
