import Listings
import MemoryLists
import TestSupport

/// A small model whose contents change without its id.
struct Item: Identifiable, Hashable, Sendable {
    let id: Int
    var text = "a"
}

struct ItemController: RowController {
    var kind = "item.row"
    let columns = [Column("text"), Column("rest", type: .integer, isGroupable: true)]

    func write(_ context: Context<Item>, to cells: inout CellBuffer) {
        cells.append(context.model.text)
        cells.append(Int64(context.model.id % 3))
    }

    func revision(of model: Item) -> Int64? { nil }
}

struct ItemParts: ExpandingController {
    let parts = ["head", "body", "tail"].map { RowPart($0, kind: "item.\($0)") }
    let columns = ItemController().columns

    func write(part: Int, of context: Context<Item>, to cells: inout CellBuffer) {
        cells.append("\(part)" + context.model.text)
        cells.append(Int64(context.model.id % 3))
    }

    func revision(of model: Item) -> Int64? { nil }
}

struct Group: Identifiable, Hashable, Sendable {
    let id: String
    var title = ""
}

struct GroupController: RowController {
    let kind = "group.row"
    let columns = [Column("text")]

    func write(_ context: Context<Group>, to cells: inout CellBuffer) {
        cells.append(context.model.title)
    }

    func revision(of model: Group) -> Int64? { nil }
}

struct Registrations {
    let items: Registration<Item>
    let groups: Registration<Group>
    let parts: Registration<Item>
    /// Whether every third item has three rows.
    let isWide: Bool

    init(isWide: Bool = false) throws {
        var registry = ControllerRegistry()
        items = try registry.register(ItemController())
        groups = try registry.register(GroupController())
        var others = ControllerRegistry()
        parts = try others.register(ItemParts())
        self.isWide = isWide
    }

    private func hasParts(_ id: Int) -> Bool { isWide && id.isMultiple(of: 3) }

    func registration(of item: Item) -> Registration<Item> { hasParts(item.id) ? parts : items }

    /// Runs of items that are shown alike and follow each other.
    func runs(_ items: [Item]) -> [Run] {
        var groups: [[Item]] = []
        for item in items {
            if let last = groups.last?.last, hasParts(last.id) == hasParts(item.id) {
                groups[groups.count - 1].append(item)
            } else {
                groups.append([item])
            }
        }
        return groups.map { Run($0, using: registration(of: $0[0])) }
    }

    func rows(_ id: String) -> [String] {
        Int(id).map(hasParts) == true ? parts.parts.map { "\(id)#\($0.name)" } : [id]
    }

    func shown(_ snapshot: Snapshot) throws -> [ChangeRules.Section] {
        try snapshot.shown.map { ChangeRules.Section(id: $0.id, rows: $0.rows.flatMap(rows)) }
    }

    func run(_ ids: [Int], text: String = "a") -> Run {
        Run(ids.map { Item(id: $0, text: text) }, using: items)
    }

    func run(_ ids: ClosedRange<Int>) -> Run { run(Array(ids)) }

    func groups(_ ids: String...) -> Run { Run(ids.map { Group(id: $0) }, using: groups) }
}

extension Snapshot {
    /// The ids of all rows, hidden or not, section by section.
    var outline: [[String]] {
        get throws {
            try sectionIDs.map { try rowIDs(in: $0) }
        }
    }

    var shown: [ChangeRules.Section] {
        get throws {
            try sectionIDs.map { id in
                let rows = try section(id).isCollapsed ? [] : rowIDs(in: id)
                return ChangeRules.Section(id: id, rows: rows)
            }
        }
    }
}
