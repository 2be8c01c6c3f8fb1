import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import Rendering
import TestSupport
import Testing

@testable import ListAPI

@Suite("A list that cannot be read is a 503 that gives nothing away")
struct UnavailableTests {
    private static let secret = "SELECT * FROM secrets at 0x1F"
    private static let errors = [
        SourceError.unavailable(reason: secret), .corrupted(reason: secret),
    ]

    @Test(
        "every address of the list says when to try again",
        arguments: [
            "/items", "/items?limit=5", "/items.json", "/items.csv", "/items.ndjson",
            "/items.csv?limit=5", "/items/item1", "/items/item1.json", "/items/-/sections",
            "/items/-/sections/shelf%201",
        ]
    )
    func unavailable(target: String) throws {
        for way in Way.allCases {
            for error in Self.errors {
                let answer = try client(way, failure: { _ in error }).get(target)
                #expect(answer.status == 503)
                #expect(answer.field("Retry-After") == "5")
                #expect(answer.field("Cache-Control") == "no-store")
                #expect(answer.field("ETag") == nil)
                #expect(answer.field("Content-Type") != nil)
                #expect(!answer.body.contains("secrets") && !answer.body.contains("SELECT"))
                #expect(answer.body.contains("The rows of this list cannot be read at the moment."))
                guard answer.mediaType != "text/plain" else { continue }
                let problem = try answer.json()
                #expect(problem["type"]?.text == "/-/problems/unavailable")
                #expect(problem["status"]?.integer == 503)
            }
        }
    }

    @Test(
        "pages are told as pages, by suffix or Accept",
        arguments: ["/items", "/items/item1"]
    )
    func page(target: String) throws {
        for way in Way.allCases {
            let client = try client(way, failure: { _ in Self.errors[0] })
            for answer in [
                try client.get(target, accept: "text/html"), try client.get(target + ".html"),
            ] {
                #expect(answer.status == 503)
                #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
                #expect(!answer.body.contains("secrets"))
            }
        }
    }

    @Test(
        "what a source says of the question is no fault of the server's",
        arguments: [
            (SourceError.invalidCursor, 400), (.expiredCursor, 410), (.unknownRow("x"), 404),
            (.unknownSection("x"), 404), (.unavailable(reason: "x"), 503),
        ]
    )
    func asked(error: SourceError, status: Int) {
        #expect(Problem(error).kind.status == status)
    }

    @Test("what does not need rows is served all the same")
    func unaffected() throws {
        let client = try client(.inMemory, failure: { _ in Self.errors[0] })
        for target in ["/", "/.html", "/-/live", "/-/ready", "/-/version", "/items/-/schema"] {
            #expect(try client.get(target).status == 200, "\(target)")
        }
        let entry = try client.get("/").json()["lists"]?.elements.first
        #expect(entry?["id"]?.text == "items")
        #expect(entry?["total"] == .null)
        #expect(try client.get("/items?limit=0").status == 400)
    }

    @Test("a source that recovers serves again", arguments: Way.allCases)
    func recovery(way: Way) throws {
        let client = try client(way, failure: { $0 == 0 ? Self.errors[0] : nil })
        #expect(try client.get("/items").status == 503)
        #expect(try client.get("/items").status == 200)
    }

    @Test("a table that fails on the way is broken off, never ended")
    func brokenTable() throws {
        let client = try client(.throughServer, failure: { $0 == 3 ? Self.errors[1] : nil })
        #expect(throws: RawConnectionError.self) { try client.get("/items.csv") }
    }

    private func client(
        _ way: Way,
        failure: @escaping @Sendable (Int) -> SourceError?
    ) throws -> Client {
        let source = CountingSource(
            base: try MemorySource.items(.numbered(1_500)),
            failure: failure
        )
        return try Client([ListDefinition("items", source: source)], way)
    }
}
