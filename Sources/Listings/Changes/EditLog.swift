/// Where a row stands: its section, and its label there.
struct RowPlace: Hashable, Sendable {
    let section: SectionID
    let label: OrderLabel
}

/// What was touched since a state of a data source, so that a change need not be searched for.
///
/// It remembers places, not steps: where a row stood first and where it stands last. However often a
/// row is touched it is one entry.
struct EditLog: Sendable {
    /// Names a state of a data source.
    struct Base: Hashable, Sendable {
        let epoch: UInt64
        let version: UInt64
    }

    /// What happened to a row.
    struct RowEdit: Sendable {
        /// Where it stood in the base; nil when it was not touched there.
        var old: RowPlace?
        /// Where it was put last; nil when it was taken out.
        var new: RowPlace?
        /// How its contents changed, if they did.
        var change: ContentChange?
    }

    /// What happened to a section.
    struct SectionEdit: Sendable {
        /// Whether its header, footer or index title changed.
        var isDescribedAnew = false
        /// Whether its rows cannot be told one by one: it was removed and came back, or its rows
        /// were hidden or shown.
        var hasOtherRows = false
    }

    /// The state the edits began from.
    let base: Base
    /// The most rows that are remembered; behind that a reload is smaller.
    let limit: Int
    private(set) var rows = SharedMap<String, RowEdit>()
    private(set) var sections = SharedMap<SectionID, SectionEdit>()
    /// Whether more happened than is remembered.
    private(set) var isReload = false

    init(base: Base, limit: Int) {
        self.base = base
        self.limit = limit
    }

    /// Whether nothing was touched.
    var isEmpty: Bool { rows.count == 0 && sections.count == 0 && !isReload }

    /// Gives up: everything is to be read again.
    mutating func reload() {
        isReload = true
        rows = SharedMap()
        sections = SharedMap()
    }

    /// Whether this many rows more can be remembered.
    func hasRoom(for count: Int) -> Bool { !isReload && rows.count + count <= limit }

    mutating func insertedRow(_ id: String, at place: RowPlace) {
        // Taken out before or not: what comes in may show something else.
        edit(id, old: nil) {
            $0.new = place
            $0.change = .reload
        }
    }

    mutating func removedRow(_ id: String, from place: RowPlace) {
        edit(id, old: place) { $0.new = nil }
    }

    mutating func movedRow(_ id: String, from old: RowPlace, to new: RowPlace) {
        edit(id, old: old) { $0.new = new }
    }

    mutating func changedRow(_ id: String, at place: RowPlace, _ change: ContentChange) {
        edit(id, old: place) {
            $0.new = place
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

    private mutating func edit(_ id: String, old: RowPlace?, _ change: (inout RowEdit) -> Void) {
        let known = rows[id]
        guard hasRoom(for: known == nil ? 1 : 0) else { return reload() }
        var edit = known ?? RowEdit(old: old)
        change(&edit)
        rows.set(edit, for: id)
    }
}

/// How a row's contents changed.
enum ContentChange: Int, Comparable, Sendable {
    /// The row's cells are to be set anew; the row itself stays.
    case reconfigure
    /// The row is to be made anew.
    case reload

    static func < (left: ContentChange, right: ContentChange) -> Bool {
        left.rawValue < right.rawValue
    }
}
