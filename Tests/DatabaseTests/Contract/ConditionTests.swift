import Database
import Listings
import MemoryLists
import SQLite
import TestSupport
import Testing

@Suite("Conditions on rows of tables")
struct ConditionTests {
    private let folder = TemporaryFolder()

    private static let seeds = SeededGenerator.seeds(6)

    @Test(
        "values are counted, letters listed and jumped to as in memory",
        arguments: ListFixture.Kind.everywhere,
        seeds
    )
    func overview(kind: ListFixture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let list = try ListFixture(kind, rows: 60, idType: .integer, using: &random, in: folder)
        let memory = try list.reference.source(list.schema).makeReader()
        var stored = Page(list: "people", schema: list.schema)
        var plain = Page(list: "people", schema: list.schema)
        for _ in 0..<25 {
            var query = randomQuery(list.reference, peeks: random.chance(30), using: &random)
            query.facets = [1, 2, 4]
            query.aggregates = Aggregate.Function.allCases.flatMap { function in
                [2, 3].map { Aggregate(function, column: $0) }
            }
            query.wantsLetters = true
            // A table of somebody else has texts in the order of bytes.
            if kind.comparesBytes { query.filters.removeAll(where: \.comparesTexts) }
            let hasLetters = list.schema.letterKey(of: query) != nil
            if hasLetters, random.chance(50) {
                query.start = .letter(random.pick(["A", "O", "Z", "#"]))
            }
            // A table of somebody else has letters in the order of bytes.
            if kind.comparesBytes, query.grouping?.part != .initial { query.start = .beginning }
            try list.reader.read(query, into: &stored)
            try memory.read(query, into: &plain)
            if !kind.comparesBytes || query.sort.isEmpty && query.grouping == nil {
                let (own, other) = (ids(stored), ids(plain))
                #expect(own == other, "\(query)")
                let (leadsBack, leadsBackInMemory) = (stored.previous != nil, plain.previous != nil)
                #expect(leadsBack == leadsBackInMemory, "\(query)")
                let (ownSections, otherSections) = (
                    stored.sections.map(\.count), plain.sections.map(\.count)
                )
                #expect(ownSections == otherSections, "\(query)")
            }
            let (ownTotal, otherTotal) = (stored.total, plain.total)
            #expect(ownTotal == otherTotal, "\(query)")
            expectFacets(stored, query, list.reference)
            expectAggregates(stored, query, list.reference)
            let (ownValues, otherValues) = (stored.aggregates, plain.aggregates)
            #expect(ownValues == otherValues, "\(query)")
            let (ownLetters, otherLetters) = (stored.letters, plain.letters)
            if !kind.comparesBytes, query.sections == nil {
                #expect(ownLetters == otherLetters, "\(query)")
            }
        }
    }

    private func expectAggregates(
        _ page: borrowing Page,
        _ query: ListQuery,
        _ reference: ReferenceList
    ) {
        let rows = reference.rows.filter { row in
            reference.meets(row, query)
                && query.sections.map { $0.contains(reference.section(row, query)) } ?? true
        }
        var groups = [(page.aggregates, rows)]
        for section in page.sections {
            let own = rows.filter { reference.section($0, query) == section.info.key }
            groups.append((section.aggregates, own))
        }
        for (values, rows) in groups {
            for (aggregate, value) in zip(query.aggregates, values) {
                let numbers = rows.compactMap { Double($0.values[aggregate.column].plainText) }
                let sum = numbers.reduce(0, +)
                let expected: Double? =
                    switch aggregate.function {
                    case .sum: numbers.isEmpty ? nil : sum
                    case .average: numbers.isEmpty ? nil : sum / Double(numbers.count)
                    case .minimum: numbers.min()
                    case .maximum: numbers.max()
                    case .filled: Double(numbers.count)
                    }
                let found = value.flatMap { $0.isNull ? nil : Double($0.plainText) }
                let difference = ((found ?? -1e9) - (expected ?? -1e9)).magnitude
                #expect(value != nil && difference < 1e-6, "\(aggregate) \(query)")
            }
        }
        let count = page.aggregates.count
        #expect(count == query.aggregates.count)
    }

    private func expectFacets(
        _ page: borrowing Page,
        _ query: ListQuery,
        _ reference: ReferenceList
    ) {
        for facet in page.facets where facet.isComplete {
            let rows = reference.rows.filter { row in
                reference.meets(row, query, besides: facet.column)
                    && query.sections.map { $0.contains(reference.section(row, query)) } ?? true
            }
            var counts: [CellValue: Int] = [:]
            for row in rows { counts[row.values[facet.column], default: 0] += 1 }
            var found: [CellValue: Int] = [:]
            for value in facet.values { found[value.value] = value.count?.value }
            #expect(found == counts, "\(query) \(facet.column)")
            let order = (reference.comparesBytes ? KeyOrder.storageClasses : .lists)
            let sorted = facet.values.sorted { left, right in
                let (left, right) = (
                    (left.count?.value, left.value), (right.count?.value, right.value)
                )
                return left.0 == right.0
                    ? order.isLess(left.1, than: right.1) : left.0 ?? 0 > right.0 ?? 0
            }
            #expect(facet.values == sorted, "\(query) \(facet.column)")
        }
        let complete = page.facets.allSatisfy(\.isComplete)
        #expect(complete, "\(query)")
    }

    // MARK: - How rows are found

    /// A list of many rows: names in a thousand spellings, two cities that are common and one that
    /// is not.
    private func large() throws -> ListFixture {
        var random = SeededGenerator(seed: 1)
        let list = try ListFixture(.stored, rows: 0, idType: .integer, using: &random, in: folder)
        try list.writer.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
            \(ListFixture.insertion) SELECT i, 1, 'Name ' || (i * 7919 % 1000),
              CASE WHEN i % 1000 = 0 THEN 'Rare' WHEN i % 2 THEN 'Oslo' ELSE 'Paris' END,
              i % 90, i * 0.5, i % 2, '2020-01-01' FROM n;
            UPDATE roster_lists SET counter = counter + 1;
            """
        )
        return list
    }

    private func explanation(_ list: ListFixture, _ query: ListQuery) throws -> String {
        try list.source.explain(query).joined(separator: "\n")
    }

    @Test("many matches are read in order")
    func ways() throws {
        let list = try large()
        var query = ListQuery(sort: [SortKey(.column(0))], shape: .flow(limit: 50))
        query.filters = [Filter(column: 1, .equal, [.text("Oslo")])]
        let many = try explanation(list, query)
        #expect(!many.contains("TEMP B-TREE"), "\(many)")
        query.filters = []
        query.search = TextSearch("oslo")
        let common = try explanation(list, query)
        #expect(!common.contains("TEMP B-TREE"), "\(common)")
    }

    @Test("an index that has the sections and their order is left to do both")
    func oneIndex() throws {
        let list = try large()
        var query = ListQuery(
            grouping: Grouping(column: 1),
            sort: list.schema.defaultSort,
            shape: .flow(limit: 50)
        )
        query.filters = [Filter(column: 1, .equal, [.text("Paris")])]
        let plan = try explanation(list, query)
        #expect(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "\(plan)")
    }

    @Test("rows are counted up to a number unless all are asked for, and null where not at all")
    func counting() throws {
        let list = try large()
        var registry = ControllerRegistry()
        let reader = try TableSource(
            location: list.writer.location,
            table: list.table,
            schema: list.schema,
            registration: try registry.register(
                RecordController(list: "people", columns: list.schema.columns)
            ),
            budgets: ReadingBudgets(counts: .seconds(60), exactCounts: .seconds(60))
        ).makeReader()
        var page = Page(list: "people", schema: list.schema)
        var query = ListQuery(shape: .flow(limit: 5))
        try reader.read(query, into: &page)
        var total = page.total
        #expect(total == Count(10_000, .atLeast))
        query.filters = [Filter(column: 1, .equal, [.text("Oslo")])]
        query.facets = [1, 4]
        try reader.read(query, into: &page)
        total = page.total
        #expect(total == Count(10_000, .atLeast))
        var facets = page.facets
        let cities = facets[0].values.map(\.value)
        #expect(cities == [.text("Oslo"), .text("Paris"), .text("Rare")])
        #expect(facets[0].values[2].count == Count(30))
        #expect(facets[1].values == [Facet.Value(.boolean(true), count: Count(10_000, .atLeast))])
        query.counting = .exact
        try reader.read(query, into: &page)
        total = page.total
        #expect(total == Count(15_000))
        facets = page.facets
        #expect(facets[1].values == [Facet.Value(.boolean(true), count: Count(15_000))])
        query.counting = .off
        query.facets = []
        try reader.read(query, into: &page)
        total = page.total
        #expect(total == nil)
        // Equal versions of a page have equal counts, whatever is known besides.
        query.counting = .capped
        try reader.read(query, into: &page)
        total = page.total
        #expect(total == Count(10_000, .atLeast))
    }

    @Test("letters end with the texts that begin with none, though some stand before `#`")
    func lettersBackwards() throws {
        let list = try large()
        try list.writer.execute("UPDATE people SET name = '' WHERE id = 7")
        try list.writer.execute("UPDATE people SET name = '9' WHERE id = 8")
        try list.writer.execute("UPDATE roster_lists SET counter = counter + 1")
        var query = ListQuery(
            sort: [SortKey(.column(0), .descending)],
            shape: .flow(limit: 5)
        )
        query.wantsLetters = true
        var page = Page(list: "people", schema: list.schema)
        try list.reader.read(query, into: &page)
        #expect(page.letters == ["N", "#"])
    }

    @Test("the words of rows that are written, changed and deleted are found at once")
    func writes() throws {
        let list = try large()
        var page = Page(list: "people", schema: list.schema)
        func found(_ text: String) throws -> [String] {
            var query = ListQuery(shape: .flow(limit: 5))
            query.search = TextSearch(text)
            try list.writer.execute("UPDATE roster_lists SET counter = counter + 1")
            try list.reader.read(query, into: &page)
            return ids(page).flatMap { $0 }
        }
        #expect(try found("quaint") == [])
        try list.writer.execute("UPDATE people SET name = 'Quaint \"Ém' WHERE id = 7")
        #expect(try found("em quai") == ["7"])
        #expect(try found("\"quaint em\"") == ["7"])
        try list.writer.execute("INSERT INTO people (id, name) VALUES (99999, 'quaint too')")
        #expect(try found("quaint") == ["7", "99999"])
        try list.writer.execute("DELETE FROM people WHERE id = 7")
        #expect(try found("quaint") == ["99999"])
    }
}

extension Filter {
    /// Whether it asks which of two texts stands first.
    fileprivate var comparesTexts: Bool {
        leaves.contains { leaf in
            switch (leaf.operation, leaf.operands.first) {
            case (.less, .text), (.atMost, .text), (.greater, .text), (.atLeast, .text): true
            default: false
            }
        }
    }
}
