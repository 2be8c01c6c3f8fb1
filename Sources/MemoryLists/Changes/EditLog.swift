import Listings

/// The position of a row: its section, and its label there.
struct RowLocation: Hashable, Sendable {
    let section: SectionID
    let label: OrderLabel
}

/// The edits since a state of a data source, so that changes need no comparison of states.
///
/// The log stores positions, not steps: the first and the last position of a row. A row has one
/// entry, however often it is edited.
struct EditLog: Sendable {
    struct Base: Hashable, Sendable {
        let epoch: UInt64
        let version: UInt64
    }

    struct RowEdit: Sendable {
        /// Nil when the row was not in the base.
        var old: RowLocation?
        /// Nil when the row was removed.
        var new: RowLocation?
        var change: ContentChange?
    }

    struct SectionEdit: Sendable {
        var isDescribedAnew = false
        /// Whether single rows cannot be reported, because the section was collapsed, expanded, or
        /// removed and inserted again.
        var hasOtherRows = false
    }

    let base: Base
    /// The maximum number of logged rows, because a reload is smaller than more.
    let limit: Int
    private(set) var rows = PersistentDictionary<String, RowEdit>()
    private(set) var sections = PersistentDictionary<SectionID, SectionEdit>()
    private(set) var isReload = false

    init(base: Base, limit: Int) {
        self.base = base
        self.limit = limit
    }

    var isEmpty: Bool { rows.count == 0 && sections.count == 0 && !isReload }

    /// Discards the entries, so that clients read everything again.
    mutating func reload() {
        isReload = true
        rows = PersistentDictionary()
        sections = PersistentDictionary()
    }

    func hasRoom(for count: Int) -> Bool { !isReload && rows.count + count <= limit }

    mutating func insertedRow(_ id: String, at location: RowLocation) {
        // An inserted row may show something else than a removed row with the same id.
        edit(id, old: nil) {
            $0.new = location
            $0.change = .reload
        }
    }

    mutating func removedRow(_ id: String, from location: RowLocation) {
        edit(id, old: location) { $0.new = nil }
    }

    mutating func movedRow(_ id: String, from old: RowLocation, to new: RowLocation) {
        edit(id, old: old) { $0.new = new }
    }

    mutating func changedRow(_ id: String, at location: RowLocation, _ change: ContentChange) {
        edit(id, old: location) {
            $0.new = location
            $0.change = max($0.change ?? change, change)
        }
    }

    mutating func touchedSection(_ id: SectionID, _ change: (inout SectionEdit) -> Void = { _ in })
    {
        guard !isReload else { return }
        var edit = sections[id] ?? SectionEdit()
        change(&edit)
        sections.set(edit, for: id)
    }

    private mutating func edit(_ id: String, old: RowLocation?, _ change: (inout RowEdit) -> Void) {
        let known = rows[id]
        guard hasRoom(for: known == nil ? 1 : 0) else { return reload() }
        var edit = known ?? RowEdit(old: old)
        change(&edit)
        rows.set(edit, for: id)
    }
}

enum ContentChange: Int, Comparable, Sendable {
    case reconfigure
    case reload

    static func < (left: ContentChange, right: ContentChange) -> Bool {
        left.rawValue < right.rawValue
    }
}
