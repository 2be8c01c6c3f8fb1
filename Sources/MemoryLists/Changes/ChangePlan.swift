import ListDiff
import Listings

/// The differences between two states, grouped by the kind of change.
///
/// The plan is made from the edits that led from one state to the other.
struct ChangePlan {
    struct Row {
        let id: String
        let section: SectionID
        let row: Int
    }
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
    private(set) var hasHiddenEdits = false

    /// Nil when a reload is smaller.
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

    var isWide: Bool { max(old.sections.tally.width, new.sections.tally.width) > 1 }

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

    /// False when the numbers of rows contradict each other.
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

    private func brought(by sections: Set<SectionID>) throws(DataSourceError) -> Int {
        var count = 0
        for id in sections { count += try new.rowCount(inSection: new.position(of: id)) }
        return count
    }
}

extension ChangePlan {
    /// Replaces models by their rows.
    ///
    /// Both states give the positions.
    mutating func countRows() throws(DataSourceError) {
        deletes = try rows(of: deletes, in: old)
        inserts = try rows(of: inserts, in: new)
        var reloads: [(row: Row, change: ContentChange)] = []
        for (row, change) in self.reloads {
            for part in try rows(of: [row], in: new) { reloads.append((part, change)) }
        }
        self.reloads = reloads
        var moves: [Move] = []
        for move in self.moves {
            let from = Row(id: move.id, section: move.from.section, row: move.from.row)
            let to = Row(id: move.id, section: move.to.section, row: move.to.row)
            for (from, to) in zip(try rows(of: [from], in: old), try rows(of: [to], in: new)) {
                let move = Move(
                    id: to.id,
                    from: (from.section, from.row),
                    to: (to.section, to.row)
                )
                moves.append(move)
            }
        }
        self.moves = moves
    }

    private func rows(of models: [Row], in state: Snapshot) throws(DataSourceError) -> [Row] {
        var rows: [Row] = []
        for model in models {
            let rope = try state.node(at: state.position(of: model.section)).rows
            let first = rope.rowCount(0..<model.row)
            for (part, id) in rope.rowIDs(of: model.id, at: model.row).enumerated() {
                rows.append(Row(id: id, section: model.section, row: first + part))
            }
        }
        return rows
    }
}

extension Snapshot {
    /// Compares the part names of the models.
    func hasSameRows(
        _ location: RowOutcomes.Location,
        as other: RowOutcomes.Location,
        in state: Snapshot
    ) throws(DataSourceError) -> Bool {
        let own = try node(at: position(of: location.section)).rows.locate(location.row)
        let others = try state.node(at: state.position(of: other.section)).rows.locate(other.row)
        return own?.piece.storage.partNames == others?.piece.storage.partNames
    }

    func shownRowIDs(in id: SectionID) throws(DataSourceError) -> [String] {
        let node = try node(at: position(of: id))
        guard !node.info.isCollapsed else { return [] }
        let models = try ids(at: 0..<node.rows.count, of: node)
        guard node.tally.width > 1 else { return models }
        return models.enumerated().flatMap { node.rows.rowIDs(of: $1, at: $0) }
    }
}

extension RowRope {
    /// O(log n).
    func rowCount(_ models: Range<Int>) -> Int {
        rowCount(before: models.upperBound) - rowCount(before: models.lowerBound)
    }

    private func rowCount(before model: Int) -> Int {
        guard let found = pieces.first(where: { $0.models + $1.count > model }) else {
            return pieces.tally.parts
        }
        let (before, piece) = found
        return before.parts + (model - before.models) * piece.storage.rowsPerModel
    }

    fileprivate func rowIDs(of id: String, at model: Int) -> [String] {
        let names = locate(model)?.piece.storage.partNames ?? []
        return names.isEmpty ? [id] : names.map { id + "#" + $0 }
    }
}

extension ChangePlan {
    /// The order is: inserted and moved sections, rows, deleted sections, contents.
    ///
    /// One step holds all structural changes if nothing moves.
    func stages() throws(DataSourceError) -> [ChangeStage] {
        let changesSections = !vanished.isEmpty || !arrived.isEmpty || !moved.isEmpty
        let isOneStage = !changesSections || (moved.isEmpty && moves.isEmpty)
        var stages = isOneStage ? [try wholeStage()] : try separateStages()
        stages.append(contentStage())
        return stages.filter { !$0.isEmpty }
    }

    private func wholeStage() throws(DataSourceError) -> ChangeStage {
        var stage = ChangeStage()
        stage.deletedSections = vanished.map { (position(of: $0, in: old), $0) }.locations
        stage.insertedSections = try insertedSections(at: position(in: new), without: [])
        setRows(&stage, before: position(in: old), after: position(in: new))
        stage.counts = new.rowCounts
        return stage
    }

    private func separateStages() throws(DataSourceError) -> [ChangeStage] {
        let between = sectionsBetween()
        var positions: [SectionID: Int] = [:]
        for (position, id) in between.enumerated() { positions[id] = position }
        let position = { (id: SectionID) in
            guard let position = positions[id] else {
                preconditionFailure("section \(id) of the plan is in neither state")
            }
            return position
        }

        var arriving = ChangeStage()
        arriving.movedSections = moved.map {
            ChangeStage.MovedSection(from: self.position(of: $0, in: old), to: position($0), id: $0)
        }
        .sorted { $0.to < $1.to }
        arriving.insertedSections = try insertedSections(
            at: position,
            without: Set(moves.map(\.id))
        )
        let brought = Dictionary(
            uniqueKeysWithValues: arriving.insertedSections.map { ($0.id, $0.rows.count) }
        )
        arriving.counts = between.map { brought[$0] ?? count(of: $0, in: old) }

        var rows = ChangeStage()
        setRows(&rows, before: position, after: position)
        var movedOut: [SectionID: Int] = [:]
        for move in moves { movedOut[move.from.section, default: 0] += 1 }
        rows.counts = between.map { id in
            vanished.contains(id)
                ? count(of: id, in: old) - (movedOut[id] ?? 0) : count(of: id, in: new)
        }

        var leaving = ChangeStage()
        leaving.deletedSections = vanished.map { (position($0), $0) }.locations
        leaving.counts = new.rowCounts
        return [arriving, rows, leaving]
    }

    private func contentStage() -> ChangeStage {
        var stage = ChangeStage()
        stage.reloadedRows = reloads.map { row, change in
            ChangeStage.ReloadedRow(
                at: IndexPath(section: position(of: row.section, in: new), row: row.row),
                id: row.id,
                isReconfigured: change == .reconfigure
            )
        }
        .sorted { $0.at < $1.at }
        stage.changedHeaders = headers.map { (position(of: $0, in: new), $0) }.locations
        stage.counts = new.rowCounts
        return stage
    }

    /// The sections after the first step, in their new order.
    ///
    /// Each vanished section follows the section that it followed before.
    private func sectionsBetween() -> [SectionID] {
        var followers: [SectionID?: [SectionID]] = [:]
        var anchor: SectionID?
        for id in old.sectionIDs {
            if vanished.contains(id) {
                followers[anchor, default: []].append(id)
            } else if !moved.contains(id) {
                anchor = id
            }
        }
        return (followers[nil] ?? []) + new.sectionIDs.flatMap { [$0] + (followers[$0] ?? []) }
    }

    private func insertedSections(
        at position: (SectionID) -> Int,
        without movedRows: Set<String>
    ) throws(DataSourceError) -> [ChangeStage.InsertedSection] {
        var sections: [ChangeStage.InsertedSection] = []
        for id in arrived {
            let rows = try new.shownRowIDs(in: id)
            sections.append(
                ChangeStage.InsertedSection(
                    at: position(id),
                    id: id,
                    rows: movedRows.isEmpty ? rows : rows.filter { !movedRows.contains($0) }
                )
            )
        }
        return sections.sorted { $0.at < $1.at }
    }

    private func setRows(
        _ stage: inout ChangeStage,
        before: (SectionID) -> Int,
        after: (SectionID) -> Int
    ) {
        func rows(_ rows: [Row], _ position: (SectionID) -> Int) -> [ChangeStage.RowPosition] {
            rows.map {
                let path = IndexPath(section: position($0.section), row: $0.row)
                return ChangeStage.RowPosition(at: path, id: $0.id)
            }
            .sorted { $0.at < $1.at }
        }
        stage.deletedRows = rows(deletes, before)
        stage.insertedRows = rows(inserts, after)
        stage.movedRows = moves.map { move in
            ChangeStage.MovedRow(
                from: IndexPath(section: before(move.from.section), row: move.from.row),
                to: IndexPath(section: after(move.to.section), row: move.to.row),
                id: move.id
            )
        }
        .sorted { $0.to < $1.to }
    }

    private func position(of id: SectionID, in snapshot: Snapshot) -> Int {
        guard let position = snapshot.sectionIndex(of: id) else {
            preconditionFailure("section \(id) of the plan is in neither state")
        }
        return position
    }

    private func position(in snapshot: Snapshot) -> (SectionID) -> Int {
        { position(of: $0, in: snapshot) }
    }

    private func count(of id: SectionID, in snapshot: Snapshot) -> Int {
        guard let label = snapshot.sectionLabels[id],
            let node = snapshot.sections.first(where: { $1.label >= label })?.element
        else { preconditionFailure("section \(id) of the plan is in neither state") }
        return node.tally.shownParts
    }
}

extension Array where Element == (Int, SectionID) {
    fileprivate var locations: [ChangeStage.SectionPlace] {
        map { ChangeStage.SectionPlace(at: $0.0, id: $0.1) }.sorted { $0.at < $1.at }
    }
}

extension Snapshot {
    /// O(sections).
    var rowCounts: [Int] {
        var counts: [Int] = []
        counts.reserveCapacity(sectionCount)
        sections.visit { _, node in
            counts.append(node.tally.shownParts)
            return true
        }
        return counts
    }
}
