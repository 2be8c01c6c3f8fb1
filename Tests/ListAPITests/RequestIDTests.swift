import Bytes
import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import Locks
import TestSupport
import Testing

@testable import RosterProgram

@Suite("Request ids")
struct RequestIDTests {
    /// Sends a request on a connection of its own; the result is the status and the id of the answer.
    private func ask(_ server: TestServer, _ request: String) throws -> (Int, String) {
        let client = try server.connect()
        try client.send(request)
        let response = try client.receiveResponse()
        return (response.status, try #require(response.field("X-Request-Id")))
    }

    @Test("no two answers have the same id, refused requests included, and the log has them all")
    func everyAnswer() throws {
        let lines = Locked<[String]>([])
        let log = AccessLog(
            .json,
            write: { line in
                let text = line.text()
                lines.withLock { $0.append(text) }
            }
        )
        let server = try TestServer(
            configure: {
                $0.accessLog = { log.add($0) }
                $0.limits.headTimeout = .seconds(1)
            },
            makeHandler: { _ in
                var settings = Middleware.Settings()
                settings.allowedHosts = AllowedHosts("a")
                settings.notesAnswers = true
                return try AuthorizedClient(
                    [try ListDefinition.sampleUsers()],
                    [("reader", "users:read")],
                    settings: settings
                ).middleware
            }
        )
        let token = "Authorization: Bearer \(AuthorizedClient.token(of: "reader"))\r\n"
        let requests: [(status: Int, path: String?, text: String)] = [
            (200, "/-/live", "GET /-/live HTTP/1.1\r\nHost: a\r\n\r\n"),
            (401, "/{list}", "GET /users HTTP/1.1\r\nHost: a\r\n\r\n"),
            (401, "/{list}/{row}", "GET /users/7 HTTP/1.1\r\nHost: a\r\n\r\n"),
            (401, "/{list}", "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"),
            (403, "/-/metrics", "GET /-/metrics HTTP/1.1\r\nHost: a\r\n\(token)\r\n"),
            (421, "/-/ready", "GET /-/ready HTTP/1.1\r\nHost: evil\r\n\r\n"),
            (400, nil, "nonsense\r\n\r\n"),
            (400, nil, "GET / HTTP/1.1\r\n\r\n"),
            (505, nil, "GET / HTTP/3.0\r\nHost: a\r\n\r\n"),
            (408, nil, "GET / HTTP/1.1\r\n"),
        ]
        var ids: [String] = []
        for _ in 0..<2 {
            for request in requests {
                let (status, id) = try ask(server, request.text)
                #expect(status == request.status, "\(request.text)")
                ids.append(id)
            }
        }
        try server.stop()
        #expect(Set(ids).count == ids.count, "\(ids)")
        let all = lines.withLock { $0 }
        #expect(all.count == ids.count)
        for ((line, id), request) in zip(zip(all, ids), requests + requests) {
            #expect(line.contains("\"id\":\"\(id)\",\"client\":\"127.0.0.1\""), "\(line)")
            #expect(line.contains("\"status\":\(request.status),"), "\(line)")
            if let path = request.path {
                #expect(line.contains("\"path\":\"\(path)\""), "\(line)")
            }
        }
    }

    @Test("requests over the rate have ids of their own")
    func rate() throws {
        let server = try TestServer(
            configure: { $0.identifiesPeers = true },
            makeHandler: { _ in
                try MiddlewareTests.middleware { $0.rateLimits = RateLimits(perSecond: 1) }
            }
        )
        let answers = try (0..<12).map { _ in
            try ask(server, "GET /users?limit=1 HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        #expect(answers.count { $0.0 == 429 } > 1)
        #expect(Set(answers.map(\.1)).count == answers.count, "\(answers)")
        try server.stop()
    }
}
