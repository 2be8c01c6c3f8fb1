import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Limits are those that settings give")
struct LimitTests {
    private static let request = "GET /users?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test("an idle connection is closed after the idle timeout")
    func idle() throws {
        let server = try RosterProcess(serving: ["--idle-timeout", "1"])
        let client = try server.connect()
        try client.send(Self.request)
        #expect(try client.receiveResponse().status == 200)
        let start = ContinuousClock.now
        #expect(try client.isEndedByServer())
        let time = ContinuousClock.now - start
        #expect(time > .milliseconds(500) && time < .seconds(20))
        try server.stop()
    }

    @Test("the operators' port has the same limits")
    func operations() throws {
        let server = try RosterProcess(
            serving: ["--idle-timeout", "1", "--operations-port", "0"]
        )
        let line = try #require(try server.waitForLine { $0.contains("operations at http://") })
        let port = try #require(line.firstMatch(of: /:([0-9]+)\//).flatMap { UInt16($0.1) })
        let client = try RawConnection(port: port, timeout: .seconds(60))
        try client.send("GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().text == "live\n")
        let start = ContinuousClock.now
        #expect(try client.isEndedByServer())
        #expect(ContinuousClock.now - start < .seconds(20))
        try server.stop()
    }

    @Test("half a head is answered 408 after the head timeout")
    func head() throws {
        let server = try RosterProcess(serving: ["--head-timeout", "1"])
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHo")
        #expect(try client.receiveResponse().status == 408)
        #expect(try client.isEndedByServer())
        try server.stop()
    }

    @Test("half a body is answered 408 after the body timeout")
    func body() throws {
        let server = try RosterProcess(
            serving: ["--body-timeout", "1", "--allow-anonymous-writes"]
        )
        let client = try server.connect()
        try client.send(Self.post(length: 100) + "{")
        #expect(try client.receiveResponse().status == 408)
        try server.stop()
    }

    @Test("a client that takes nothing is reset after the write timeout")
    func write() throws {
        let folder = try TemporaryFolder()
        // More than the kernel takes while the client does not read.
        let line = String(repeating: "x", count: 2_000) + "\n"
        let file = try folder.write("text\n" + String(repeating: line, count: 5_000), to: "a.csv")
        let server = try RosterProcess(
            serving: [file, "--write-timeout", "1", "--access-log", "--log-format", "json"]
        )
        let client = try server.connect()
        try client.send("GET /a.csv HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let end = try server.waitForLine { $0.contains("\"aborted\":true") }
        #expect(end != nil)
        try server.stop()
    }

    @Test("a body of more than the limit is answered 413, and one of the limit is read")
    func size() throws {
        let server = try RosterProcess(serving: ["--body-limit", "1", "--allow-anonymous-writes"])
        let large = try server.connect()
        try large.send(Self.post(length: 1_025))
        #expect(try large.receiveResponse().status == 413)
        let whole = try server.connect()
        try whole.send(Self.post(length: 1_024) + String(repeating: " ", count: 1_024))
        #expect(try whole.receiveResponse().status == 400)
        try server.stop()
    }

    @Test("the times of counting and of facets are those given, and what is left out is named")
    func counting() throws {
        let file = try rows()
        // Rows are found at once; counting them looks through most of the table.
        let target = "/rows?note__contains=999&facets=kind&limit=1"
        let short = try RosterProcess(
            serving: [file.path, "--counts-time", "1", "--facets-time", "1"]
        )
        let cut = try short.get(target)
        #expect(cut.status == 200)
        let timing = try #require(cut.field("Server-Timing"))
        #expect(timing.contains(/count;dur=[0-9.]+;desc="left out"/), "\(timing)")
        #expect(timing.contains(#", facets;desc="left out""#), "\(timing)")
        // Another query, because the counts of the first one are finished in the background.
        let other = "/rows.html?note__contains=998&limit=1"
        let page = try short.get(other).text
        let all = try #require(
            page.firstMatch(
                of: /<p id="count" data-counting>Still counting · <a[^>]* href="([^"]*)">count all</
            )?.1
        )
        let address = all.replacing("&amp;", with: "&")
        #expect(address.contains("count=exact"))
        let counted = try short.get(String(address)).text
        #expect(counted.contains(/<p id="count">[1-9][0-9.,]* rows<\/p>/), "\(counted)")
        try short.stop()
        let long = try RosterProcess(
            serving: [file.path, "--counts-time", "5000", "--facets-time", "5000"]
        )
        let whole = try #require(try long.get(target).field("Server-Timing"))
        #expect(!whole.contains("left out"), "\(whole)")
        try long.stop()
    }

    @Test("the time of reading is the one given")
    func reading() throws {
        let file = try rows()
        let target = "/rows?note__contains=nowhere&limit=1"
        let short = try RosterProcess(serving: [file.path, "--rows-time", "10"])
        #expect(try short.get(target).status == 503)
        try short.stop()
        let long = try RosterProcess(serving: [file.path, "--rows-time", "20000"])
        #expect(try long.get(target).status == 200)
        try long.stop()
    }

    @Test("a write waits for another program, and is answered 503 at once without room to wait")
    func queue() throws {
        for room in [0, 1] {
            let folder = try TemporaryFolder()
            let people = try folder.write(People(5).csv, to: "people.csv")
            let database = folder.path("lists.db")
            let server = try RosterProcess(
                serving: [
                    people, "--database", database, "--write-queue", "\(room)",
                    "--allow-anonymous-writes", "--loops", "1",
                ]
            )
            let other = try DatabaseConnection(.file(database), access: .readWrite)
            try other.execute("BEGIN IMMEDIATE")
            var waiting: [RawConnection] = []
            for row in 1...5 {
                let client = try server.connect()
                try client.send("DELETE /people/\(row) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if room == 0, row > 1 {
                    let refused = try client.receiveResponse()
                    #expect(refused.status == 503)
                    #expect(refused.text.contains("Too many requests"))
                } else {
                    waiting.append(client)
                }
            }
            try other.execute("ROLLBACK")
            for client in waiting {
                #expect(try client.receiveResponse(to: "DELETE").status == 204)
            }
            try server.stop()
        }
    }

    @Test(
        "values outside of their ranges are refused with the range and the unit",
        arguments: [
            ("--head-timeout", "0", "a number of seconds from 1 to 600"),
            ("--body-timeout", "601", "a number of seconds from 1 to 600"),
            ("--idle-timeout", "3601", "a number of seconds from 1 to 3600"),
            ("--write-timeout", "1s", "a number of seconds from 1 to 600"),
            ("--body-limit", "0", "a number of kibibytes from 1 to 1048576"),
            ("--rows-time", "9", "a number of milliseconds from 10 to 20000"),
            ("--counts-time", "0", "a number of milliseconds from 1 to 5000"),
            ("--facets-time", "5001", "a number of milliseconds from 1 to 5000"),
            ("--read-queue", "10001", "a number from 0 to 10000"),
            ("--write-queue", "-1", "a number of mebibytes from 0 to 4096"),
        ]
    )
    func ranges(flag: String, value: String, allowed: String) throws {
        let run = try RosterProcess.run([flag, value])
        #expect(run.ending == .exit(64))
        #expect(run.lines == ["roster: \(flag): '\(value)' is not \(allowed)"])
    }

    private static func post(length: Int) -> String {
        "POST /users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(length)\r\n\r\n"
    }

    /// A table of SQLite whose rows take longer to look through than ten milliseconds.
    private func rows() throws -> (path: String, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let path = folder.path("rows.db")
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        try connection.execute(
            """
            CREATE TABLE rows (id INTEGER PRIMARY KEY, note TEXT NOT NULL, kind INTEGER NOT NULL);
            INSERT INTO rows
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            SELECT i, 'a note of some length, number ' || i, i % 7 FROM n;
            """
        )
        return (path, folder)
    }
}
