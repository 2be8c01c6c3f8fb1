import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import RosterProgram
import TestSupport
import Testing

@Suite("What changed on a page is told since the version that names it")
struct ChangesTests {
    @Test("a page leads to what changed on it, which is nothing at first", arguments: Way.allCases)
    func nothing(way: Way) throws {
        let client = try Client(samples: way)
        for target in [
            "/users?limit=3", "/users?per_section=2&sort=-lastName", "/users/-/sections/Writer",
            "/users.json?page=2&limit=5", "/users?section=Writer&section=Engineer&q=a",
        ] {
            let page = try client.get(target).json()
            let version = try #require(page["list", "version"]?.text)
            let address = try #require(page["links", "changes"]?.text)
            #expect(address.hasSuffix("since=\(version)"))
            let answer = try client.get(address)
            #expect(answer.status == 200, "\(target): \(answer.body)")
            #expect(answer.mediaType == "application/json")
            #expect(answer.field("Cache-Control") == "no-store")
            let changes = try answer.json()
            #expect(changes["list"]?.text == "users")
            #expect(changes["from"]?.text == version)
            #expect(changes["to"]?.text == version)
            #expect(changes["stages"] == .array([]))
            #expect(changes["rows"] == .object([:]))
            #expect(changes["page"] == page["page"])
            #expect(changes["total"] == page["total"])
            #expect(changes["links", "changes"]?.text == address)
            let reload = try #require(changes["links", "reload"]?.text)
            #expect(try client.get(reload).json()["sections"] == page["sections"])
        }
    }

    @Test("a row that comes, one that changes and one that goes are told by their places")
    func rows() throws {
        let client = try Client(writing: .inMemory)
        let page = try client.get("/users?section=Writer&sort=lastName&limit=4").json()
        var replica = try PageReplica(page)
        let first = replica.sections[0].rows
        #expect(try client.send(.patch, "/users/\(first[0])", #"{"city":"Lund"}"#).status == 200)
        #expect(try client.ask(.delete, "/users/\(first[2])").status == 204)
        let body = #"{"firstName":"A","lastName":"Aa","occupation":"Writer"}"#
        #expect(try client.send(.put, "/users/9001", body).status == 201)
        let changes = try client.get(replica.changes).json()
        #expect(changes["stages"]?.elements.count == 2)
        let stage = try #require(changes["stages"]?.elements.first)
        #expect(stage["insert"] == (try JSON(#"{"at":[[0,0]],"id":["9001"]}"#)))
        let gone = #"{"at":[[0,2],[0,3]],"id":["\#(first[2])","\#(first[3])"]}"#
        let isPushedOut = stage["delete"] == (try JSON(gone))
        let isReplaced =
            stage["delete"] == (try JSON(#"{"at":[[0,2]],"id":["\#(first[2])"]}"#))
        #expect(isPushedOut || isReplaced)
        #expect(changes["rows", first[0], "cells", "city"]?.text == "Lund")
        try replica.apply(changes)
        let fresh = try client.get("/users?section=Writer&sort=lastName&limit=4").json()
        #expect(try replica.difference(from: fresh) == nil)
        #expect(replica.total == fresh["total"])
    }

    @Test("whatever was written, what a client held and what it is told are what there is")
    func anyWrites() throws {
        let client = try Client(writing: .inMemory)
        let targets = [
            "/users?limit=12", "/users?sort=-lastName&limit=20&group=none",
            "/users?per_section=3&limit=4", "/users?group=city&sort=age&limit=30",
            "/users?group=lastName:initial&limit=25", "/users?city=Oslo&limit=10",
            "/users?limit=10&page=2&group=none", "/users/-/sections/Writer?limit=6",
        ]
        var generator = SeededGenerator(seed: 6)
        var writer = RandomWriter(seed: 7)
        var replicas = try targets.map { try PageReplica(client.get($0).json()) }
        var told = 0
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 1...4, using: &generator) { try writer.write(client) }
            for (index, target) in targets.enumerated() where Bool.random(using: &generator) {
                let fresh = try client.get(target).json()
                let answer = try client.get(replicas[index].changes)
                guard answer.status == 200 else {
                    #expect(answer.status == 410, "\(answer.body)")
                    replicas[index] = try PageReplica(fresh)
                    continue
                }
                try replicas[index].apply(try answer.json())
                told += 1
                #expect(try replicas[index].difference(from: fresh) == nil, "\(target)")
            }
        }
        #expect(told > 150)
    }

    @Test(
        "a row that goes or changes is no change of the rows after it, whatever their types",
        arguments: ["9.50", "2024-03-12T10:00:00Z", #""{""a"":1}""#, "2024-03-12", "text", "7"]
    )
    func othersStay(value: String) throws {
        let folder = try ScratchFolder()
        let lines = (1...40).map { "\($0),name \($0),\(value)\n" }
        try folder.write(Array(("id,name,value\n" + lines.joined()).utf8), to: "list.csv")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(folder.path + "/list.csv")]
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        let client = try Client(try ListRegistry(configuration).lists, options: options)
        let address = try #require(client.get("/list").json()["links", "changes"]?.text)
        #expect(try client.ask(.delete, "/list/1").status == 204)
        #expect(try client.send(.patch, "/list/2", #"{"name":"a longer name"}"#).status == 200)
        let stages = try #require(client.get(address).json()["stages"]?.elements)
        let moved = stages.flatMap { $0["reload", "id"]?.elements ?? [] }
        #expect(moved.map(\.text) == ["2"], "\(stages)")
        #expect(stages.flatMap { $0["delete", "id"]?.elements ?? [] }.map(\.text) == ["1"])
    }

    @Test("HTML of rows and sections is that of the page", arguments: ["table", "grid"])
    func html(layout: String) throws {
        let client = try Client(writing: .inMemory)
        let target = "/users?section=Writer&sort=lastName&limit=4&layout=\(layout)"
        let page = try client.get(target, accept: "text/html")
        let version = try #require(page.htmlValues(of: "data-version").first)
        let address = try #require(page.htmlValues(of: "data-changes").first)
        #expect(address.hasPrefix("/users/-/changes?"))
        let body = #"{"firstName":"A","lastName":"<Aa>","occupation":"Writer"}"#
        #expect(try client.send(.put, "/users/9001", body).status == 201)
        let fresh = try client.get(target, accept: "text/html").body
        let answer = try client.get("\(address)&include=html&since=\(version)")
        let row = try #require(try answer.json()["rows", "9001", "html"]?.text)
        #expect(row.contains("&lt;Aa&gt;"))
        #expect(fresh.contains(row))
        let section = try answer.json()["sections"]
        let drawn = try #require(section?["Writer", "html"]?.text)
        let start = drawn.prefix { $0 != "\n" }
        #expect(fresh.contains(start))
        #expect(drawn.hasSuffix(layout == "table" ? "</tbody>\n" : "</section>\n"))
        #expect(!drawn.contains("r-9001"))
    }

    @Test("the same two versions are the same bytes, on any server")
    func isStateless() throws {
        let items = [Item].numbered(20)
        var changed = items
        changed[3].title = "Another"
        changed.remove(at: 5)
        changed.append(Item(id: "a long id of a row", title: "new", shelf: "shelf 0"))
        let version = try PageReplica(Client([.items(items)]).get("/items").json()).changes
        let answers = try (0..<2).map { counter in
            try Client([.items(changed, counter: UInt64(counter))]).get(version)
        }
        #expect(answers[0].status == 200)
        #expect(answers[0].body == answers[1].body)
        var replica = try PageReplica(Client([.items(items)]).get("/items").json())
        try replica.apply(answers[0].json())
        let fresh = try Client([.items(changed)]).get("/items").json()
        #expect(try replica.difference(from: fresh) == nil)
        try replica.apply(Client([.items(items)]).get(replica.changes).json())
        #expect(replica.sections.flatMap(\.rows).count == 20)
    }

    @Test("whatever goes is named, rows and sections with ids of any length")
    func longIDs() throws {
        let ids = [
            "7", "Designer", "550e8400-e29b-41d4-a716-446655440000",
            "550E8400-E29B-41D4-A716-446655440000", "550e8400-e29b-41d4-a716-446655440001",
            "550e8400-e29b-41d4-a716-44665544000", String(repeating: "å", count: 40),
        ]
        let stays = Item(id: "stays", title: "T", shelf: "shelf")
        let items = ids.map { Item(id: $0, title: "T", shelf: "shelf of \($0)") }
        let page = try Client([.items([stays] + items)]).get("/items?group=shelf").json()
        // Another server, and one that was started again.
        let answer = try Client([.items([stays])]).get(PageReplica(page).changes).json()
        let stages = try #require(answer["stages"]?.elements)
        let gone = stages.flatMap { $0["deleteSections", "id"]?.elements ?? [] }
        #expect(Set(gone.compactMap(\.text)) == Set(ids.map { "shelf of \($0)" }))
        let flat = try PageReplica(
            Client([.items([stays] + items)]).get("/items?group=none").json()
        )
        let rows = try Client([.items([stays])]).get(flat.changes).json()["stages"]?.elements
        let locations = rows?.flatMap { $0["delete", "id"]?.elements ?? [] } ?? []
        #expect(Set(locations.compactMap(\.text)) == Set(ids))
    }

    @Test("a version of an older server leads back to the page, and is never read as another one")
    func olderServer() throws {
        let client = try Client([.items(.numbered(2))])
        // Written by the server before this format: rows "1" and "a row with a long id".
        let held =
            "BAAAAAEAAAACAAIJczEncRXVW2kBBDsWQ6sQzAKbIwxlrl8PoidxFdVbaQECxHZOhaUqt_07FkOrEMzZXJJ9"
        let answer = try client.get("/items/-/changes?since=\(held)")
        #expect(answer.status == 410)
        #expect(try answer.json()["links", "reload"]?.text == "/items.json")
    }

    @Test("a list that starts anew with other rows is no resume of the old one")
    func restart() throws {
        let old = try PageReplica(Client([.items(.numbered(20), counter: 1)]).get("/items").json())
        let others = (100..<120).map { Item(id: "other\($0)", title: "T", shelf: "shelf 1") }
        let answer = try Client([.items(others, counter: 1)]).get(old.changes)
        #expect(answer.status == 410)
        let one = try Client([.items(Array([Item].numbered(20).dropLast()), counter: 1)])
        #expect(try one.get(old.changes).json()["stages"]?.elements.isEmpty == false)
    }

    @Test(
        "what is not worth telling, or not possible, is to be read again",
        arguments: Way.allCases
    )
    func expired(way: Way) throws {
        let items = [Item].numbered(30)
        let held = try PageReplica(Client([.items(items)], way).get("/items?limit=20").json())
        let changed = items.map { item in
            var item = item
            item.title = "Another"
            return item
        }
        for list in try [
            ListDefinition.items(changed), .items(items, grouping: nil),
            ListDefinition("items", title: "Things", source: MemorySource.items(items)),
        ] {
            let client = try Client([list], way)
            let answer = try client.get(held.changes)
            #expect(answer.status == 410)
            #expect(try answer.json()["type"]?.text == "/-/problems/version-expired")
            let reload = try #require(try answer.json()["links", "reload"]?.text)
            #expect(reload == "/items.json?limit=20")
            #expect(try client.get(reload).status == 200)
        }
    }

    @Test("what is not understood is refused", arguments: Way.allCases)
    func refused(way: Way) throws {
        let client = try Client(
            [.items(.numbered(30)), .items(.numbered(30), list: "others")],
            way
        )
        let replica = try PageReplica(client.get("/items?limit=5").json())
        let since = "since=\(replica.version)"
        func faults(_ query: String) throws -> [String] {
            let answer = try client.get("/items/-/changes?\(query)")
            #expect(answer.status == 400, "\(query)")
            return try answer.faults()
        }
        #expect(try faults("limit=5") == ["since missing-parameter"])
        #expect(try faults("limit=5&since=") == ["since missing-value", "since missing-parameter"])
        #expect(try faults("limit=5&since=7f3a91") == ["since invalid-version"])
        #expect(try faults("limit=5&\(since)A") == ["since invalid-version"])
        #expect(try faults("limit=6&\(since)") == ["since invalid-version"])
        #expect(try faults("\(since)") == ["since invalid-version"])
        #expect(try faults("limit=5&\(since)&include=pdf") == ["include unknown-option"])
        #expect(try faults("limit=5&\(since)&sice=1") == ["sice unknown-parameter"])
        #expect(try faults("limit=5&\(since)&\(since)") == ["since repeated-parameter"])
        let mangled = try client.get("/items/-/changes?limit=5&since=x").json()
        #expect(mangled["type"]?.text == "/-/problems/invalid-version")
        #expect(mangled["links", "reload"]?.text == "/items.json?limit=5")
        #expect(try client.get("/others/-/changes?limit=5&\(since)").status == 410)
        #expect(try client.get("/nothing/-/changes?\(since)").status == 404)
        #expect(try client.get(replica.changes, accept: "image/png").status == 406)
        #expect(try client.get("/items?since=x").faults() == ["since unknown-parameter"])
    }

    @Test("the address takes HEAD and says what it takes", arguments: Way.allCases)
    func methods(way: Way) throws {
        let client = try Client(samples: way)
        let replica = try PageReplica(client.get("/users?limit=5").json())
        let head = try client.ask(.head, replica.changes)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(try client.ask(.options, replica.changes).field("Allow") == "GET, HEAD, OPTIONS")
        #expect(try client.ask(.delete, replica.changes).status == 405)
    }

    @Test("a list whose source does not report changes is not followed")
    func unfollowed() throws {
        let source = UnversionedSource(source: try MemorySource.items(.numbered(3)))
        let client = try Client([ListDefinition("items", source: source)])
        let page = try client.get("/items")
        #expect(try page.json()["links", "changes"] == nil)
        #expect(try page.json()["list", "version"]?.text == "7.1")
        #expect(!(try client.get("/items", accept: "text/html").body.contains("data-changes")))
        let answer = try client.get("/items/-/changes?since=x")
        #expect(answer.status == 404)
        let detail = "The source of items does not report changes."
        #expect(try answer.json()["detail"]?.text == detail)
    }
}
