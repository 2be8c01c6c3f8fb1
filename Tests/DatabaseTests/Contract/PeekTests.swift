import Database
import Listings
import MemoryLists
import SQLite
import TestSupport
import Testing

@Suite("Pages of sections")
struct PeekTests {
    private let folder = TemporaryFolder()

    private static let seeds = SeededGenerator.seeds(8)

    private func limits(_ query: ListQuery) -> (sections: Int, rows: Int) {
        if case .peek(let limit, let rows) = query.shape { (limit, rows) } else { (0, 0) }
    }

    /// Holds everything about a page against the rows in memory.
    ///
    /// The range says which sections have to be on it, by their position in the order.
    private func expectPage(
        _ page: borrowing Page,
        _ query: ListQuery,
        _ reference: ReferenceList,
        sections range: Range<Int>
    ) {
        let all = reference.ordered(query)
        let keys = reference.sections(query)
        #expect(page.sections.map(\.info.key) == Array(keys[range]), "\(query)")
        // An empty page after the end links back, however the client came there.
        #expect((page.previous != nil) == (range.lowerBound > 0), "\(query)")
        #expect((page.next != nil) == (range.upperBound < keys.count && !range.isEmpty), "\(query)")
        #expect(page.previous?.row == nil)
        #expect(page.next?.row == nil)
        #expect(page.total == Count(all.count))
        let rows = ids(page)
        for (section, rows) in zip(page.sections, rows) {
            let members = all.filter { reference.section($0, query) == section.info.key }
            let shown = members.prefix(limits(query).rows)
            #expect(rows == shown.map(\.id.idText), "\(query)")
            #expect(section.count == Count(members.count))
            #expect(!section.isContinued)
            #expect(section.hasMore == (members.count > shown.count), "\(query)")
            #expect((section.next != nil) == (section.hasMore && !shown.isEmpty))
        }
    }

    @Test(
        "walking to the end and back meets every section once, in order, with its first rows",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func walk(kind: ListFixture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let list = try ListFixture(
            kind,
            rows: random.pick([0, 1, 7, 60]),
            idType: random.chance(50) ? .integer : .text,
            budgets: random.chance(50) ? .ample : .withoutTrials,
            using: &random,
            in: folder
        )
        var page = Page(list: "people", schema: list.schema)
        for _ in 0..<12 {
            var query = randomQuery(list.reference, peeks: true, using: &random)
            let count = list.reference.sections(query).count
            let limit = limits(query).sections
            var starts: [Int] = []
            var start = 0
            repeat {
                try list.reader.read(query, into: &page)
                let end = min(start + limit, count)
                expectPage(page, query, list.reference, sections: start..<end)
                starts.append(start)
                start += limit
                guard let next = page.next else { break }
                query.start = .after(next)
            } while start <= count
            #expect(start >= count)
            for start in starts.dropLast().reversed() {
                let previous = page.previous
                query.start = .before(try #require(previous))
                try list.reader.read(query, into: &page)
                let end = min(start + limit, count)
                expectPage(page, query, list.reference, sections: start..<end)
            }
            #expect(page.previous == nil)
            query.start = .end
            try list.reader.read(query, into: &page)
            let range = max(0, count - limit)..<count
            expectPage(page, query, list.reference, sections: range)
        }
    }

    @Test(
        "where nothing makes sections all rows are one, which a page has or not, as in memory",
        arguments: ListFixture.Kind.allCases,
        [0, 20]
    )
    func whole(kind: ListFixture.Kind, count: Int) throws {
        var random = SeededGenerator(seed: 5)
        let list = try ListFixture(kind, rows: count, idType: .integer, using: &random, in: folder)
        let memory = try list.reference.source(list.schema).makeReader()
        var stored = Page(list: "people", schema: list.schema)
        var plain = Page(list: "people", schema: list.schema)
        // A table of somebody else has texts in the order of bytes.
        let letters: [ListQuery.Start] = ["A", "Z", "#"].map { .letter($0) }
        for start in [.beginning, .offset(0), .offset(1)] + (kind.comparesBytes ? [] : letters) {
            for nulls in [SortKey.Nulls.first, .last] {
                let query = ListQuery(
                    sort: kind.comparesBytes ? [] : [SortKey(.column(0), nulls: nulls)],
                    shape: .peek(limit: 2, rows: 3),
                    start: start
                )
                try list.reader.read(query, into: &stored)
                try memory.read(query, into: &plain)
                let (own, other) = (ids(stored), ids(plain))
                #expect(own == other, "\(query)")
                let (leadsBack, leadsBackInMemory) = (stored.previous != nil, plain.previous != nil)
                #expect(leadsBack == leadsBackInMemory, "\(query)")
            }
        }
    }

    @Test(
        "a page follows the key of its cursor, whether a section has it or not",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func anyPosition(kind: ListFixture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 1000)
        let list = try ListFixture(kind, rows: 20, idType: .integer, using: &random, in: folder)
        var page = Page(list: "people", schema: list.schema)
        for _ in 0..<12 {
            var query = randomQuery(list.reference, peeks: true, using: &random)
            guard query.grouping != nil else { continue }
            let keys = list.reference.sections(query)
            let limit = limits(query).sections
            let key = list.reference.section(list.freshRow(using: &random), query)
            let cursor = Cursor(
                signature: query.signature(of: "people", schema: list.schema),
                section: key,
                row: nil
            )
            query.start = .after(cursor)
            try list.reader.read(query, into: &page)
            let behind =
                keys.firstIndex { list.reference.compareSections(key, $0) < 0 } ?? keys.count
            let end = min(behind + limit, keys.count)
            expectPage(page, query, list.reference, sections: behind..<end)
            if behind == keys.count, let previous = page.previous {
                query.start = .before(previous)
                try list.reader.read(query, into: &page)
                let start = max(keys.count - limit, 0)
                expectPage(page, query, list.reference, sections: start..<keys.count)
            }

            query.start = .before(cursor)
            try list.reader.read(query, into: &page)
            let before = keys.count { list.reference.compareSections($0, key) < 0 }
            let start = max(before - limit, 0)
            let stop = min(start + limit, keys.count)
            expectPage(page, query, list.reference, sections: start..<stop)

            let skipped = Int.random(in: 0...5, using: &random)
            query.start = .offset(skipped)
            try list.reader.read(query, into: &page)
            let first = min(skipped, keys.count)
            let last = min(first + limit, keys.count)
            expectPage(page, query, list.reference, sections: first..<last)
            guard first == keys.count, let previous = page.previous else { continue }
            query.start = .before(previous)
            try list.reader.read(query, into: &page)
            let rest = max(keys.count - limit, 0)
            expectPage(page, query, list.reference, sections: rest..<keys.count)
        }
    }
}

extension ReferenceList {
    /// The keys of a query's sections in order.
    func sections(_ query: ListQuery) -> [SectionKey] {
        var keys: [SectionKey] = []
        for row in ordered(query) where section(row, query) != keys.last {
            keys.append(section(row, query))
        }
        return keys
    }
}
