import Bytes

@testable import HTTP

// Bytes of a connection: no input may trap, and where it is cut must not matter.

/// Tries one input.
func fuzz(conversation input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = Connection.run(bytes, chunk: max(1, bytes.count), socketTakes: .max)
    let cut = Connection.run(bytes, chunk: 1 + Int(first % 61), socketTakes: 1 + Int(first) * 37)
    // Whether a client waits for 100 is told by when its bytes come.
    if !bytes.containsExpect {
        precondition(whole == cut, "cut every \(1 + Int(first % 61)) bytes it is read otherwise")
    }
}

/// A connection machine with a handler and a socket.
private struct Connection: ~Copyable {
    var machine: HTTPConnectionStateMachine
    var output = HTTPOutput()
    var response = HTTPResponse()
    var now = HTTPTime(monotonic: .now, secondsSince1970: 784_111_777)
    var requests: [String] = []
    var isOpen = true
    let socketTakes: Int

    static func run(_ bytes: [UInt8], chunk: Int, socketTakes: Int) -> [String] {
        var limits = HTTPLimits()
        // Small bounds are reached by small inputs.
        limits.maximumBodyBytes = 256
        limits.maximumDroppedBodyBytes = 64
        limits.maximumFieldSectionBytes = 1024
        limits.maximumFields = 16
        limits.maximumRequestLineBytes = 8000
        var connection = Connection(limits: limits, socketTakes: socketTakes)
        var index = 0
        while index < bytes.count, connection.isOpen {
            let end = min(bytes.count, index + chunk)
            let piece = Array(bytes[index..<end])
            let action = connection.machine.bytesReceived(
                piece.span,
                at: connection.now,
                into: &connection.output
            )
            connection.obey(action)
            index = end
        }
        if connection.isOpen {
            connection.obey(
                connection.machine.peerClosed(at: connection.now, into: &connection.output)
            )
        }
        return connection.requests
    }

    init(limits: HTTPLimits, socketTakes: Int) {
        machine = HTTPConnectionStateMachine(
            rules: HTTPConnectionConfiguration(limits: limits),
            at: now
        )
        self.socketTakes = socketTakes
    }

    mutating func obey(_ first: HTTPConnectionAction) {
        var action = first
        while true {
            switch action {
            case .admit:
                action = machine.bodyAdmitted(at: now, into: &output)
            case .respond:
                respond()
                action = machine.responseReady(&response, at: now, into: &output)
            case .write:
                while !output.isEmpty {
                    let count = min(output.count, socketTakes)
                    machine.bytesWritten(count, at: now)
                    output.removeFirst(count)
                }
                action = machine.outputDrained(at: now, into: &output)
            case .waitForStream:
                action = machine.streamReady(at: now, into: &output)
            case .close, .abort:
                isOpen = false
                return
            case .receive, .waitForResponse, .proceed, .linger:
                return
            }
        }
    }

    private mutating func respond() {
        let request = machine.request
        let text = "\(request.method.name) \(request.path.segments) \(request.query ?? "-")"
        let body = String(decoding: request.body, as: UTF8.self)
        requests.append("\(text) \(request.authority ?? "-") \(body)")
        let content = StaticContent(.memory(Array(text.utf8)), mediaType: .html, hash: "a")
        let date = HTTPDate(secondsSince1970: 784_111_777)
        if let date, request.method == .get {
            _ = content.respond(request, cacheControl: "no-store", now: date, with: &response)
        } else {
            response.stream = Echo(request.body)
        }
    }
}

private final class Echo: HTTPBodyStream {
    private var rest: ArraySlice<UInt8>

    init(_ body: [UInt8]) { rest = body[...] }

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        for byte in rest.prefix(10) { buffer.append(byte) }
        rest = rest.dropFirst(10)
        return rest.isEmpty ? .finished : .waiting(atMost: .seconds(1))
    }
}

extension [UInt8] {
    /// Whether a field Expect may be among the bytes.
    fileprivate var containsExpect: Bool {
        let name = Array("expect".utf8)
        guard count >= name.count else { return false }
        return (0...count - name.count).contains { start in
            name.indices.allSatisfy { self[start + $0] | 0x20 == name[$0] }
        }
    }
}
