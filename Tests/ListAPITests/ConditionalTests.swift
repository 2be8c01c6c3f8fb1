import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Entity tags spare what the client has (RFC 9110 §13)")
struct ConditionalTests {
    private static let targets = [
        "/items", "/items?limit=3", "/items?page=2&limit=3", "/items?sort=-size",
        "/items?group=none",
        "/items?section=shelf%201", "/items?columns=size", "/items?per_section=2", "/items.json",
        "/items.html", "/items.csv", "/items.csv?limit=50", "/items.csv?limit=3", "/items.ndjson",
        "/items/-/sections", "/items/-/sections/shelf%201", "/items/-/sections/shelf%202",
    ]

    @Test("a known state is answered 304 before any row is read", arguments: Self.targets)
    func notModified(target: String) throws {
        for way in Way.allCases {
            let source = CountingSource(base: try MemorySource.items(.numbered(80)))
            let client = try Client([ListDefinition("items", source: source)], way)
            let full = try client.get(target)
            let tag = try #require(full.field("ETag"))
            #expect(tag.hasPrefix("W/\""))
            #expect(full.field("Cache-Control") == "no-cache")
            let reads = source.counts.reads
            #expect(reads > 0)
            for condition in [tag, String(tag.dropFirst(2)), "\"x\", \(tag)", "*"] {
                let answer = try client.ask(.get, target, fields: [(.ifNoneMatch, condition)])
                #expect(answer.status == 304)
                #expect(answer.body == "")
                #expect(answer.field("Content-Type") == nil)
                for name in ["ETag", "Cache-Control", "Vary"] {
                    #expect(answer.field(name) == full.field(name), "\(name)")
                }
            }
            #expect(source.counts.reads == reads)
            #expect(source.counts.versionReads > 0)
            for condition in ["W/\"x\"", "\"\(tag)\"", "W/\"\"", "nonsense"] {
                let answer = try client.ask(.get, target, fields: [(.ifNoneMatch, condition)])
                #expect(answer.status == 200, "\(condition)")
            }
        }
    }

    @Test("If-Match on reading is judged first, and strongly (RFC 9110 §13.2.2)")
    func ifMatch() throws {
        for way in Way.allCases {
            let client = try Client(try PeopleList.list(), way)
            func status(_ target: String, _ fields: [(FieldName, String)]) throws -> Int {
                // Asked twice, so that kept answers are among them.
                let first = try client.ask(.get, target, fields: fields).status
                #expect(try client.ask(.get, target, fields: fields).status == first)
                return first
            }
            for target in ["/people", "/people.html", "/people.csv", "/people/1.html"] {
                let tag = try #require(try client.get(target).field("ETag"))
                #expect(try status(target, [(.ifMatch, "*")]) == 200)
                #expect(try status(target, [(.ifMatch, tag)]) == 412)
                #expect(try status(target, [(.ifMatch, "\"x\"")]) == 412)
                #expect(try status(target, [(.ifMatch, "*"), (.ifNoneMatch, tag)]) == 304)
                #expect(try status(target, [(.ifMatch, "\"x\""), (.ifNoneMatch, tag)]) == 412)
                #expect(try status(target, []) == 200)
            }
            let tag = try #require(try client.get("/people/1").field("ETag"))
            #expect(try status("/people/1", [(.ifMatch, tag)]) == 200)
            #expect(try status("/people/1", [(.ifMatch, "\"x\", \(tag)")]) == 200)
            #expect(try status("/people/1", [(.ifMatch, "W/\(tag)")]) == 412)
            #expect(try status("/people/1", [(.ifMatch, "\"x\"")]) == 412)
            #expect(try status("/people/1", [(.ifMatch, "\"x\""), (.ifNoneMatch, tag)]) == 412)
            #expect(try status("/people/99999", [(.ifMatch, "*")]) == 404)
        }
    }

    @Test(
        "If-Match names no state of a document without a strong tag",
        arguments: [
            "/", "/.html", "/people/-/schema", "/people/-/sections", "/people/1/-/cells/name",
            "/-/live", "/-/ready", "/-/version", "/-/metrics",
            "/-/problems/not-found", "/people.csv?limit=1", "/people.ndjson", "/people.xlsx",
        ]
    )
    func ifMatchOfDocuments(target: String) throws {
        for way in Way.allCases {
            let client = try Client(try PeopleList.list(), way)
            for (condition, status) in [("*", 200), ("\"x\"", 412), ("W/\"x\"", 412), ("x", 412)] {
                let answer = try client.ask(.get, target, fields: [(.ifMatch, condition)])
                #expect(answer.status == status, "\(condition)")
                guard status == 412 else { continue }
                #expect(answer.body.contains("If-Match"))
                #expect(answer.field("ETag") == nil)
            }
        }
    }

    @Test("a problem has the fields of a problem alone, whatever was begun before it")
    func problemFields() throws {
        let client = try Client(try PeopleList.list())
        let events = [(FieldName.accept, "text/event-stream")]
        for (target, fields) in [
            ("/people/-/changes?since=x", events), ("/people/1", [(.ifMatch, "\"x\"")]),
            ("/-/assets/favicon.svg", [(.ifMatch, "\"x\"")]), ("/people/-/changes", events),
        ] {
            let answer = try client.ask(.get, target, fields: fields)
            #expect(answer.status >= 400, "\(target)")
            for name in ["Cache-Control", "Content-Type", "X-Content-Type-Options"] {
                #expect(answer.fields.count { $0.name == name } == 1, "\(target) \(name)")
            }
            #expect(answer.field("Cache-Control") == "no-store")
        }
    }

    @Test(
        "a page tells its own version: nobody asks for it before where no state is named",
        arguments: ["/items", "/items?limit=3", "/items.html", "/items.csv?limit=50"]
    )
    func unconditional(target: String) throws {
        let source = CountingSource(base: try MemorySource.items(.numbered(80)))
        let client = try Client([ListDefinition("items", source: source)])
        let tag = try #require(try client.get(target).field("ETag"))
        #expect(source.counts.versionReads == 0, "\(target)")
        let other = try client.ask(.get, target, fields: [(.ifNoneMatch, "W/\"x\"")])
        #expect(other.field("ETag") == tag, "\(target)")
        #expect(source.counts.versionReads == 1, "\(target)")
    }

    @Test("every question, format and version has a tag of its own")
    func distinct() throws {
        var owners: [String: String] = [:]
        for counter in [UInt64(1), 2] {
            let client = try Client([.items(.numbered(80), counter: counter)])
            for target in Self.targets {
                let tag = try #require(try client.get(target).field("ETag"))
                let owner = "\(target) of version \(counter)"
                #expect(owners[tag] == nil, "\(owner)")
                owners[tag] = owner
            }
            let page = try client.get("/items", accept: "text/html")
            #expect(owners[page.field("ETag") ?? ""] == nil, "the page at /items")
        }
    }

    @Test("two spellings of one question share a tag")
    func spelling() throws {
        let client = try Client([.items(.numbered(80))])
        let tag = try client.get("/items?limit=5&sort=-size").field("ETag")
        for target in [
            "/items?sort=-size&limit=5", "/items?sort=-size&limit=005&page=1",
            "/items?sort=-size:nullslast&limit=5&utm_source=mail",
        ] {
            #expect(try client.get(target).field("ETag") == tag, "\(target)")
        }
    }

    @Test("a row has a strong tag, as JSON of all columns only", arguments: Way.allCases)
    func row(way: Way) throws {
        let items = [Item(id: "a b", title: "A", revision: 7), Item(id: "free", revision: nil)]
        let client = try Client([.items(items)], way)
        let whole = try client.get("/items/a%20b")
        #expect(whole.field("ETag") == "\"a%20b-7\"")
        #expect(try whole.json()["row", "etag"]?.text == whole.field("ETag"))
        // Its links are others.
        let named = try #require(try client.get("/items/a%20b.json").field("ETag"))
        #expect(named.hasPrefix("\"a%20b-7;"))
        var tags: Set<String> = []
        for target in ["/items/a%20b.html", "/items/a%20b?columns=title", "/items/free"] {
            let answer = try client.get(target)
            let tag = try #require(answer.field("ETag"))
            #expect(tag.hasPrefix("W/\""), "\(target)")
            #expect(tags.insert(tag).inserted)
        }
        for target in ["/items/a%20b", "/items/a%20b.html", "/items/free"] {
            let tag = try #require(try client.get(target).field("ETag"))
            let answer = try client.ask(.get, target, fields: [(.ifNoneMatch, tag)])
            #expect(answer.status == 304)
            #expect(answer.body == "")
            let other = try client.ask(.get, target, fields: [(.ifNoneMatch, "\"a%20b-6\"")])
            #expect(other.status == 200)
        }
    }

    @Test("a changed row has another tag")
    func changedRow() throws {
        let tags = try [Int64(1), 2].map { revision in
            let client = try Client([.items([Item(id: "a", revision: revision)])])
            return try [
                client.get("/items/a").field("ETag"), client.get("/items/a.html").field("ETag"),
            ]
        }
        #expect(tags[0][0] != tags[1][0])
        #expect(tags[0][1] != tags[1][1])
    }
}
