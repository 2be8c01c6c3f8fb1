import Foundation
import SQLite
import TestSupport
import Testing

/// Writes that many clients send at once share transactions, and each has its own response.
@Suite("Many clients write at once")
struct GroupCommitTests {
    private func arguments(_ folder: TemporaryFolder) throws -> [String] {
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        return [
            file, "--database", folder.path("lists.db"), "--allow-anonymous-writes",
        ]
    }

    private static func request(
        _ method: String,
        _ target: String,
        _ body: String,
        _ fields: String = ""
    ) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Sends a request of each client while the database is locked, so that all wait together.
    private func sendTogether(
        _ requests: [(method: String, text: String)],
        to server: RosterProcess,
        _ folder: TemporaryFolder
    ) throws -> [RawResponse] {
        let other = try DatabaseConnection(.file(folder.path("lists.db")), access: .readWrite)
        try other.begin(.writing)
        let clients = try requests.map { request in
            let client = try server.connect()
            try client.send(request.text)
            return client
        }
        other.rollback()
        return try zip(clients, requests).map { try $0.receiveResponse(to: $1.method) }
    }

    @Test("each gets its own error, and the others are written")
    func errors() throws {
        let folder = try TemporaryFolder()
        let server = try RosterProcess(serving: try arguments(folder))
        let kinds: [(method: String, text: String, status: Int)] = (0..<8).flatMap { number in
            let id = 10 + number
            return [
                ("PUT", Self.request("PUT", "/people/\(id)", #"{"name":"x"}"#), 201),
                ("POST", Self.request("POST", "/people", #"{"id":1,"name":"x"}"#), 409),
                ("POST", Self.request("POST", "/people", #"{"nome":"x"}"#), 422),
                ("DELETE", Self.request("DELETE", "/people/9\(id)", ""), 404),
                (
                    "POST",
                    Self.request(
                        "POST",
                        "/people/-/rows",
                        #"[{"id":5\#(id),"name":"a"},{"id":1,"name":"b"}]"#
                    ), 409
                ),
            ]
        }
        let responses = try sendTogether(kinds.map { ($0.method, $0.text) }, to: server, folder)
        for (kind, response) in zip(kinds, responses) {
            #expect(response.status == kind.status, "\(kind.text)\n\(response.text)")
        }
        #expect(
            Set(try server.page("/people").ids) == Set(["1"] + (10..<18).map { "\($0)" })
        )
        try server.stop()
    }

    @Test("two servers on one file write all that they acknowledge")
    func twoServers() throws {
        let folder = try TemporaryFolder()
        let arguments = try arguments(folder)
        let servers = [
            try RosterProcess(serving: arguments), try RosterProcess(serving: arguments),
        ]
        let clients = try (0..<16).map { try servers[$0 % 2].connect() }
        for (number, client) in clients.enumerated() {
            for write in 0..<25 {
                let id = 100 + number * 25 + write
                try client.send(Self.request("PUT", "/people/\(id)", #"{"name":"x"}"#))
            }
        }
        for client in clients {
            for _ in 0..<25 { #expect(try client.receiveResponse(to: "PUT").status == 201) }
        }
        for server in servers {
            let rows = try server.get("/people.ndjson").text.split(separator: "\n")
            #expect(rows.count == 401)
            try server.stop()
        }
    }
}
