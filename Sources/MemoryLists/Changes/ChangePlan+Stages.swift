import ListDiff
import Listings

extension ChangePlan {
    /// Converts the plan to steps for a client.
    ///
    /// The order is: inserted and moved sections, rows, deleted sections, contents. One step holds
    /// all structural changes if nothing moves.
    func stages() throws(DataSourceError) -> [ChangeStage] {
        let changesSections = !vanished.isEmpty || !arrived.isEmpty || !moved.isEmpty
        let isOneStage = !changesSections || (moved.isEmpty && moves.isEmpty)
        var stages = isOneStage ? [try wholeStage()] : try separateStages()
        stages.append(contentStage())
        return stages.filter { !$0.isEmpty }
    }

    private func wholeStage() throws(DataSourceError) -> ChangeStage {
        var stage = ChangeStage()
        stage.deletedSections = vanished.map { (position(of: $0, in: old), $0) }.places
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
        leaving.deletedSections = vanished.map { (position($0), $0) }.places
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
        stage.changedHeaders = headers.map { (position(of: $0, in: new), $0) }.places
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
    fileprivate var places: [ChangeStage.SectionPlace] {
        map { ChangeStage.SectionPlace(at: $0.0, id: $0.1) }.sorted { $0.at < $1.at }
    }
}

extension Snapshot {
    /// Rows shown per section.
    ///
    /// - Complexity: O(sections).
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
