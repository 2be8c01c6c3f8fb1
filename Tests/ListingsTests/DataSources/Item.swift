import Listings

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

/// Another type of model that stands in the same lists.
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

/// The registrations of a test's list.
struct Registered {
    let items: Registration<Item>
    let groups: Registration<Group>

    init() throws {
        var registry = ControllerRegistry()
        items = try registry.register(ItemController())
        groups = try registry.register(GroupController())
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

    /// The sections and the ids of the rows they show.
    var shown: [ChangeRules.Section] {
        get throws {
            try sectionIDs.map { id in
                let rows = try section(id).isCollapsed ? [] : rowIDs(in: id)
                return ChangeRules.Section(id: id, rows: rows)
            }
        }
    }
}
