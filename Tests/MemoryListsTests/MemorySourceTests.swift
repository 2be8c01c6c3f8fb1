import Listings
import Locks
import MemoryLists
import TestSupport
import Testing

@Suite("Lists in memory")
struct MemorySourceTests {
    @Test("sorting and searching end when the client leaves, and begin again for another one")
    func cancellation() throws {
        let source = try MemorySource.typedModels((0..<9_000).map { TypedModel(id: $0) })
        let cancellation = RequestCancellation()
        cancellation.cancel()
        var query = ListQuery(sort: [SortKey(.column(0), .descending)], shape: .flow(limit: 9_000))
        for filters in [[], [Filter(id: .equal, ["9"])]] {
            query.filters = filters
            RequestCancellation.$current.withValue(cancellation) {
                #expect(throws: SourceError.outOfTime) { _ = try ids(source, query) }
            }
            #expect(try ids(source, query).count == (filters.isEmpty ? 9_000 : 1))
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
        #expect(try ids(source, query) == ["10", "9", "-2"])
        query.filters = [Filter(column: 1, .atLeast, [.integer(9)])]
        #expect(try ids(source, query) == ["10", "9"])
        query.filters = [Filter(id: .equal, ["9"])]
        query.facets = [1]
        var page = Page(list: "models", schema: schema)
        try source.makeReader().read(query, into: &page)
        // The counted values are those that no condition on the id leaves out.
        let values = page.facets[0].values.map(\.value)
        #expect(Set(values) == [.integer(10), .integer(9), .integer(-2)])
        #expect(values.filter(query.filters[0].selects) == [.integer(9)])
        #expect(page.rowCount == 1)
    }

    @Test("two models with one id are refused, and both are named")
    func duplicateIDs() throws {
        #expect(throws: ListingError.duplicateID("7", first: 0, second: 2)) {
            try MemorySource.typedModels([TypedModel(id: 7), TypedModel(id: 1), TypedModel(id: 7)])
        }
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
        #expect(page.failures == [1: .rowFailed, 2: .cellCount])
        let names = (0..<page.rowCount).map { page.value(row: $0, column: 0) }
        #expect(names == [.text("n1"), .null, .null, .text("n4")])
    }

    private func ids(_ source: MemorySource<TypedModel>, _ query: ListQuery) throws -> [String] {
        let reader = try source.makeReader()
        var page = Page(list: "models", schema: source.schema)
        var query = query
        var ids: [String] = []
        while true {
            try reader.read(query, into: &page)
            ids += (0..<page.rowCount).map { page.id(ofRow: $0) }
            guard let next = page.next else { return ids }
            query.start = .after(next)
        }
    }
}
