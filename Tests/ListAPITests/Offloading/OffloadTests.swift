import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import Locks
import Postgres
import TestSupport
import Testing

@Suite("A question that takes long delays nobody but who asked")
struct HandoverTests {
    private static func get(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static func ask(_ target: String, _ connection: RawConnection) throws -> RawResponse {
        try connection.send(get(target))
        return try connection.receiveResponse()
    }

    /// What is answered on the loop meanwhile: a list in memory, the table itself, no list at all.
    private static let others = [
        "/users.json?limit=5", "/people.json?limit=1&count=none", "/people/7", "/-/live",
        "/-/metrics", "/users.html", "/people.json?limit=0x",
    ]

    @Test("while a database is read, the loop answers everybody else, in their order")
    func reading() throws {
        let table = try BlockingTable()
        let server = try turnServer([ListDefinition.sampleUsers(), table.list()])
        let slow = try server.connect()
        try slow.send(Self.get(BlockingTable.question) + Self.get("/-/live"))
        #expect(try table.found.wait())
        let other = try server.connect()
        for target in Self.others {
            let answer = try Self.ask(target, other)
            #expect(answer.status == (target.hasSuffix("0x") ? 400 : 200), "\(target)")
        }
        table.mayGoOn.open()
        let answer = try slow.receiveResponse()
        #expect(answer.status == 200)
        #expect(answer.text.contains("\"needle\""))
        #expect(answer.text.contains(#""total":{"value":1"#))
        #expect(try slow.receiveResponse().text == "live\n")
    }

    @Test("what was found is kept by the loop, and so is how many rows there are")
    func kept() throws {
        let table = try BlockingTable()
        table.mayGoOn.open()
        let server = try turnServer([table.list()])
        let client = try Client(of: server)
        let answer = try client.get(BlockingTable.question)
        let before = table.shownCount
        let again = try client.get(BlockingTable.question)
        #expect(again.body == answer.body)
        #expect(again.field("Server-Timing") == nil)
        #expect(table.shownCount == before)
        let tag = try #require(answer.field("ETag"))
        let known = try client.ask(.get, BlockingTable.question, fields: [(.ifNoneMatch, tag)])
        #expect(known.status == 304)
        // Counting all rows is more than a turn; who has counted them tells the others.
        for limit in 1...3 {
            #expect(try client.get("/people.json?limit=\(limit)").json()["total"] != nil)
        }
        try table.write("DELETE FROM people WHERE id = 20001")
        let gone = try client.get(BlockingTable.question)
        #expect(gone.body.contains(#""total":{"value":0"#), "\(gone.body)")
    }

    @Test("with no room for another question that takes long, its client is told to come again")
    func overload() throws {
        let table = try BlockingTable()
        let log = Locked<[Int]>([])
        let server = try turnServer(
            [table.list()],
            readers: WorkerPool(threads: 1, maximumWaiting: 0)
        ) { _ in
        } configure: {
            $0.accessLog = { record in log.withLock { $0.append(record.status.code) } }
        }
        let slow = try server.connect()
        try slow.send(Self.get(BlockingTable.question))
        #expect(try table.found.wait())
        let other = try server.connect()
        let refused = try Self.ask("/people.json?name__contains=other", other)
        #expect(refused.status == 503)
        #expect(refused.field("Retry-After") != nil)
        #expect(refused.field("Content-Type") == "application/problem+json")
        #expect(refused.field("X-Request-ID") != nil)
        #expect(try Self.ask("/-/live", other).status == 200)
        let metrics = try Self.ask("/-/metrics", other).text
        #expect(metrics.contains(#"list="people",format="other",status="503"} 1"#), "\(metrics)")
        // Each is told in the log, also of those that came at once.
        try other.send(
            Self.get("/people.json?name__contains=a1") + Self.get("/people.json?name__contains=a2")
        )
        for _ in 0..<2 { #expect(try other.receiveResponse().status == 503) }
        // A person is shown a page.
        let page = try Self.ask("/people.html?name__contains=a3", other)
        #expect(page.status == 503)
        #expect(page.field("Content-Type")?.hasPrefix("text/html") == true)
        #expect(log.withLock { $0 } == [503, 200, 200, 503, 503, 503])
        table.mayGoOn.open()
        #expect(try slow.receiveResponse().status == 200)
    }

    @Test("a server that drains waits for what its threads still owe")
    func draining() throws {
        let table = try BlockingTable()
        let server = try turnServer([table.list()])
        var slow: RawConnection? = try server.connect()
        try slow?.send(Self.get(BlockingTable.question))
        #expect(try table.found.wait())
        server.server.stop()
        table.mayGoOn.open()
        #expect(try slow?.receiveResponse().status == 200)
        slow = nil
        #expect(try server.waitForEnding() == .drained)
    }

    @Test("whoever has left is not looked for any more, if nobody has begun to")
    func left() throws {
        let table = try BlockingTable()
        let server = try turnServer([table.list()], readers: WorkerPool(threads: 1))
        let slow = try server.connect()
        try slow.send(Self.get(BlockingTable.question))
        #expect(try table.found.wait())
        do {
            let leaving = try server.connect()
            try leaving.send(Self.get("/people.json?name__contains=p1"))
            let other = try server.connect()
            _ = try Self.ask("/-/live", other)
            try leaving.resetWhenReleased()
        }
        let other = try server.connect()
        _ = try Self.ask("/-/live", other)
        let before = table.shownCount
        table.mayGoOn.open()
        #expect(try slow.receiveResponse().status == 200)
        _ = try Self.ask("/people.json?name__contains=needle&limit=2", other)
        #expect(table.shownCount == before + 1)
    }

    @Test("it is counted, named and logged once, by the thread that it came to")
    func once() throws {
        let table = try BlockingTable()
        table.mayGoOn.open()
        let log = Locked<[AccessRecord]>([])
        let server = try turnServer([table.list()]) { _ in
        } configure: {
            $0.accessLog = { record in log.withLock { $0.append(record) } }
        }
        let client = try server.connect()
        try client.send(Self.get(BlockingTable.question, "X-Request-ID: mine\r\n"))
        #expect(try client.receiveResponse().field("X-Request-ID") == "mine")
        let second = try Self.ask("/people.json?name__contains=needle&after=x", client)
        #expect(second.status == 400)
        let third = try Self.ask("/people/1?columns=name", client)
        #expect(third.status == 200)
        let metrics = try Self.ask("/-/metrics", client).text
        for line in [
            #"roster_requests_total{list="people",format="json",status="200"} 2"#,
            #"roster_requests_total{list="people",format="json",status="400"} 1"#,
        ] { #expect(metrics.contains(line + "\n"), "\(metrics)") }
        #expect(metrics.contains("roster_problems_total{type=\"out-of-time\"} 0\n"))
        #expect(metrics.contains("roster_problems_total{type=\"invalid-cursor\"} 1\n"))
        let names = log.withLock { $0.map { "\($0.status.code) \($0.requestID ?? "")" } }
        #expect(names.count == 4)
        #expect(names.first == "200 mine")
        #expect(Set(names).count == 4)
    }

    @Test("an export that begins with a long search has all rows")
    func export() throws {
        let table = try BlockingTable()
        table.mayGoOn.open()
        let client = try Client(of: turnServer([table.list()]))
        let answer = try client.get("/people.csv?name__contains=p1999")
        #expect(answer.body.split(separator: "\r\n").count == 12)
    }

    @Test("an export whose rows take long is whole, also for who sends no more, and delays nobody")
    func exportPieces() throws {
        let table = try BlockingTable()
        let server = try turnServer([ListDefinition.sampleUsers(), table.list()])
        let slow = try server.connect()
        try slow.send(Self.get("/people.csv?sort=id", "Accept-Encoding: gzip\r\n"))
        try slow.endOutput()
        #expect(try table.found.wait())
        let other = try server.connect()
        for target in Self.others {
            let answer = try Self.ask(target, other)
            #expect(answer.status == (target.hasSuffix("0x") ? 400 : 200), "\(target)")
        }
        table.mayGoOn.open()
        let answer = try slow.receiveResponse()
        let rows = String(decoding: try Gunzip.read(answer.body), as: UTF8.self)
        #expect(rows.split(separator: "\r\n").count == 20_002)
        #expect(rows.hasSuffix("20001,needle\r\n"))
    }

    @Test("a question that finds nothing, or is wrong, is told so as on the loop")
    func problems() throws {
        let table = try BlockingTable()
        table.mayGoOn.open()
        let list = try table.list()
        let patient = try Client([list])
        let hurried = try Client(of: turnServer([list]))
        for target in [
            "/people.json?name__contains=nobody", "/people/99999", "/people.html?limit=3",
            "/people/-/sections/nowhere", "/people.json?name__contains=x&cursor=abc",
            "/people/-/schema", "/", "/people.ndjson?name__contains=p777",
        ] {
            var answers = [try patient.get(target), try hurried.get(target)]
            for index in answers.indices {
                answers[index].body = answers[index].body
                    .replacing(#/req-[0-9a-f]+-[0-9a-f]+/#, with: "req")
            }
            #expect(answers[0].status == answers[1].status, "\(target)")
            #expect(answers[0].body == answers[1].body, "\(target)")
            #expect(answers[0].mediaType == answers[1].mediaType, "\(target)")
        }
    }
}
