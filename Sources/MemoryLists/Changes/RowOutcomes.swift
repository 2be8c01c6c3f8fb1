import Listings

/// The old and new positions of the rows that an update touched.
///
/// Only shown rows have a position. A row of a collapsed section counts as absent.
struct RowOutcomes {
    struct Location {
        let section: SectionID
        let label: OrderLabel
        let row: Int
    }

    struct Fate {
        let id: String
        var old: Location?
        var new: Location?
        var change: ContentChange?
    }

    private(set) var fates: [String: Fate] = [:]
    private(set) var hasHiddenEdits = false

    private let old: Snapshot
    private let new: Snapshot

    /// Collects the rows of a log, and all rows of sections whose rows the log does not list.
    ///
    /// Nil when there are more rows than the limit of the log.
    init?(old: Snapshot, new: Snapshot, log: EditLog) throws(DataSourceError) {
        self.old = old
        self.new = new
        try log.rows.visit { (id, edit) throws(DataSourceError) in try add(id, edit) }
        var isTooMuch = false
        try log.sections.visit { (id, edit) throws(DataSourceError) in
            guard edit.hasOtherRows, !isTooMuch, let before = old.sectionIndex(of: id),
                let after = new.sectionIndex(of: id)
            else { return }
            let sections = (try old.node(at: before), try new.node(at: after))
            guard sections.0.tally.rows + sections.1.tally.rows + fates.count <= log.limit else {
                isTooMuch = true
                return
            }
            try add(rowsOf: sections.0, to: \.old)
            try add(rowsOf: sections.1, to: \.new)
        }
        if isTooMuch { return nil }
    }

    private mutating func add(
        _ id: String,
        _ edit: EditLog.RowEdit
    ) throws(DataSourceError) {
        let before = try location(of: id, remembered: edit.old, in: old)
        let after = try location(of: id, remembered: edit.new, in: new)
        if before?.isHidden == true || after?.isHidden == true { hasHiddenEdits = true }
        fates[id] = Fate(
            id: id,
            old: before.flatMap { $0.isHidden ? nil : $0.location },
            new: after.flatMap { $0.isHidden ? nil : $0.location },
            change: edit.change
        )
    }

    private func location(
        of id: String,
        remembered: RowLocation?,
        in snapshot: Snapshot
    ) throws(DataSourceError) -> (location: Location, isHidden: Bool)? {
        let known = snapshot.rowLocations[id]
        guard let location = known ?? remembered, let path = snapshot.path(of: location) else {
            return nil
        }
        // The index is current, but another row may have a logged position now.
        if known == nil, try snapshot.id(at: path) != id { return nil }
        let isHidden = try snapshot.section(at: path.section).isCollapsed
        return (Location(section: location.section, label: location.label, row: path.row), isHidden)
    }

    private mutating func add(
        rowsOf node: SectionNode,
        to side: WritableKeyPath<Fate, Location?>
    ) throws(DataSourceError) {
        if node.info.isCollapsed {
            hasHiddenEdits = hasHiddenEdits || node.rows.count > 0
            return
        }
        var found: [(id: String, label: OrderLabel)] = []
        for piece in node.rows.pieces(in: 0..<node.rows.count) {
            do throws(SourceError) {
                for (offset, id) in try piece.storage.ids(piece.range).enumerated() {
                    found.append((id, piece.label(at: offset)))
                }
            } catch { throw .unreadable(error) }
        }
        for (row, (id, label)) in found.enumerated() {
            // The row may come from, or have moved to, a section whose rows are not logged.
            if fates[id] == nil { try add(id, EditLog.RowEdit(change: .reload)) }
            fates[id]?[keyPath: side] = Location(section: node.info.id, label: label, row: row)
        }
    }
}
