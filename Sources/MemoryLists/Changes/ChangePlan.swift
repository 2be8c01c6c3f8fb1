import ListDiff
import Listings

/// The differences between two states, grouped by the kind of change.
///
/// The plan is made from the edits that led from one state to the other.
struct ChangePlan {
    /// A row and its position in one state, with the section's id.
    struct Row {
        let id: String
        let section: SectionID
        let row: Int
    }
    /// A row that moves.
    struct Move {
        let id: String
        let from: (section: SectionID, row: Int)
        let to: (section: SectionID, row: Int)
    }

    let old: Snapshot
    let new: Snapshot
    var vanished: Set<SectionID> = []
    var arrived: Set<SectionID> = []
    var moved: Set<SectionID> = []
    var deletes: [Row] = []
    var inserts: [Row] = []
    var moves: [Move] = []
    var reloads: [(row: Row, change: ContentChange)] = []
    var headers: Set<SectionID> = []
    /// Whether rows changed that are not shown.
    private(set) var hasHiddenEdits = false

    /// Groups the edits of a log.
    ///
    /// - Returns: nil when a reload is smaller.
    init?(old: Snapshot, new: Snapshot, log: EditLog) throws(DataSourceError) {
        self.old = old
        self.new = new
        guard !log.isReload,
            let fates = try RowOutcomes(old: old, new: new, log: log)
        else { return nil }
        hasHiddenEdits = fates.hasHiddenEdits
        sortSections(log)
        guard try sortRows(fates.fates.values), try brought(by: arrived) <= log.limit else {
            return nil
        }
        if isWide { try countRows() }
    }

    /// Whether some models have several rows.
    var isWide: Bool { max(old.sections.tally.width, new.sections.tally.width) > 1 }

    /// Whether nothing changed.
    var isEmpty: Bool {
        vanished.isEmpty && arrived.isEmpty && moved.isEmpty && headers.isEmpty
            && deletes.isEmpty && inserts.isEmpty && moves.isEmpty && reloads.isEmpty
            && !hasHiddenEdits
    }

    private mutating func sortSections(_ log: EditLog) {
        var hasOtherLabels = false
        log.sections.visit { id, edit in
            let (before, after) = (old.sectionLabels[id], new.sectionLabels[id])
            switch (before, after) {
            case (nil, nil): break
            case (nil, _?): arrived.insert(id)
            case (_?, nil): vanished.insert(id)
            case (let before?, let after?):
                if before != after { hasOtherLabels = true }
                if edit.isDescribedAnew { headers.insert(id) }
            }
        }
        guard hasOtherLabels else { return }
        let survivors = new.sectionIDs.filter { !arrived.contains($0) }
        let oldOrder = old.sectionIDs.filter { !vanished.contains($0) }
        var rank: [SectionID: Int] = [:]
        for (position, id) in oldOrder.enumerated() { rank[id] = position }
        let isKept = WeightedIncreasingSubsequence.find(
            ranks: survivors.compactMap { rank[$0] },
            weights: Array(repeating: 1, count: survivors.count)
        )
        for (position, id) in survivors.enumerated() where !isKept[position] { moved.insert(id) }
    }

    /// - Returns: false when the numbers of rows contradict each other.
    private mutating func sortRows(
        _ fates: some Collection<RowOutcomes.Fate>
    ) throws(DataSourceError) -> Bool {
        var candidates: [SectionID: [SectionMoves.Candidate]] = [:]
        var gone: [SectionID: [Int]] = [:]
        var entered: [SectionID: [Int]] = [:]
        for fate in fates {
            switch (fate.old, fate.new) {
            case (nil, nil): continue
            case (let before?, nil):
                gone[before.section, default: []].append(before.row)
                guard !vanished.contains(before.section) else { continue }
                deletes.append(Row(id: fate.id, section: before.section, row: before.row))
            case (nil, let after?):
                entered[after.section, default: []].append(after.row)
                guard !arrived.contains(after.section) else { continue }
                inserts.append(Row(id: fate.id, section: after.section, row: after.row))
            case (let before?, let after?):
                // The stages of the two sections report such a row.
                if vanished.contains(before.section), arrived.contains(after.section) { continue }
                if isWide, try !old.hasSameRows(before, as: after, in: new) { return false }
                if let change = fate.change {
                    let row = Row(id: fate.id, section: after.section, row: after.row)
                    reloads.append((row, change))
                }
                if before.section != after.section {
                    gone[before.section, default: []].append(before.row)
                    entered[after.section, default: []].append(after.row)
                    moves.append(
                        Move(
                            id: fate.id,
                            from: (before.section, before.row),
                            to: (after.section, after.row)
                        )
                    )
                } else if before.label != after.label {
                    candidates[before.section, default: []].append(
                        SectionMoves.Candidate(old: before.row, new: after.row)
                    )
                }
            }
        }
        for (section, candidates) in candidates {
            let (gone, entered) = (gone[section] ?? [], entered[section] ?? [])
            guard try addMoves(candidates, section, gone, entered) else { return false }
        }
        return true
    }

    private mutating func addMoves(
        _ candidates: [SectionMoves.Candidate],
        _ section: SectionID,
        _ gone: [Int],
        _ entered: [Int]
    ) throws(DataSourceError) -> Bool {
        let after = try new.position(of: section)
        let rows = try old.node(at: old.position(of: section)).rows
        let weigh: ((Range<Int>) -> Int)? = isWide ? { rows.rowCount($0) } : nil
        let order = SectionMoves(
            candidates,
            gone: gone,
            arrived: entered,
            oldCount: try old.rowCount(inSection: old.position(of: section)),
            newCount: try new.rowCount(inSection: after),
            weigh: weigh
        )
        guard let order else { return false }
        for move in order.moves() {
            let path = IndexPath(section: after, row: move.new)
            let id = try new.id(at: path)
            moves.append(Move(id: id, from: (section, move.old), to: (section, move.new)))
        }
        return true
    }

    /// The number of rows in inserted sections.
    private func brought(by sections: Set<SectionID>) throws(DataSourceError) -> Int {
        var count = 0
        for id in sections { count += try new.rowCount(inSection: new.position(of: id)) }
        return count
    }
}
