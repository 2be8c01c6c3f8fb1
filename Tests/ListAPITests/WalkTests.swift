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

    private func walk(
        _ question: RandomQuestion,
        _ client: Client
    ) throws -> (forwards: [[ShownRow]], backwards: [[ShownRow]]) {
        var forwards: [JSON] = []
        var next: String? = question.description
        while let address = next, forwards.count <= 60 {
            let page = try client.get(address).json()
            forwards.append(page)
            next = page.link("next")
        }
        var backwards = forwards.suffix(1)
        while let address = backwards.last?.link("prev"), backwards.count <= 60 {
            backwards.append(try client.get(address).json())
        }
        return (forwards.map(\.rows), backwards.map(\.rows))
    }
}

/// A question about the sample users, made by chance.
struct RandomQuestion: CustomStringConvertible {
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
