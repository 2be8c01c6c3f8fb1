import Listings
import SQLite
import TestSupport
import Testing

@Suite("Walking through a list that is written to")
struct WalkTests {
    private let folder = TemporaryFolder()

    private static let seeds = SeededGenerator.seeds(10)

    private struct ConcurrentlyWrittenList {
        var list: ListFixture
        var random: SeededGenerator
        var survivors: Set<String>
        /// The rows that have gone or moved, wherever they are now.
        var touched: Set<String> = []

        init(_ list: ListFixture, _ random: SeededGenerator) {
            self.list = list
            self.random = random
            survivors = Set(list.reference.rows.map(\.id.idText))
        }

        /// Forgets what became of rows before.
        mutating func beginWalk() { self = ConcurrentlyWrittenList(list, random) }

        mutating func writeAtRandom(_ query: ListQuery) throws {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let rows = list.reference.rows
                guard !rows.isEmpty, !random.chance(35) else {
                    try list.insert(using: &random)
                    continue
                }
                let index = rows.indices.randomElement(using: &random) ?? 0
                if random.chance(50) {
                    try list.delete(at: index)
                    lose(rows[index])
                } else {
                    let row = try list.update(at: index, using: &random)
                    if !stays(rows[index], as: row, query) { lose(row) }
                }
            }
        }

        private mutating func lose(_ row: ReferenceRow) {
            survivors.remove(row.id.idText)
            touched.insert(row.id.idText)
        }

        /// Whether a row has kept its place in the order of a question.
        private func stays(_ old: ReferenceRow, as row: ReferenceRow, _ query: ListQuery) -> Bool {
            let locations = [old, row].map { list.reference.location($0, query) }
            return locations[0].section == locations[1].section
                && locations[0].values == locations[1].values
                && list.reference.meets(old, query) == list.reference.meets(row, query)
        }

        func expect(
            _ met: [String],
            _ query: ListQuery,
            where isExpected: (ReferenceRow) -> Bool = { _ in true }
        ) {
            let expected = list.reference.ordered(query).filter(isExpected).map(\.id.idText)
                .filter(survivors.contains)
            #expect(met.filter(survivors.contains) == expected, "\(query)")
            let others = met.filter { !touched.contains($0) }
            #expect(Set(others).count == others.count, "\(query)")
        }
    }

    private func writtenList(
        _ kind: ListFixture.Kind,
        seed: UInt64
    ) throws -> ConcurrentlyWrittenList {
        var random = SeededGenerator(seed: seed &+ 5000)
        let list = try ListFixture(
            kind,
            rows: random.pick([1, 30, 60]),
            idType: random.chance(50) ? .integer : .text,
            using: &random,
            in: folder
        )
        return ConcurrentlyWrittenList(list, random)
    }

    private func query(_ writtenList: inout ConcurrentlyWrittenList, peeks: Bool) -> ListQuery {
        writtenList.beginWalk()
        var query = randomQuery(
            writtenList.list.reference,
            peeks: peeks,
            using: &writtenList.random
        )
        // A section that is asked for may go, which is an error of its own.
        query.sections = nil
        query.counting = .off
        return query
    }

    @Test(
        "on: every row that stays is met once, in order",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func onwards(kind: ListFixture.Kind, seed: UInt64) throws {
        var writtenList = try writtenList(kind, seed: seed)
        var page = Page(list: "people", schema: writtenList.list.schema)
        for _ in 0..<6 {
            var query = query(&writtenList, peeks: false)
            var met: [String] = []
            for _ in 0..<400 {
                try writtenList.list.reader.read(query, into: &page)
                met += ids(page).flatMap { $0 }
                guard let next = page.next else { break }
                query.start = .after(next)
                try writtenList.writeAtRandom(query)
            }
            #expect(page.next == nil)
            writtenList.expect(met, query)
        }
    }

    @Test(
        "back: every row that stays is met once, in order",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func backwards(kind: ListFixture.Kind, seed: UInt64) throws {
        var writtenList = try writtenList(kind, seed: seed &+ 100)
        var page = Page(list: "people", schema: writtenList.list.schema)
        for _ in 0..<6 {
            var query = query(&writtenList, peeks: false)
            let reference = writtenList.list.reference
            guard let last = reference.ordered(query).last else { continue }
            let end = reference.location(last, query)
            var location = end
            var met: [String] = []
            for _ in 0..<400 {
                query.start = .before(
                    Cursor(
                        signature: query.signature(of: "people", schema: writtenList.list.schema),
                        section: location.section,
                        row: Cursor.Row(values: location.values)
                    )
                )
                try writtenList.list.reader.read(query, into: &page)
                var found = ids(page).flatMap { $0 }
                guard let previous = page.previous, let row = previous.row else {
                    // The first page of a list is filled with rows that were met before.
                    let reference = writtenList.list.reference
                    let before = reference.rows.filter { row in
                        reference.isLess(reference.location(row, query), location, query)
                    }
                    let ids = Set(before.map(\.id.idText))
                    found.removeAll { !ids.contains($0) }
                    met = found + met
                    break
                }
                met = found + met
                location = ReferenceList.Location(section: previous.section, values: row.values)
                try writtenList.writeAtRandom(query)
            }
            #expect(page.previous == nil)
            writtenList.expect(met, query) { row in
                let reference = writtenList.list.reference
                return reference.isLess(reference.location(row, query), end, query)
            }
        }
    }

    @Test(
        "where everything behind a page goes, there is a way back to that page",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func end(kind: ListFixture.Kind, seed: UInt64) throws {
        var writtenList = try writtenList(kind, seed: seed &+ 300)
        var page = Page(list: "people", schema: writtenList.list.schema)
        for peeks in [false, true] {
            var query = query(&writtenList, peeks: peeks)
            try writtenList.list.reader.read(query, into: &page)
            guard let next = page.next, let last = ids(page).last?.last else { continue }
            let rows = writtenList.list.reference.ordered(query)
            let section = page.sections.last?.info.key
            var behind = rows.drop { $0.id.idText != last }.dropFirst()
            if peeks {
                behind = behind.drop { writtenList.list.reference.section($0, query) == section }
            }
            let gone = Set(behind.map(\.id))
            for index in writtenList.list.reference.rows.indices.reversed()
            where gone.contains(writtenList.list.reference.rows[index].id) {
                try writtenList.list.delete(at: index)
            }
            let shown = ids(page)
            query.start = .after(next)
            try writtenList.list.reader.read(query, into: &page)
            #expect(page.sections.map(\.rows.count) == [])
            #expect(page.next == nil)
            let previous = page.previous
            query.start = .before(try #require(previous))
            try writtenList.list.reader.read(query, into: &page)
            #expect(ids(page) == shown, "\(query)")
            #expect(page.next == nil)
            #expect(page.previous == nil)
        }
    }

    @Test(
        "by sections, each read to its end: every row that stays is met once, in order",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func sections(kind: ListFixture.Kind, seed: UInt64) throws {
        var writtenList = try writtenList(kind, seed: seed &+ 200)
        var page = Page(list: "people", schema: writtenList.list.schema)
        for _ in 0..<6 {
            var query = query(&writtenList, peeks: true)
            let rows = Int.random(in: 1...4, using: &writtenList.random)
            query.shape = .peek(limit: query.shape.limit, rows: rows)
            var met: [String] = []
            for _ in 0..<400 {
                try writtenList.list.reader.read(query, into: &page)
                let shown = ids(page)
                let sections = page.sections.map { ($0.info.key, $0.next) }
                let next = page.next
                for (rows, (key, next)) in zip(shown, sections) {
                    met += rows
                    guard let next else { continue }
                    try writtenList.writeAtRandom(query)
                    met += try rest(of: key, behind: next, query, &writtenList)
                }
                guard let next else { break }
                query.start = .after(next)
                try writtenList.writeAtRandom(query)
            }
            #expect(page.next == nil)
            writtenList.expect(met, query)
        }
    }

    private func rest(
        of key: SectionKey,
        behind start: Cursor,
        _ query: ListQuery,
        _ writtenList: inout ConcurrentlyWrittenList
    ) throws -> [String] {
        var page = Page(list: "people", schema: writtenList.list.schema)
        var query = query.restricted(to: key, limit: 3)
        var met: [String] = []
        var next: Cursor? = start
        while let cursor = next {
            query.start = .after(cursor)
            guard try isThere(query, writtenList.list.reader, &page) else { return met }
            met += ids(page).flatMap { $0 }
            next = page.next
            if next != nil { try writtenList.writeAtRandom(query) }
        }
        return met
    }

    /// Reads a page of a section, unless its last row has gone.
    private func isThere(
        _ query: ListQuery,
        _ reader: any ListReader,
        _ page: inout Page
    ) throws -> Bool {
        do {
            try reader.read(query, into: &page)
            return true
        } catch {
            guard case .unknownSection = error else { throw error }
            return false
        }
    }
}
