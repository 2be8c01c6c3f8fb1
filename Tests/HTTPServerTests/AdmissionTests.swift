import Bytes
import HTTP
import HTTPServer
import Locks
import TestSupport
import Testing

@Suite("Bodies announced, over a socket")
struct AdmissionTests {
    private final class Counter: HTTPBodySink {
        let count = Locked((bytes: 0, sum: 0))

        func take(_ bytes: borrowing Span<UInt8>) {
            var sum = 0
            for index in bytes.indices { sum += Int(bytes[index]) }
            let added = bytes.count
            count.withLock { [sum] in $0 = ($0.bytes + added, $0.sum + sum) }
        }
    }

    /// Reads bodies at `/read`, counts them at `/count`, and wants no other.
    private final class Handler: HTTPHandler {
        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            guard let counter = request.sink as? Counter else {
                response.body.append(request.body)
                return
            }
            let (bytes, sum) = counter.count.withLock { $0 }
            response.body.append("\(bytes) \(sum) \(request.body.count)")
        }

        func admitBody(
            of request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws -> HTTPBodyDecision {
            if request.path.rawPath == "/read" { return .read }
            if request.path.rawPath == "/count" { return .hand(to: Counter()) }
            response.status = .notFound
            response.body.append("nothing reads it")
            return .respond
        }
    }

    private func exchange(_ target: String, _ body: String) throws -> (String, TestServer) {
        let server = try TestServer(makeHandler: { _ in Handler() })
        let client = try server.connect()
        try client.send(
            "POST \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
        )
        let interim = try client.receive { bytes in
            String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") ? bytes.count : nil
        }
        try client.send(body)
        return (String(decoding: interim + (try client.receiveAll()), as: UTF8.self), server)
    }

    private static let longest = 3 << 20

    private func exchange(
        _ target: String,
        bytes: Int,
        isChunked: Bool,
        rest: String = ""
    ) throws -> RawResponse {
        let server = try TestServer(
            configure: { $0.limits.maximumHandedBodyBytes = Self.longest },
            makeHandler: { _ in Handler() }
        )
        let client = try server.connect()
        let framing =
            isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(bytes)"
        var sent = "POST \(target) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n"
        let piece = 100_000
        for start in stride(from: 0, to: bytes, by: piece) {
            let count = min(piece, bytes - start)
            let data = String(repeating: "\u{2}", count: count)
            sent += isChunked ? "\(String(count, radix: 16))\r\n\(data)\r\n" : data
        }
        if isChunked { sent += "0\r\n\r\n" }
        // The server may answer before it has read all of it.
        try? client.send(sent + rest)
        return try client.receiveResponse(to: "POST")
    }

    @Test(
        "a body for a sink comes piece by piece, by its length and in chunks",
        arguments: [false, true]
    )
    func handed(isChunked: Bool) throws {
        let bytes = 2_500_000
        let answer = try exchange("/count", bytes: bytes, isChunked: isChunked)
        #expect(answer.text == "\(bytes) \(bytes * 2) 0")
        #expect(try exchange("/count", bytes: 5, isChunked: true).text == "5 10 0")
        #expect(
            try exchange("/read", bytes: 5, isChunked: true).text == "\u{2}\u{2}\u{2}\u{2}\u{2}"
        )
    }

    @Test(
        "a body over what a sink may take is refused, and over what memory takes without one",
        arguments: [false, true]
    )
    func tooLarge(isChunked: Bool) throws {
        let long = try exchange("/count", bytes: Self.longest + 1, isChunked: isChunked)
        #expect(long.status == 413)
        let unwanted = try exchange("/read", bytes: 2_500_000, isChunked: isChunked)
        #expect(unwanted.status == 413)
        #expect(unwanted.text.contains("over 1048576 bytes"))
    }
}
