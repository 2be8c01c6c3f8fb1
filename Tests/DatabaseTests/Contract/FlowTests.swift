import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Pages of rows")
struct FlowTests {
    private let folder = TemporaryFolder()

    private static let seeds = SeededGenerator.seeds(8)

    private func fixture(
        _ kind: ListFixture.Kind,
        _ random: inout SeededGenerator
    ) throws -> ListFixture {
        try ListFixture(
            kind,
            rows: random.pick([0, 1, 7, 40, 60]),
            idType: random.chance(50) ? .integer : .text,
            using: &random,
            in: folder
        )
    }

    private func limit(_ query: ListQuery) -> Int {
        if case .flow(let limit) = query.shape { limit } else { 0 }
    }

    /// Reads a page and holds everything about it against the rows in memory.
    ///
    /// The range says which rows have to be on it, by their position in the order.
    private func expectPage(
        _ page: borrowing Page,
        _ query: ListQuery,
        _ reference: ReferenceList,
        _ all: [ReferenceRow],
        rows range: Range<Int>
    ) {
        let expected = all[range]
        let found = ids(page)
        #expect(found.flatMap { $0 } == expected.map(\.id.idText), "\(query)")
        // An empty page after the end links back, however the client came there.
        #expect((page.previous != nil) == (range.lowerBound > 0), "\(query)")
        #expect((page.next != nil) == (range.upperBound < all.count && !range.isEmpty), "\(query)")
        #expect(page.total == Count(all.count))
        var position = range.lowerBound
        for section in page.sections {
            let key = section.info.key
            #expect(!section.rows.isEmpty)
            let members = all.count { reference.section($0, query) == key }
            #expect(section.count == Count(members), "\(key)")
            let first = position > 0 ? reference.section(all[position - 1], query) : nil
            #expect(section.isContinued == (first == key), "\(query) \(key)")
            position += section.rows.count
            let last = position < all.count ? reference.section(all[position], query) : nil
            #expect(section.hasMore == (last == key), "\(query) \(key)")
            #expect((section.next != nil) == section.hasMore)
        }
        let shown = query.columns ?? Array(ListFixture.columns.indices)
        #expect(page.shownColumns == shown)
        for row in 0..<page.rowCount {
            let values = all[range.lowerBound + row].values
            #expect(shown.map { page.value(row: row, column: $0) } == shown.map { values[$0] })
        }
    }

    @Test("a row that has moved away from where a page ended is met where it stands now")
    func movedRow() throws {
        let list = try ListFixture.people(60, name: "'n' || (i + 100)", city: "'c'", in: folder)
        let counted = try MeasuredReader(list)
        for (start, name, ids) in [
            ("after", "n1105", ["10", "11", "12"]), ("after", "n1125", ["11", "12", "10"]),
            ("after", "n000", ["11", "12", "13"]), ("before", "n1095", ["8", "9", "10"]),
            ("before", "n1085", ["8", "10", "9"]), ("before", "n999", ["7", "8", "9"]),
        ] {
            var query = ListQuery(sort: [SortKey(.column(0))], shape: .flow(limit: 3))
            let cursor = try counted.cursor(after: 10, query)
            query.start = start == "after" ? .after(cursor) : .before(cursor)
            try list.writer.execute("UPDATE people SET name = '\(name)' WHERE id = 10")
            #expect(try counted.page(query).ids == [ids], "\(name)")
            try list.writer.execute("UPDATE people SET name = 'n110' WHERE id = 10")
        }
    }

    @Test(
        "walking to the end and back meets every row once, in order, with exact links and counts",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func walk(kind: ListFixture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let list = try fixture(kind, &random)
        var page = Page(list: "people", schema: list.schema)
        for _ in 0..<12 {
            var query = randomQuery(list.reference, peeks: false, using: &random)
            let all = list.reference.ordered(query)
            let count = all.count
            let limit = limit(query)
            var start = 0
            var starts: [Int] = []
            repeat {
                try list.reader.read(query, into: &page)
                expectPage(
                    page,
                    query,
                    list.reference,
                    all,
                    rows: start..<min(start + limit, count)
                )
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
                expectPage(
                    page,
                    query,
                    list.reference,
                    all,
                    rows: start..<min(start + limit, count)
                )
            }
            #expect(page.previous == nil)
            query.start = .end
            try list.reader.read(query, into: &page)
            expectPage(page, query, list.reference, all, rows: max(0, count - limit)..<count)
        }
    }

    @Test(
        "a page follows its cursor by value, whether a row stands there or not",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func anyPosition(kind: ListFixture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 1000)
        let list = try fixture(kind, &random)
        var page = Page(list: "people", schema: list.schema)
        for _ in 0..<12 {
            var query = randomQuery(list.reference, peeks: false, using: &random)
            let all = list.reference.ordered(query)
            let isThere = random.chance(50) && !all.isEmpty
            let row = isThere ? random.pick(all) : list.freshRow(using: &random)
            let location = list.reference.location(row, query)
            let cursor = Cursor(
                signature: query.signature(of: "people", schema: list.schema),
                section: location.section,
                row: Cursor.Row(values: location.values)
            )
            let behind =
                all.firstIndex { other in
                    list.reference.isLess(location, list.reference.location(other, query), query)
                } ?? all.count
            query.start = .after(cursor)
            try list.reader.read(query, into: &page)
            let end = min(behind + limit(query), all.count)
            expectPage(page, query, list.reference, all, rows: behind..<end)
            if behind == all.count, let previous = page.previous {
                query.start = .before(previous)
                try list.reader.read(query, into: &page)
                let start = max(all.count - limit(query), 0)
                expectPage(page, query, list.reference, all, rows: start..<all.count)
            }

            let before = all.count { other in
                list.reference.isLess(list.reference.location(other, query), location, query)
            }
            query.start = .before(cursor)
            try list.reader.read(query, into: &page)
            let start = max(before - limit(query), 0)
            let stop = min(start + limit(query), all.count)
            expectPage(page, query, list.reference, all, rows: start..<stop)

            let skipped = Int.random(in: 0...70, using: &random)
            query.start = .offset(skipped)
            try list.reader.read(query, into: &page)
            let first = min(skipped, all.count)
            expectPage(
                page,
                query,
                list.reference,
                all,
                rows: first..<min(first + limit(query), all.count)
            )
            guard first == all.count, let previous = page.previous else { continue }
            query.start = .before(previous)
            try list.reader.read(query, into: &page)
            let rest = max(all.count - limit(query), 0)
            expectPage(page, query, list.reference, all, rows: rest..<all.count)
        }
    }

    @Test(
        "a section's own cursor goes on in that section alone",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func sections(kind: ListFixture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 3000)
        let list = try fixture(kind, &random)
        var page = Page(list: "people", schema: list.schema)
        var rest = Page(list: "people", schema: list.schema)
        for _ in 0..<10 {
            let query = randomQuery(list.reference, peeks: random.chance(50), using: &random)
            try list.reader.read(query, into: &page)
            for index in page.sections.indices {
                let section = page.sections[index]
                guard let next = section.next else { continue }
                var restricted = query.restricted(to: section.info.key, limit: 3)
                #expect(
                    next.signature == restricted.signature(of: "people", schema: list.schema)
                )
                restricted.start = .after(next)
                try list.reader.read(restricted, into: &rest)
                let members = list.reference.ordered(restricted)
                let last = page.id(ofRow: section.rows.upperBound - 1)
                let location = try #require(members.firstIndex { $0.id.idText == last }) + 1
                expectPage(
                    rest,
                    restricted,
                    list.reference,
                    members,
                    rows: location..<min(location + 3, members.count)
                )
            }
        }
    }
}
