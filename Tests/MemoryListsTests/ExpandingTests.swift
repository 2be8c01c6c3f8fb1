import Listings
import MemoryLists
import Testing

@Suite("Several rows for each model")
struct ExpandingTests {
    struct Model: Identifiable, Sendable {
        let id: Int
    }

    /// Two rows for each cat: its name and its weight.
    private struct ModelParts: ExpandingController {
        let parts = [RowPart("name", kind: "cat.name"), RowPart("body", kind: "cat.body")]
        let columns = [Column("text")]

        func write(part: Int, of context: Context<Model>, to cells: inout CellBuffer) {
            cells.append(part == 0 ? "Tom" : "4.5 kg")
        }

        func revision(of model: Model) -> Int64? { nil }
    }

    private func source(_ count: Int) throws -> MemorySource<Model> {
        var registry = ControllerRegistry()
        return try MemorySource(
            models: (0..<count).map { Model(id: $0) },
            using: registry.register(ModelParts()),
            schema: ListSchema(columns: [Column("text")], idType: .integer),
            version: ListVersion(epoch: 1, counter: 1)
        )
    }

    @Test("pages keep the rows of a model together and count rows")
    func pages() throws {
        let source = try source(5)
        let reader = try source.makeReader()
        var page = Page(list: "cats", schema: source.schema)
        var shown: [[String]] = []
        var start = ListQuery.Start.beginning
        while true {
            try reader.read(ListQuery(shape: .flow(limit: 5), start: start), into: &page)
            shown.append((0..<page.rowCount).map { page.id(ofRow: $0) })
            #expect(page.total == Count(10))
            #expect(page.sections.first?.count == Count(10))
            guard let next = page.next else { break }
            start = .after(next)
        }
        #expect(
            shown == [
                ["0#name", "0#body", "1#name", "1#body"],
                ["2#name", "2#body", "3#name", "3#body"],
                ["4#name", "4#body"],
            ]
        )
    }

    @Test("page numbers lead to the pages that following the cursors leads to")
    func pageNumbers() throws {
        let source = try source(5)
        let reader = try source.makeReader()
        var page = Page(list: "cats", schema: source.schema)
        for (number, first) in [(0, "0#name"), (1, "2#name"), (2, "4#name")] {
            let start = ListQuery.Start.offset(number * 5)
            try reader.read(ListQuery(shape: .flow(limit: 5), start: start), into: &page)
            #expect(page.id(ofRow: 0) == first)
        }
    }

    @Test("a limit below the rows of a model shows one model")
    func smallLimit() throws {
        let source = try source(2)
        let reader = try source.makeReader()
        var page = Page(list: "cats", schema: source.schema)
        try reader.read(ListQuery(shape: .flow(limit: 1)), into: &page)
        #expect((0..<page.rowCount).map { page.id(ofRow: $0) } == ["0#name", "0#body"])
    }

    @Test("one row is read alone by its id")
    func oneRow() throws {
        let source = try source(2)
        let reader = try source.makeReader()
        var page = Page(list: "cats", schema: source.schema)
        let found = try reader.readRow("1#body", grouping: nil, into: &page)
        #expect(found)
        #expect(page.rowCount == 1)
        #expect(page.kind(ofRow: 0) == "cat.body")
        #expect(page.value(row: 0, column: 0) == .text("4.5 kg"))
        for absent in ["1", "1#tail", "9#body"] {
            let found = try reader.readRow(absent, grouping: nil, into: &page)
            #expect(!found, "\(absent)")
        }
    }
}
