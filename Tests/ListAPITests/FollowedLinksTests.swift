import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Every link of every answer can be followed")
struct FollowedLinksTests {
    /// A client that compares the bodies of equal tags.
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

    /// The addresses of lists in the body and in the Link field.
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

    /// A counted value and a section have as many rows as their links.
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

    /// The pages have the rows of one long page.
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
