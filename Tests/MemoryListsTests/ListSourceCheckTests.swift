import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Checks of sources")
struct ListSourceCheckTests {
    private func models(seed: UInt64 = 7) -> [TypedModel] {
        var generator = SeededGenerator(seed: seed)
        return TypedModel.random(count: 60, using: &generator)
    }

    private func registration() throws -> Registration<TypedModel> {
        var registry = ControllerRegistry()
        return try registry.register(TypedModelController())
    }

    @Test("sources in memory answer all queries", arguments: 1...5)
    func memory(seed: Int) throws {
        let models = models(seed: UInt64(seed))
        let source = try MemorySource.typedModels(models)
        #expect(try ListSourceCheck(source).differences(seed: UInt64(seed)) == [])
        let list = DataSourceList(
            try DataSource(sections: [
                Section("first", header: "First", Run(Array(models[..<25]), using: registration())),
                Section("last", Run(Array(models[25...]), using: registration())),
            ]),
            schema: try ListSchema(columns: TypedModelController().columns, idType: .integer)
        )
        #expect(try ListSourceCheck(list).differences(seed: UInt64(seed)) == [])
    }

    @Test(
        "a source that ignores part of a query is found out",
        arguments: WrongSource.Fault.allCases
    )
    func wrong(fault: WrongSource.Fault) throws {
        let base = try MemorySource.typedModels(models())
        let source = WrongSource(base: base, schema: base.schema, fault: fault)
        let differences = try ListSourceCheck(source).differences()
        #expect(!differences.isEmpty)
        // Each difference names its query, so that it can be asked alone.
        #expect(differences.allSatisfy { $0.hasPrefix("?") || $0.hasPrefix("row '") })
    }

    @Test("a source that only lists its rows is correct if it declares no abilities")
    func plain() throws {
        let base = try MemorySource.typedModels(models())
        let plain = WrongSource(base: base, schema: base.schema.limited(to: []), fault: .everything)
        #expect(try ListSourceCheck(plain).differences() == [])
        let bold = WrongSource(base: base, schema: base.schema, fault: .everything)
        #expect(try ListSourceCheck(bold).differences().count == 5)
    }
}

struct WrongSource: ListSource {
    enum Fault: CaseIterable {
        case direction, secondKey, filters, operators, search, grouping, limit, previous, row,
            everything
    }

    let base: MemorySource<TypedModel>
    let schema: ListSchema
    let fault: Fault

    func makeReader() throws(SourceError) -> any ListReader {
        Reader(base: try base.makeReader(), fault: fault)
    }

    private final class Reader: ListReader {
        let base: any ListReader
        let fault: Fault

        init(base: any ListReader, fault: Fault) {
            self.base = base
            self.fault = fault
        }

        func version() throws(SourceError) -> ListVersion { try base.version() }

        func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
            var query = query
            switch fault {
            case .direction: query.sort = query.sort.map { SortKey($0.field, nulls: $0.nulls) }
            case .secondKey: query.sort = Array(query.sort.prefix(1))
            case .filters: query.filters = []
            case .operators: query.filters = query.filters.map(Self.equal)
            case .search: query.search = nil
            case .grouping: query.grouping = nil
            case .limit: if case .flow = query.shape { query.shape = .flow(limit: 8) }
            case .previous, .row: break
            case .everything:
                (query.sort, query.filters, query.search, query.grouping) = ([], [], nil, nil)
                (query.facets, query.aggregates) = ([], [])
            }
            try base.read(query, into: &page)
            if fault == .previous { page.previous = nil }
        }

        private static func equal(_ filter: Filter) -> Filter {
            guard let column = filter.column else { return filter }
            return Filter(column: column, .equal, [filter.operands[0]])
        }

        func readRow(
            _ id: String,
            grouping: Grouping?,
            into page: inout Page
        ) throws(SourceError) -> Bool {
            try base.readRow(fault == .row ? "1" : id, grouping: grouping, into: &page)
        }
    }
}
