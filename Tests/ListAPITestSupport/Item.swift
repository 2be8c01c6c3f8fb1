package import Listings
package import MemoryLists

/// A small model whose id and section may be any text.
package struct Item: Identifiable, Hashable, Sendable {
    package var id: String
    package var title: String?
    package var shelf: String?
    package var size: Int64?
    package var revision: Int64?

    package init(
        id: String,
        title: String? = nil,
        shelf: String? = nil,
        size: Int64? = nil,
        revision: Int64? = 1
    ) {
        self.id = id
        self.title = title
        self.shelf = shelf
        self.size = size
        self.revision = revision
    }
}

package struct ItemController: RowController {
    package struct Refusal: Error {}

    package let kind = "item.row"
    package let columns = [
        Column("title", priority: 1),
        Column("shelf", isGroupable: true),
        Column("size", type: .integer, isGroupable: true),
        Column("note", isSortable: false),
    ]
    /// The items that have no row.
    package var refusedIDs: Set<String>

    package init(refusedIDs: Set<String> = []) { self.refusedIDs = refusedIDs }

    package func write(_ context: Context<Item>, to cells: inout CellBuffer) throws {
        let item = context.model
        if refusedIDs.contains(item.id) { throw Refusal() }
        cells.append(item.title)
        cells.append(item.shelf)
        cells.append(item.size.map(CellValue.integer) ?? .null)
        cells.append("on \(item.shelf ?? "the floor")")
    }

    package func revision(of model: Item) -> Int64? { model.revision }
}

extension MemorySource<Item> {
    package static func items(
        _ items: [Item],
        list: String = "items",
        grouping: Grouping? = Grouping(column: 1),
        counter: UInt64 = 1,
        controller: ItemController = ItemController()
    ) throws -> MemorySource<Item> {
        var registry = ControllerRegistry()
        return try MemorySource(
            models: items,
            using: registry.register(controller),
            schema: ListSchema(columns: controller.columns, defaultGrouping: grouping),
            version: ListVersion(epoch: 7, counter: counter)
        )
    }
}

extension ListDefinition {
    package static func items(
        _ items: [Item],
        list: String = "items",
        grouping: Grouping? = Grouping(column: 1),
        counter: UInt64 = 1
    ) throws -> ListDefinition {
        let source = try MemorySource.items(
            items,
            list: list,
            grouping: grouping,
            counter: counter
        )
        return ListDefinition(list, source: source)
    }
}

extension [Item] {
    /// So many items on so many shelves, numbered from 1.
    package static func numbered(_ count: Int, shelves: Int = 3) -> [Item] {
        (1...count).map { number in
            Item(
                id: "item\(number)",
                title: "Title \(number % 7)",
                shelf: "shelf \(number % shelves)",
                size: Int64(number % 11)
            )
        }
    }
}
