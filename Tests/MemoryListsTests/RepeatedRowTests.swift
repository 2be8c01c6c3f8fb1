import Listings
import MemoryLists
import Testing

extension DataSourceListTests {
    /// Sources of which a page would have two rows with one id.
    private func sourcesWithRepeatedRows() throws -> [DataSource] {
        var registry = ControllerRegistry()
        let heads = try registry.register(HeadController())
        return [
            // Nobody compared the ids of so long a run.
            DataSource(
                try Snapshot([Section("a", registered.run([1, 2, 1]))], checkedRunLength: 2)
            ),
            // The part of a model, and a model that is called so.
            try DataSource(sections: [
                Section("a", Run([Item(id: 1)], using: heads)),
                Section("b", registered.groups("1#head")),
            ]),
        ]
    }

    @Test("a page with two rows of one id is refused, in the list's own order and in any other")
    func repeatedRows() throws {
        for dataSource in try sourcesWithRepeatedRows() {
            let list = try list(dataSource)
            for sort in [[], [SortKey(.column(0))]] {
                var query = query(5)
                query.sort = sort
                do {
                    _ = try read(list, query)
                    Issue.record("two rows of one id were shown")
                } catch {
                    guard case .duplicateRow = error as? SourceError else {
                        Issue.record("\(error)")
                        continue
                    }
                }
            }
        }
    }
}

/// Shows an item in one row, which is a part of it.
private struct HeadController: ExpandingController {
    let parts = [RowPart("head", kind: "item.head")]
    let columns = ItemController().columns

    func write(part: Int, of context: Context<Item>, to cells: inout CellBuffer) {
        cells.append(context.model.text)
        cells.append(Int64(0))
    }

    func revision(of model: Item) -> Int64? { nil }
}
