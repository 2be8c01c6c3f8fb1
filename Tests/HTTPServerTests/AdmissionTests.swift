import Bytes
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Bodies announced, over a socket")
struct AdmissionTests {
    /// Reads bodies at `/read`, and no other.
    private final class Handler: HTTPHandler {
        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            response.body.append(request.body)
        }

        func admitBody(
            of request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws -> HTTPBodyDecision {
            if request.path.rawPath == "/read" { return .read }
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

    @Test("100 comes before the body, the answer after it")
    func continues() throws {
        let (text, _) = try exchange("/read", "hello")
        #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
    }

    @Test("a body nobody reads gets its answer instead of 100, and is no request")
    func declined() throws {
        let (text, _) = try exchange("/other", "GET /read HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(text.contains("Connection: close\r\n"))
        #expect(text.hasSuffix("nothing reads it"))
        #expect(!text.contains("200"))
    }
}
