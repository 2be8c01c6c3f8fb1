import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Every link of every answer can be followed")
struct FollowedLinksTests {
    private final class TaggedClient {
        private let client: Client
        private var bodies: [String: (body: String, target: String)] = [:]

        init(_ client: Client) { self.client = client }

        func get(_ target: String) throws -> Answer {
            let answer = try client.get(target)
            guard let tag = answer.field("ETag") else { return answer }
            let body = answer.body
            let name = target.prefix { $0 != "?" } + tag
            if let known = bodies[String(name)] {
                #expect(known.body == body, "\(known.target) and \(target) have one tag")
            }
            bodies[String(name)] = (body, target)
            return answer
        }
    }

    @Test(
        "links of random queries lead on, to the rows that they name",
        arguments: SpelledRows.installed,
        0..<4
    )
    func links(source: SpelledRows, seed: Int) throws {
        let folder = try ScratchFolder()
        var options = ServiceOptions()
        options.readingTimes.rows = .seconds(60)
        options.readingTimes.counts = .seconds(60)
        let client = TaggedClient(try Client(source.lists(in: folder), options: options))
        var random = SeededGenerator(seed: UInt64(seed))
        var (followed, asked) = (0, 0)
        for _ in 0..<40 {
            let query = SpelledQuery(&random, hasPaths: source != .memory)
            let answer = try client.get(query.description)
            // Not every source groups by every column.
            guard answer.status == 200 else { continue }
            asked += 1
            let links = try Self.links(of: answer).sorted().shuffled(using: &random).prefix(16)
            for link in links {
                let status = try client.get(link).status
                #expect(status == 200, "\(link) of \(query), seed \(seed)")
            }
            followed += links.count
            if answer.mediaType == "application/json" {
                try expectCounts(answer, query, client)
                try expectWalk(answer, query, client)
            }
            #expect(try client.get(query.description).status == 200)
        }
        #expect(asked > 20 && followed > 200, "\(asked) \(followed)")
    }

    @Test(
        "values that the engine compares as equal are sections and facets of their own",
        arguments: [
            ("/t?group=d&limit=100", 2), ("/t?facets=d", 2), ("/t?facets=j.a", 6),
            ("/t?facets=j.a&id__in=1,7", 2), ("/t?statistics=d", 2),
        ]
    )
    func mixedValues(target: String, count: Int) throws {
        let folder = try ScratchFolder()
        let documents = ["1", "true", #""1""#, "1.0", "false", "0", #""true""#]
        let rows = (1...24).map { row in
            let day = row == 24 ? "2024-01-01T00:00:00Z" : "2024-01-01"
            return "(\(row), '\(day)', '{\"a\":\(documents[row % 7])}')"
        }
        let lists = try Shop.sqlite.lists(
            in: folder,
            of: """
                CREATE TABLE t (id integer PRIMARY KEY, d date, j text);
                INSERT INTO t VALUES \(rows.joined(separator: ", "));
                """
        )
        let first = TaggedClient(try Client(lists))
        // The first page finds out what the column has.
        _ = try first.get("/t")
        for _ in 0..<4 {
            let client = TaggedClient(try Client(lists))
            _ = try client.get("/t")
            let answer = try client.get(target)
            #expect(answer.status == 200)
            let page = try answer.json()
            #expect(try first.get(target).json()["facets"] == page["facets"], "\(target)")
            let values = page["facets"]?.elements.first?["values"] ?? page["statistics", "frequent"]
            #expect((values ?? page["sections"])?.elements.count == count, "\(answer.body)")
            for section in page["sections"]?.elements ?? [] where target.contains("group") {
                #expect(try client.get(section.link("self") ?? "").status == 200)
            }
            for value in values?.elements ?? [] {
                guard let link = value["href"]?.text else { continue }
                let total = try client.get(link).json()["total", "value"]?.integer
                #expect(total == value["count"]?.integer, "\(link)")
            }
        }
    }

    private static func links(of answer: Answer) throws -> Set<String> {
        var links = answer.field("Link") == nil ? [] : try LinkField(answer).all.map(\.address)
        if answer.mediaType == "text/html" {
            links += answer.htmlValues(of: "href")
        } else {
            collect(try answer.json(), name: "", into: &links)
        }
        let own = links.map { String($0.prefix { $0 != "#" }) }
        return Set(own.filter { $0.hasPrefix("/") && !$0.hasPrefix("/-/") })
    }

    private static func collect(_ json: JSON, name: String, into links: inout [String]) {
        switch json {
        case .text(let text): if text.hasPrefix("/"), name == "links" { links.append(text) }
        case .array(let elements):
            for element in elements { collect(element, name: name, into: &links) }
        case .object(let members):
            for (member, value) in members {
                let isLink = member == "links" || member == "href"
                collect(value, name: isLink || name == "links" ? "links" : "", into: &links)
            }
        default: break
        }
    }

    private func expectCounts(
        _ answer: Answer,
        _ query: SpelledQuery,
        _ client: TaggedClient
    ) throws {
        let page = try answer.json()
        for value in (page["facets"]?.elements ?? []).flatMap({ $0["values"]?.elements ?? [] }) {
            guard value["selected"] == .boolean(false), let link = value["href"]?.text else {
                continue
            }
            let total = try client.get(link).json()["total", "value"]?.integer
            #expect(total == value["count"]?.integer, "\(link) of \(query)")
        }
        for section in page["sections"]?.elements ?? [] {
            guard let link = section.link("self") else { continue }
            let total = try client.get(link).json()["total", "value"]?.integer
            #expect(total == section["count", "value"]?.integer, "\(link) of \(query)")
        }
    }

    private func expectWalk(
        _ answer: Answer,
        _ query: SpelledQuery,
        _ client: TaggedClient
    ) throws {
        guard !query.description.contains(/sections|per_section|page=/) else { return }
        let long = query.description.replacing(/limit=\d/, with: "limit=100")
        let all = try client.get(long).json().rows
        var (rows, next) = (try answer.json().rows, try answer.json().link("next"))
        while let link = next, rows.count <= all.count {
            let page = try client.get(link).json()
            rows += page.rows
            next = page.link("next")
        }
        #expect(rows == all, "\(query)")
    }

    @Test(
        "a page of another spelling accepts the cursor of the first",
        arguments: SpelledRows.installed,
        [
            ("price__is=1.50", "price__is=1.5"), ("price__gte=1.50", "price__gte=01.500"),
            ("at__is=2024-03-12T04:30:00%2B02:00", "at__is=2024-03-12T02:30:00Z"),
            ("or=(price__is=1.50,name=Ada)", "or=(price__is=~n:1.5,name=Ada)"),
        ]
    )
    func spellings(source: SpelledRows, spellings: (String, String)) throws {
        let folder = try ScratchFolder()
        let client = try Client(source.lists(in: folder))
        let page = try client.get("/t.json?\(spellings.0)&limit=1").json()
        let cursor = try #require(page["page", "after"]?.text)
        for spelling in [spellings.0, spellings.1] {
            let answer = try client.get("/t.json?\(spelling)&limit=1&after=\(cursor)")
            #expect(answer.status == 200, "\(spelling): \(answer.body)")
        }
        #expect(try client.get("/t.json?price=2&limit=1&after=\(cursor)").status == 400)
    }
}
