import Foundation
import SQLite
import TestSupport
import Testing

/// A file that is imported over HTTP is in the list, or nothing of it is.
///
/// The environment variable `ROSTER_TEST_KILLS` says how often the server is killed meanwhile; a few
/// times by default.
@Suite("Files of rows over HTTP")
struct ImportOverHTTPTests {
    private static let kills: Int =
        ProcessInfo.processInfo.environment["ROSTER_TEST_KILLS"].flatMap { Int($0) } ?? 3

    private let folder: TemporaryFolder
    private let arguments: [String]

    init() throws {
        folder = try TemporaryFolder()
        let file = try folder.write("id,name\n0,zero\n", to: "people.csv")
        arguments = [file, "--database", folder.path("lists.db"), "--allow-anonymous-writes"]
    }

    private func file(rows: Int, from first: Int = 1) -> String {
        let rest = String(repeating: "long ", count: 12)
        return "id,name\n"
            + (first..<first + rows).map { "\($0),row number \($0) \(rest)\n" }.joined()
    }

    /// Sends a file, in chunks of which none says how many there will be.
    private func post(
        _ server: RosterProcess,
        _ file: String,
        _ list: String = "people"
    ) throws -> RawResponse {
        let client = try server.connect()
        try client.send(
            "POST /\(list)/-/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
        )
        let bytes = Array(file.utf8)
        for start in stride(from: 0, to: bytes.count, by: 16_000) {
            let piece = bytes[start..<min(bytes.count, start + 16_000)]
            let size = String(piece.count, radix: 16)
            try client.send("\(size)\r\n\(String(decoding: piece, as: UTF8.self))\r\n")
        }
        try client.send("0\r\n\r\n")
        return try client.receiveResponse(to: "POST")
    }

    private struct Progress: Decodable {
        struct Rows: Decodable {
            var read: Int
            var inserted: Int
        }
        var state: String
        var rows: Rows
        var detail: String?
    }

    /// Asks how far an import is until something is so.
    private func wait(
        _ server: RosterProcess,
        _ location: String,
        until isSo: (Progress) -> Bool
    ) throws -> Progress {
        let client = try server.connect()
        while true {
            try client.send("GET \(location) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try client.receiveResponse()
            let progress = try JSONDecoder().decode(Progress.self, from: Data(answer.body))
            if isSo(progress) || ["done", "failed", "interrupted"].contains(progress.state) {
                return progress
            }
        }
    }

    private func count(_ server: RosterProcess, _ list: String = "people") throws -> Int? {
        try server.page("/\(list)?count=exact&limit=1").total?.value
    }

    private func expectSound() throws {
        let connection = try DatabaseConnection(
            .file(folder.path("lists.db")),
            access: .readOnly
        )
        let check = try connection.prepare("PRAGMA integrity_check")
        #expect(try check.step())
        #expect(check.text(0) == "ok")
    }

    @Test("a file larger than memory takes is imported while others read and are refused to write")
    func large() throws {
        let server = try RosterProcess(serving: arguments)
        let answer = try post(server, file(rows: 16_000))
        #expect(answer.status == 202)
        let location = try #require(answer.field("Location"))
        _ = try wait(server, location) { $0.state == "writing" && $0.rows.inserted > 0 }
        #expect(try count(server) == 1)
        let second = try post(server, file(rows: 1))
        #expect(second.status == 409 || second.status == 202)
        let client = try server.connect()
        let body = #"{"name":"late"}"#
        try client.send(
            "PUT /people/0 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect([200, 503].contains(try client.receiveResponse(to: "PUT").status))
        let progress = try wait(server, location) { _ in false }
        #expect(progress.state == "done" && progress.rows.inserted == 16_000)
        #expect(try count(server) == 16_001)
        #expect(try server.get("/people/16000").text.contains("row number 16000"))
        try server.stop()
        let again = try RosterProcess(serving: arguments)
        #expect(try count(again) == 16_001)
    }

    @Test("an import that is deleted, or that the end of the server meets, leaves nothing behind")
    func interrupted() throws {
        let server = try RosterProcess(serving: arguments)
        let rows = file(rows: 30_000)
        let location = try #require(try post(server, rows).field("Location"))
        _ = try wait(server, location) { $0.state == "writing" }
        let client = try server.connect()
        try client.send("DELETE \(location) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect([202, 204].contains(try client.receiveResponse(to: "DELETE").status))
        #expect(try wait(server, location) { _ in false }.state == "interrupted")
        #expect(try count(server) == 1)
        let other = try #require(try post(server, rows).field("Location"))
        _ = try wait(server, other) { $0.state == "writing" }
        try server.stop()
        try expectSound()
        #expect(try count(try RosterProcess(serving: arguments)) == 1)
    }

    @Test("a server killed during an import has all of it or nothing")
    func killed() throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        var expected = 1
        for round in 0..<Self.kills {
            let server = try RosterProcess(serving: arguments)
            let rows = 8_000
            let answer = try post(server, file(rows: rows, from: 1 + round * rows))
            let location = try #require(answer.field("Location"))
            let enough = Int.random(in: 0..<rows, using: &random)
            let seen = try wait(server, location) {
                $0.state == "writing" && $0.rows.read >= enough
            }
            server.send(SIGKILL)
            #expect(try server.waitForEnding().ending == .signal(SIGKILL))
            try expectSound()
            let again = try RosterProcess(serving: arguments)
            let found = try #require(try count(again))
            #expect(found == expected || found == expected + rows, "round \(round)")
            if seen.state == "done" { #expect(found == expected + rows) }
            expected = found
            try again.stop()
        }
    }

    @Test("a file over the bound is refused, however it comes")
    func tooLarge() throws {
        let server = try RosterProcess(serving: arguments + ["--import-limit", "1"])
        let long = file(rows: 16_000)
        let client = try server.connect()
        try client.send(
            "POST /people/-/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                + "Content-Length: \(long.utf8.count)\r\n\r\n"
        )
        #expect(try client.receiveResponse(to: "POST").status == 413)
        #expect(try post(server, file(rows: 10)).status == 202)
    }

    @Test("a table of PostgreSQL takes files, too", .needsPostgres)
    func postgres() throws {
        let cluster = try #require(PostgresCluster.shared)
        let schema = "h\(UInt64.random(in: 0...UInt64.max))"
        try cluster.run(
            "CREATE SCHEMA \(schema); SET search_path = \(schema); "
                + "CREATE TABLE people (id int PRIMARY KEY, name text CHECK (name <> 'bad'))"
        )
        let server = try RosterProcess(serving: [
            cluster.address(schema: schema), "--allow-anonymous-writes",
        ])
        let location = try #require(try post(server, file(rows: 300)).field("Location"))
        #expect(try wait(server, location) { _ in false }.state == "done")
        #expect(try count(server) == 300)
        let bad = "id,name\n900,good\n901,bad\n1,taken\n"
        let failed = try #require(try post(server, bad).field("Location"))
        #expect(try wait(server, failed) { _ in false }.state == "failed")
        let faults = try server.get(failed).text
        #expect(faults.contains("\"line\":3") && faults.contains("against-rule"))
        #expect(faults.contains("\"line\":4") && faults.contains("existing-row"))
        #expect(try count(server) == 300)
    }
}
