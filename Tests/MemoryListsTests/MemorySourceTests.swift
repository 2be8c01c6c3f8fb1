import Listings
import Locks
import MemoryLists
import TestSupport
import Testing

@Suite("Lists in memory")
struct MemorySourceTests {
    @Test("walking on meets every row once, in order, and walking back the same pages reversed")
    func walks() throws {
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let models = TypedModel.random(
                count: Int.random(in: 0...40, using: &generator),
                using: &generator
            )
            let source = try MemorySource.typedModels(models)
            var query = randomQuery(&generator)
            query.shape = .flow(limit: Int.random(in: 1...9, using: &generator))
            let expected = expectedOrder(models, query)
            let forward = try pages(source, query)
            #expect(forward.flatMap(\.ids) == expected, "seed \(seed), \(query)")
            var backward: [[String]] = []
            var back = forward.last?.previous
            while let cursor = back {
                query.start = .before(cursor)
                let page = try read(source, query)
                backward.append(page.ids)
                back = page.previous
            }
            #expect(backward.reversed() == Array(forward.dropLast()).map(\.ids), "seed \(seed)")
        }
    }

    @Test("sorting and searching end when the client leaves, and begin again for another one")
    func cancellation() throws {
        let source = try MemorySource.typedModels((0..<9_000).map { TypedModel(id: $0) })
        let cancellation = RequestCancellation()
        cancellation.cancel()
        var query = ListQuery(sort: [SortKey(.column(0), .descending)], shape: .flow(limit: 2))
        for filters in [[], [Filter(id: .equal, ["9"])]] {
            query.filters = filters
            RequestCancellation.$current.withValue(cancellation) {
                #expect(throws: SourceError.outOfTime) { _ = try read(source, query) }
            }
            #expect(try read(source, query).ids.count == (filters.isEmpty ? 2 : 1))
        }
    }

    @Test("models are ordered and chosen by the column of their ids")
    func idColumn() throws {
        var registry = ControllerRegistry()
        let controller = ClosureController<TypedModel>(columns: [
            column("name", \.name), column("id", \.id, isGroupable: true),
        ])
        let schema = try ListSchema(columns: controller.columns, idType: .integer)
        #expect(schema.idColumn == 1)
        #expect(RowRules(schema).valueColumns == [0])
        let source = try MemorySource(
            models: [10, 9, -2].map { TypedModel(id: $0) },
            using: registry.register(controller),
            schema: schema,
            version: ListVersion(epoch: 1, counter: 1)
        )
        var query = ListQuery(sort: [SortKey(.column(1), .descending)], shape: .flow(limit: 2))
        #expect(try pages(source, query).flatMap(\.ids) == ["10", "9", "-2"])
        query.filters = [Filter(column: 1, .atLeast, [.integer(9)])]
        #expect(try pages(source, query).flatMap(\.ids) == ["10", "9"])
        query.filters = [Filter(id: .equal, ["9"])]
        query.facets = [1]
        var page = Page(list: "models", schema: schema)
        try source.makeReader().read(query, into: &page)
        // The counted values are those that no condition on the id leaves out.
        let values = page.facets[0].values.map(\.value)
        #expect(Set(values) == [.integer(10), .integer(9), .integer(-2)])
        #expect(values.filter(query.filters[0].selects) == [.integer(9)])
        let count = page.rowCount
        #expect(count == 1)
    }

    @Test("sections are whole in peek mode, and their own links go on where the peek ends")
    func peeks() throws {
        for seed in 0..<40 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let models = TypedModel.random(count: 30, using: &generator)
            let source = try MemorySource.typedModels(models)
            var query = randomQuery(&generator)
            query.shape = .peek(limit: 2, rows: 3)
            var seen: [String] = []
            for page in try pages(source, query) {
                for section in page.sections {
                    var alone = query.restricted(to: section.info.key, limit: 3)
                    var ids = section.ids
                    var next = section.next
                    while let cursor = next {
                        alone.start = .after(cursor)
                        let rest = try read(source, alone)
                        ids += rest.ids
                        next = rest.next
                    }
                    #expect(ids.count == section.count, "seed \(seed), \(query)")
                    seen += ids
                }
            }
            #expect(seen == expectedOrder(models, query), "seed \(seed), \(query)")
        }
    }

    @Test("a page cut inside a section says that it goes on and that it began before")
    func continued() throws {
        let models = (1...5).map { TypedModel(id: $0, species: "cat") }
        let source = try MemorySource.typedModels(models)
        var query = ListQuery(grouping: Grouping(column: 1), shape: .flow(limit: 2))
        let first = try read(source, query)
        #expect(first.sections.map(\.isContinued) == [false])
        #expect(first.sections.map(\.hasMore) == [true])
        query.start = .after(try #require(first.next))
        let second = try read(source, query)
        #expect(second.sections.map(\.isContinued) == [true])
        #expect(second.sections.map(\.count) == [5])
        #expect(second.total == Count(5))
    }

    @Test("a section that no row belongs to is named in the error")
    func unknownSection() throws {
        let source = try MemorySource.typedModels([TypedModel(id: 1, species: "cat")])
        let query = ListQuery(
            grouping: Grouping(column: 1),
            sections: [.value(.text("dog"))],
            shape: .flow(limit: 5)
        )
        #expect(throws: SourceError.unknownSection("dog")) { try read(source, query) }
    }

    @Test("two models with one id are refused, and both are named")
    func duplicateIDs() throws {
        #expect(throws: ListingError.duplicateID("7", first: 0, second: 2)) {
            try MemorySource.typedModels([TypedModel(id: 7), TypedModel(id: 1), TypedModel(id: 7)])
        }
    }

    @Test("a row is found by its id, in its section", arguments: ["1", "2", "3", "01", ""])
    func row(id: String) throws {
        let source = try MemorySource.typedModels([
            TypedModel(id: 1, species: "cat"), TypedModel(id: 2),
        ])
        let reader = try source.makeReader()
        var page = Page(list: "models", schema: source.schema)
        let isFound = try reader.readRow(id, grouping: Grouping(column: 1), into: &page)
        #expect(isFound == ["1", "2"].contains(id))
        let sections = page.sections.map(\.info.id.rawValue)
        #expect(sections == (id == "1" ? ["cat"] : id == "2" ? ["~"] : []))
    }

    @Test("a controller that fails costs its own row only")
    func failures() throws {
        let source = try MemorySource.typedModels(
            (1...4).map { TypedModel(id: $0, name: "n\($0)") },
            controller: TypedModelController(refusedIDs: [2], shortIDs: [3])
        )
        let reader = try source.makeReader()
        var page = Page(list: "models", schema: source.schema)
        let query = ListQuery(shape: .flow(limit: 9))
        try reader.read(query, into: &page)
        let failures = page.failures
        #expect(failures == [1: .rowFailed, 2: .cellCount])
        let names = (0..<page.rowCount).map { page.value(row: $0, column: 0) }
        #expect(names == [.text("n1"), .null, .null, .text("n4")])
    }

    // MARK: - Reading

    struct ReadPage {
        struct Part {
            var info: SectionInfo
            var ids: [String]
            var count: Int?
            var isContinued: Bool
            var hasMore: Bool
            var next: Cursor?
        }
        var sections: [Part]
        var next: Cursor?
        var previous: Cursor?
        var total: Count?
        var ids: [String] { sections.flatMap(\.ids) }
    }

    func read(_ source: MemorySource<TypedModel>, _ query: ListQuery) throws -> ReadPage {
        let reader = try source.makeReader()
        var page = Page(list: "models", schema: source.schema)
        try reader.read(query, into: &page)
        var sections: [ReadPage.Part] = []
        for section in page.sections {
            sections.append(
                ReadPage.Part(
                    info: section.info,
                    ids: section.rows.map { page.id(ofRow: $0) },
                    count: section.count?.value,
                    isContinued: section.isContinued,
                    hasMore: section.hasMore,
                    next: section.next
                )
            )
        }
        return ReadPage(
            sections: sections,
            next: page.next,
            previous: page.previous,
            total: page.total
        )
    }

    func pages(_ source: MemorySource<TypedModel>, _ query: ListQuery) throws -> [ReadPage] {
        var query = query
        var pages = [try read(source, query)]
        while let next = pages.last?.next, pages.count < 200 {
            query.start = .after(next)
            pages.append(try read(source, query))
        }
        return pages
    }

    func randomQuery(_ generator: inout SeededGenerator) -> ListQuery {
        let groupings = [nil, Grouping(column: 1), Grouping(column: 0, part: .initial)]
        let sort = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            SortKey(
                Int.random(in: 0...9, using: &generator) == 0
                    ? .id : .column(Int.random(in: 0...5, using: &generator)),
                Bool.random(using: &generator) ? .ascending : .descending,
                nulls: Bool.random(using: &generator) ? .first : .last
            )
        }
        return ListQuery(
            grouping: groupings.randomElement(using: &generator) ?? nil,
            sort: sort,
            shape: .flow(limit: 5)
        )
    }

    /// The ids in order, computed from the models in the plainest way.
    func expectedOrder(_ models: [TypedModel], _ query: ListQuery) -> [String] {
        func values(_ model: TypedModel) -> [CellValue] {
            [
                model.name.map(CellValue.text) ?? .null, model.species.map(CellValue.text) ?? .null,
                model.weight.map(CellValue.real) ?? .null,
                model.legs.map(CellValue.integer) ?? .null,
                model.isTame.map(CellValue.boolean) ?? .null,
                model.born.map(CellValue.date) ?? .null,
            ]
        }
        func less(_ left: TypedModel, _ right: TypedModel) -> Bool {
            if let grouping = query.grouping {
                let keys = [left, right].map { grouping.key(for: values($0)[grouping.column]) }
                if keys[0] != keys[1] {
                    if keys[0].isNull { return false }
                    if keys[1].isNull { return true }
                    return RowOrder.compare(keys[0], keys[1]) < 0
                }
            }
            for key in query.sort {
                guard case .column(let column) = key.field else {
                    return key.direction == .ascending ? left.id < right.id : left.id > right.id
                }
                let (a, b) = (values(left)[column], values(right)[column])
                if a == b { continue }
                if a.isNull { return key.nulls == .first }
                if b.isNull { return key.nulls == .last }
                let isLess = RowOrder.compare(a, b) < 0
                return key.direction == .ascending ? isLess : !isLess
            }
            return left.id < right.id
        }
        return models.sorted(by: less).map { "\($0.id)" }
    }
}
