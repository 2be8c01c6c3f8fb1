import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport

struct ChangingItems {
    let source: DataSource
    let list: ListDefinition
    private let registration: Registration<Item>

    /// So many items on three shelves, one of which has no row.
    init(count: Int) throws {
        let controller = ItemController(refusedIDs: ["item2000"])
        var registry = ControllerRegistry()
        registration = try registry.register(controller)
        source = try DataSource(models: .numbered(count), using: registration)
        let schema = try ListSchema(
            columns: controller.columns,
            defaultGrouping: Grouping(column: 1),
            defaultSort: [SortKey(.column(0))]
        )
        list = ListDefinition("items", source: DataSourceList(source, schema: schema))
    }

    func change(_ step: Int, _ random: inout SeededGenerator) throws {
        let item = Item(
            id: "item\(1_000 + step)",
            title: "Title \(Int.random(in: 0..<9, using: &random))",
            shelf: "shelf \(Int.random(in: 0..<4, using: &random))"
        )
        let choice = Int.random(in: 0..<4, using: &random)
        let registration = registration
        try source.update { snapshot in
            let rows = try snapshot.rowIDs(in: "all")
            guard choice > 0, rows.count > 5,
                let id = rows.randomElement(using: &random)
            else {
                return try snapshot.append(Run([item], using: registration))
            }
            if choice == 1 { return try snapshot.remove([id]) }
            var changed = item
            changed.id = id
            try snapshot.update(changed, using: registration)
        }
    }
}
