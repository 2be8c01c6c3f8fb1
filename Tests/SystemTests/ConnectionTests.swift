import Glibc
import System
import Testing

@Suite("Connections")
struct ConnectionTests {
    @Test("bytes of two places arrive in order")
    func gatheredSend() throws {
        let pair = try SocketPair()
        #expect(try pair.server.send(Array("head".utf8).span, Array("body".utf8).span) == .bytes(8))
        #expect(try pair.server.send([UInt8]().span, Array("!".utf8).span) == .bytes(1))
        var room = [UInt8](repeating: 0, count: 100)
        #expect(try pair.client.receiveWaiting(into: &room) == .bytes(9))
        #expect(String(decoding: room[..<9], as: UTF8.self) == "headbody!")
    }

    @Test("a full queue and the lack of bytes are told, not waited for")
    func wouldBlock() throws {
        let pair = try SocketPair()
        var room = [UInt8](repeating: 0, count: 10)
        var span = room.mutableSpan
        #expect(try pair.server.receive(into: &span) == .nothingYet)
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        var sent = 0
        while case .bytes(let count) = try pair.server.send(piece.span, piece.span) {
            sent += count
        }
        #expect(sent > 0)
        #expect(try pair.client.receiveWaiting(into: &room) == .bytes(10))
    }

    @Test("the end of input is told again and again")
    func endOfInput() throws {
        let pair = try SocketPair()
        try pair.server.endOutput()
        var room = [UInt8](repeating: 0, count: 10)
        #expect(try pair.client.receiveWaiting(into: &room) == .endOfInput)
        #expect(try pair.client.receiveWaiting(into: &room) == .endOfInput)
    }

    @Test("a descriptor is closed with its owner")
    func ownership() throws {
        let pair = try SocketPair()
        let client = pair.closingServer()
        var room = [UInt8](repeating: 0, count: 10)
        #expect(try client.receiveWaiting(into: &room) == .endOfInput)
    }

    @Test("sending to a peer that has gone is an error and no signal")
    func brokenPipe() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let pair = try SocketPair()
            try pair.client.resetWhenClosed()
            let server = pair.closingClient()
            // The reset may take a moment; the first call after it fails with ECONNRESET, then EPIPE.
            _ = try server.wait(for: .reading, until: .now.advanced(by: .seconds(10)))
            for _ in 0..<3 {
                do {
                    _ = try server.send([1].span, [2].span)
                } catch {
                    guard let error = error as? SystemError else { exit(1) }
                    if error.code == EPIPE { exit(0) }
                }
            }
            exit(2)
        }
    }

    @Test("a port where nobody listens refuses")
    func refused() throws {
        // The port is taken on another address, so that nobody else can be given it.
        let listener = try Listener(try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0])
        let port = try listener.address.port
        let address = try SocketAddress.resolve(host: "127.0.0.2", port: port)[0]
        #expect(throws: SystemError(call: "connect", code: ECONNREFUSED)) {
            _ = try FileDescriptor.connected(to: address, until: .now.advanced(by: .seconds(10)))
        }
        _ = consume listener
    }
}
