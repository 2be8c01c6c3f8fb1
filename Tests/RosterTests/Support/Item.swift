import Listings
import MemoryLists

/// A small model whose id and section may be any text.
struct Item: Identifiable, Hashable, Sendable {
    var id: String
    var title: String?
    var shelf: String?
    var size: Int64?
    var revision: Int64? = 1
}

struct ItemController: RowController {
    struct Refusal: Error {}

    let kind = "item.row"
    let columns = [
        Column("title", priority: 1),
        Column("shelf", isGroupable: true),
        Column("size", type: .integer, isGroupable: true),
        Column("note", isSortable: false),
    ]
    /// The items that have no row.
    var refusedIDs: Set<String> = []

    func write(_ context: Context<Item>, to cells: inout CellBuffer) throws {
        let item = context.model
        if refusedIDs.contains(item.id) { throw Refusal() }
        cells.append(item.title)
        cells.append(item.shelf)
        cells.append(item.size.map(CellValue.integer) ?? .null)
        cells.append("on \(item.shelf ?? "the floor")")
    }

    func revision(of model: Item) -> Int64? { model.revision }
}

extension MemorySource<Item> {
    /// A list of items in sections by shelf.
    static func items(
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
    /// A list of items in sections by shelf.
    static func items(
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
    static func numbered(_ count: Int, shelves: Int = 3) -> [Item] {
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
