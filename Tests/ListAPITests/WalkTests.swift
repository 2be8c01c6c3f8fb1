import ListAPITestSupport
import TestSupport
import Testing

@Suite("Following links meets each row once")
struct WalkTests {
    @Test("random questions, walked forwards and backwards", arguments: 0..<6)
    func randomWalks(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let client = try Client(samples: seed < 5 ? .inMemory : .throughServer)
        for _ in 0..<8 {
            let question = RandomQuestion(&random)
            let walk = try walk(question, client)
            let rows = walk.forwards.flatMap(\.self)
            let whole = try client.get("\(question.path)\(question.order)&limit=500").json()
            #expect(rows == whole.rows, "\(question)")
            #expect(Set(rows.map(\.id)).count == rows.count, "\(question)")
            #expect(rows.count == whole["total", "value"]?.integer, "\(question)")
            #expect(walk.forwards.dropLast().allSatisfy { $0.count == question.limit })
            #expect(walk.backwards == walk.forwards.reversed(), "\(question)")
        }
    }

    @Test("page numbers show what the links show", arguments: Way.allCases)
    func pageNumbers(way: Way) throws {
        let client = try Client(samples: way)
        let target = "/users?sort=-age&limit=7"
        var next: String? = target
        var number = 1
        while let address = next {
            let page = try client.get(address).json()
            let numbered = try client.get("\(target)&page=\(number)").json()
            #expect(numbered.rows == page.rows)
            #expect(numbered.link("next") == page.link("next"))
            #expect(numbered.link("prev") == page.link("prev"))
            next = page.link("next")
            number += 1
        }
        #expect(number == 10)
    }

    @Test(
        "sections are paged like rows, each with its first rows and its own way on",
        arguments: [(7, 1), (3, 3), (20, 25)]
    )
    func peek(limit: Int, rows: Int) throws {
        let client = try Client(samples: .inMemory)
        let question = "/users?group=city&per_section=\(rows)&limit=\(limit)"
        let walk = try walkSections(question, client)
        let ids = walk.forwards.flatMap(\.self).map { $0["id"]?.text }
        let index = try client.get("/users/-/sections?group=city&limit=500").json()
        #expect(ids == index["sections"]?.elements.map { $0["id"]?.text })
        #expect(Set(ids).count == ids.count)
        #expect(walk.backwards == walk.forwards.reversed())
        for section in walk.forwards.flatMap(\.self) {
            try expectComplete(section, rows: rows, client)
        }
    }

    /// A section's first rows and those behind its link are all its rows, each once.
    private func expectComplete(_ section: JSON, rows: Int, _ client: Client) throws {
        let first = (section["rows"]?.elements ?? []).compactMap { $0["id"]?.text }
        #expect(first.count <= rows)
        var ids = first
        var next = section.link("next")
        #expect((section["more"] == .boolean(true)) == (next != nil))
        while let address = next {
            let page = try client.get(address).json()
            ids += page.rows.map(\.id)
            next = page.link("next")
        }
        let own = try #require(section.link("self"))
        #expect(try client.get(own).json().rows.map(\.id) == ids)
        #expect(section["count", "value"]?.integer == ids.count)
    }

    @Test("a section that begins or ends outside a page says so", arguments: Way.allCases)
    func continuation(way: Way) throws {
        let client = try Client(samples: way)
        var next: String? = "/users?limit=9"
        var seen: [String: Int] = [:]
        while let address = next {
            let page = try client.get(address).json()
            for (index, section) in (page["sections"]?.elements ?? []).enumerated() {
                let id = try #require(section["id"]?.text)
                let before = seen[id] ?? 0
                let count = try #require(section["count", "value"]?.integer)
                #expect(section["index"]?.integer == index)
                #expect(section["continued"] == .boolean(before > 0))
                seen[id] = before + (section["rows"]?.elements.count ?? 0)
                #expect(section["more"] == .boolean(seen[id] ?? 0 < count))
            }
            next = page.link("next")
        }
        #expect(seen == ["Designer": 12, "Engineer": 34, "Writer": 14])
    }

    @Test("a letter index holds every row under its initial")
    func initials() throws {
        let client = try Client(samples: .inMemory)
        let index = try client.get("/users/-/sections?group=lastName:initial&limit=500").json()
        let sections = index["sections"]?.elements ?? []
        #expect(sections.reduce(0) { $0 + ($1["count", "value"]?.integer ?? 0) } == 60)
        for section in sections {
            let own = try #require(section.link("self"))
            let page = try client.get(own).json()
            #expect(page["sections"]?.elements.count == 1)
            #expect(page.rows.count == section["count", "value"]?.integer)
        }
        #expect(sections.first?["header", "title"]?.text == "A")
    }

    private func walk(
        _ question: RandomQuestion,
        _ client: Client
    ) throws -> (forwards: [[ShownRow]], backwards: [[ShownRow]]) {
        let walk = try walkPages(question.description, client)
        return (walk.forwards.map(\.rows), walk.backwards.map(\.rows))
    }

    private func walkSections(
        _ target: String,
        _ client: Client
    ) throws -> (forwards: [[JSON]], backwards: [[JSON]]) {
        let walk = try walkPages(target, client)
        func sections(_ page: JSON) -> [JSON] { page["sections"]?.elements ?? [] }
        return (walk.forwards.map(sections), walk.backwards.map(sections))
    }

    /// The pages from the first to the last, and from the last back to the first.
    private func walkPages(
        _ target: String,
        _ client: Client
    ) throws -> (forwards: [JSON], backwards: [JSON]) {
        var forwards: [JSON] = []
        var next: String? = target
        while let address = next, forwards.count <= 60 {
            let page = try client.get(address).json()
            forwards.append(page)
            next = page.link("next")
        }
        var backwards = forwards.suffix(1)
        while let address = backwards.last?.link("prev"), backwards.count <= 60 {
            backwards.append(try client.get(address).json())
        }
        return (forwards, Array(backwards))
    }
}

/// A question about the sample users, made by chance.
struct RandomQuestion: CustomStringConvertible {
    /// The list or one of its sections.
    let path: String
    /// The parameters but for the limit.
    let order: String
    let limit: Int

    init(_ random: inout SeededGenerator) {
        let columns = [
            "id", "firstName", "lastName", "occupation", "email", "city", "joined", "age",
        ]
        let groups = [
            "", "&group=none", "&group=city", "&group=age", "&group=joined",
            "&group=lastName:initial", "&group=firstName:initial", "&section=Writer",
            "&section=Writer&section=Designer", "&group=city&section=~",
        ]
        let keys = columns.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        let sort = keys.map { column in
            let sign = Bool.random(using: &random) ? "-" : ""
            return sign + column + (Bool.random(using: &random) ? ":nullsfirst" : "")
        }
        let isSection = Int.random(in: 0..<5, using: &random) == 0
        path = isSection ? "/users/-/sections/Engineer" : "/users"
        let group = isSection ? "" : groups.randomElement(using: &random) ?? ""
        order =
            "?columns=age" + (sort.isEmpty ? "" : "&sort=\(sort.joined(separator: ","))") + group
        limit = Int.random(in: 3...25, using: &random)
    }

    var description: String { "\(path)\(order)&limit=\(limit)" }
}
