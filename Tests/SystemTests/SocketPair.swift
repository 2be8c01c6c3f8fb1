import System

struct SocketPair: ~Copyable {
    let client: FileDescriptor
    let server: FileDescriptor

    struct NobodyConnected: Error {}

    init() throws {
        let listener = try Listener(try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0])
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        let client = try FileDescriptor.connected(to: listener.address, until: deadline)
        guard try listener.descriptor.wait(for: .reading, until: deadline),
            case .connection(let connection) = listener.accept()
        else { throw NobodyConnected() }
        self.client = client
        server = connection
    }

    consuming func closingClient() -> FileDescriptor { server }

    consuming func closingServer() -> FileDescriptor { client }
}

extension FileDescriptor {
    borrowing func receiveWaiting(into room: inout [UInt8]) throws -> Received {
        _ = try wait(for: .reading, until: .now.advanced(by: .seconds(10)))
        var room = room.mutableSpan
        return try receive(into: &room)
    }
}
