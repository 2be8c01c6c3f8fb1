import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("A write that waits delays nobody but who wrote")
struct LeftWriteTests {
    private static func request(_ method: String, _ target: String, _ body: String) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func held() throws -> (BlockingSource, ListDefinition) {
        let list = try #require(try PeopleList.list().first)
        let source = try BlockingSource(list.source)
        return (source, ListDefinition(list.name, source: source))
    }

    @Test("while one waits, the loop answers everybody else, and shows what there was")
    func writing() throws {
        let (source, list) = try Self.held()
        let server = try turnServer([ListDefinition.sampleUsers(), list]) {
            $0.writing = .everybody(requiresCondition: false)
        }
        let slow = try server.connect()
        let get = "GET /people/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try slow.send(Self.request("PATCH", "/people/1", #"{"city":"Rome"}"#) + get)
        #expect(try source.begun.wait())
        let other = try server.connect()
        for target in ["/users.json?limit=3", "/people/1", "/-/live", "/people.html"] {
            try other.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try other.receiveResponse()
            #expect(answer.status == 200)
            #expect(!answer.text.contains("Rome"))
        }
        source.mayGoOn.open()
        let written = try slow.receiveResponse()
        #expect(written.status == 200)
        #expect(written.text.contains("Rome"))
        let tag = try #require(written.field("ETag"))
        // What was asked behind it, on the same connection, sees it.
        let read = try slow.receiveResponse()
        #expect(read.text.contains("Rome"))
        #expect(read.field("ETag") == tag)
    }

    @Test("with no room for another one, its client is told to come again, and nothing is written")
    func overload() throws {
        let (source, list) = try Self.held()
        let server = try turnServer(
            [list],
            writers: WorkerPool(threads: 1, maximumWaiting: 0),
            maximumWritingBytes: 0
        ) { $0.writing = .everybody(requiresCondition: false) }
        let slow = try server.connect()
        try slow.send(Self.request("PATCH", "/people/1", #"{"city":"Rome"}"#))
        #expect(try source.begun.wait())
        let other = try server.connect()
        try other.send(Self.request("PATCH", "/people/2", #"{"city":"Rome"}"#))
        let refused = try other.receiveResponse()
        #expect(refused.status == 503)
        #expect(refused.field("Retry-After") != nil)
        source.mayGoOn.open()
        #expect(try slow.receiveResponse().status == 200)
        try other.send("GET /people/2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(!(try other.receiveResponse().text.contains("Rome")))
    }

    @Test("conditions, keys and refusals are those of a write on the loop")
    func semantics() throws {
        let lists = try PeopleList.list()
        let server = try turnServer(lists) {
            $0.writing = .everybody(requiresCondition: false)
        }
        let client = try Client(of: server)
        let tag = try #require(try client.get("/people/1.json").field("ETag"))
        let change = #"{"city":"Rome"}"#
        func patch(_ tag: String) throws -> Answer {
            try client.send(.patch, "/people/1", change, fields: [(.ifMatch, tag)])
        }
        #expect(try patch(tag).status == 200)
        let stale = try patch(tag)
        #expect(stale.status == 412)
        #expect(stale.body.contains(#""row":{"id":"1""#))
        let key: [(FieldName, String)] = [("Idempotency-Key", "\"once\"")]
        let row = #"{"id":900,"name":"Zoe","city":"Oslo","age":3}"#
        let first = try client.send(.post, "/people", row, fields: key)
        #expect(first.status == 201)
        let second = try client.send(.post, "/people", row, fields: key)
        #expect(second.status == 201)
        #expect(second.field("Idempotent-Replayed") == "true")
        #expect(second.body == first.body)
        #expect(try client.send(.post, "/people", row).status == 409)
        #expect(try client.send(.post, "/people", #"{"age":"old"}"#).status == 422)
        #expect(try client.send(.put, "/nothing/1", row).status == 404)
        #expect(try client.ask(.delete, "/people/900").status == 204)
        #expect(try client.get("/people/900").status == 404)
        let metrics = try client.get("/-/metrics").body
        for line in [
            #"roster_requests_total{list="people",format="json",status="412"} 1"#,
            #"roster_requests_total{list="people",format="json",status="409"} 1"#,
            #"roster_problems_total{type="precondition-failed"} 1"#,
        ] { #expect(metrics.contains(line + "\n"), "\(line)") }
    }
}
