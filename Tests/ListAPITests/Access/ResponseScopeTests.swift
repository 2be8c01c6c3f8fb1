import HTTP
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@testable import ListAPI

@Suite("Responses in the cache are sent to callers of one scope only")
struct ResponseScopeTests {
    private static let rights = [
        (name: "reader", scopes: "people:read"), (name: "twin", scopes: "people:read"),
        (name: "north", scopes: PeopleList.northern),
        (name: "south", scopes: "people:read:city=Lyon"),
        (name: "writer", scopes: "people:write"),
        (name: "northern-writer", scopes: "people:write \(PeopleList.northern)"),
        (name: "other", scopes: "books:read"),
    ]
    private static let callers: [String?] = [nil] + rights.map(\.name)
    private static let targets = [
        "/people.json?limit=5", "/people?limit=4", "/people.html?limit=5&group=city",
        "/people.csv?limit=5", "/people.json?group=city&per_section=2",
        "/people/-/sections?group=city",
        "/people.json?city=Oslo&limit=3", "/people/-/sections/Lyon?group=city", "/people/3", "/",
    ]
    private static let open = AccessPolicy.Openness(reading: true)

    /// An answer without what differs in each: its name and the times.
    private static func text(_ answer: Answer) -> String {
        let fields = answer.fields.map { "\($0.name): \($0.value)" }
            .filter { !$0.hasPrefix("Server-Timing") && !$0.hasPrefix("X-Request-Id") }
        let body = answer.body.replacing(/"instance":"[^"]*"/, with: "")
        return "\(answer.status)\n\(fields.sorted().joined(separator: "\n"))\n\(body)"
    }

    @Test(
        "each pair of callers, after each other and back, by a loop and by its workers"
    )
    func pairs() throws {
        let lists = try PeopleList.list() + [.items(.numbered(3), list: "books")]
        func client(cacheBytes: Int) throws -> AuthorizedClient {
            try AuthorizedClient(
                lists,
                Self.rights,
                openness: Self.open,
                writes: true,
                cacheBytes: cacheBytes
            )
        }
        for target in Self.targets {
            let expected = try Self.callers.map {
                Self.text(try client(cacheBytes: 0).ask(.get, target, as: $0))
            }
            for first in Self.callers.indices {
                let cached = try client(cacheBytes: 1 << 20)
                for second in Self.callers.indices {
                    // Twice each, so that a response is sent again.
                    for caller in [first, first, second, second, first] {
                        let name = Self.callers[caller]
                        let comment = Comment("\(target) as \(name ?? "nobody")")
                        let answer = try cached.ask(.get, target, as: name)
                        #expect(Self.text(answer) == expected[caller], comment)
                    }
                }
            }
        }
    }

    @Test(
        "after a write each caller is shown the new page of their own"
    )
    func writes() throws {
        let lists = try PeopleList.list()
        func client(cacheBytes: Int) throws -> AuthorizedClient {
            try AuthorizedClient(
                lists,
                Self.rights.filter { $0.name != "other" },
                openness: Self.open,
                writes: true,
                cacheBytes: cacheBytes
            )
        }
        let (cached, plain) = (try client(cacheBytes: 1 << 20), try client(cacheBytes: 0))
        for step in 0..<4 {
            let city = ["Oslo", "Lyon"][step % 2]
            let row = #"{"id":\#(900 + step),"name":"Ada","city":"\#(city)","age":\#(step)}"#
            #expect(try cached.ask(.post, "/people", as: "writer", json: row).status == 201)
            for name in Self.callers where name != "other" {
                for target in ["/people.json?limit=3&sort=-id", "/people.html?limit=3&sort=-id"] {
                    let expected = Self.text(try plain.ask(.get, target, as: name))
                    for _ in 0..<2 {
                        #expect(Self.text(try cached.ask(.get, target, as: name)) == expected)
                    }
                }
            }
        }
    }

    @Test("callers with the same rights share a response, and others do not")
    func shared() throws {
        let client = try AuthorizedClient(
            try PeopleList.list(),
            Self.rights.filter { $0.name != "other" },
            openness: Self.open
        )
        for (caller, count) in [
            (nil, 1), ("reader", 2), ("twin", 2), ("north", 3), ("south", 4), ("twin", 4), (nil, 4),
        ] {
            _ = try client.ask(.get, "/people.json?limit=2", as: caller)
            #expect(client.middleware.cachedResponses == count, "\(caller ?? "nobody")")
        }
    }

    @Test(
        "rights that are read again hold for the next request"
    )
    func reload() throws {
        let lists = try PeopleList.list()
        let rights = [("ada", "people:read"), ("eve", PeopleList.northern)]
        let swapped = [("ada", PeopleList.northern), ("eve", "people:read")]
        let client = try AuthorizedClient(lists, rights)
        func ask(_ name: String) throws -> String {
            Self.text(try client.ask(.get, "/people.json?limit=9", as: name))
        }
        let (all, north) = (try ask("ada"), try ask("eve"))
        #expect(all != north)
        for step in 0..<4 {
            try client.change(to: step % 2 == 0 ? swapped : rights)
            for _ in 0..<2 {
                #expect(try ask("ada") == (step % 2 == 0 ? north : all))
                #expect(try ask("eve") == (step % 2 == 0 ? all : north))
            }
        }
        try client.change(to: [("eve", "people:read")])
        #expect(try client.ask(.get, "/people.json?limit=9", as: "ada").status == 401)
    }
}
