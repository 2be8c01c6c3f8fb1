import Listings

/// The differences between two states as numbers.
///
/// Rows are counted through all sections.
///
/// The plan reuses its memory.
struct DifferencePlan {
    struct Row {
        let section: Int32
        let row: Int32

        init(section: Int, row: Int) {
            self.section = Int32(truncatingIfNeeded: section)
            self.row = Int32(truncatingIfNeeded: row)
        }
    }
    struct Move {
        let from: Row
        let to: Row
    }

    /// The position of a section during the row steps and in its own state.
    struct Location {
        var section: Int
        /// Counted through all sections.
        let start: Int

        func path(_ row: Row) -> IndexPath {
            IndexPath(section: section, row: Int(row.row) - start)
        }
    }

    /// Below 0 when the section is deleted.
    var newSections: [Int32] = []
    /// Below 0 when the section is inserted.
    var oldSections: [Int32] = []
    var isMoved: [Bool] = []
    /// The rows deleted from sections that stay, ascending by new section.
    var deletes: [Row] = []
    /// The rows inserted into sections that stay, ascending.
    ///
    /// All following lists are ascending too.
    var inserts: [Row] = []
    /// Sorted by their targets.
    var moves: [Move] = []
    /// Sorted by their new positions.
    var reloads: [Row] = []
    /// Sections that stay, by their new positions.
    var headers: [Int32] = []
    var broughtRows = 0
    /// Inserted, deleted and moved sections.
    var changedSections = 0
    /// The positions of the sections of both states during the steps.
    var oldPlaces: [Location] = []
    var newPlaces: [Location] = []

    mutating func removeAll() {
        newSections.removeAll(keepingCapacity: true)
        oldSections.removeAll(keepingCapacity: true)
        isMoved.removeAll(keepingCapacity: true)
        deletes.removeAll(keepingCapacity: true)
        inserts.removeAll(keepingCapacity: true)
        moves.removeAll(keepingCapacity: true)
        reloads.removeAll(keepingCapacity: true)
        headers.removeAll(keepingCapacity: true)
        broughtRows = 0
        changedSections = 0
    }

    mutating func move(_ run: MatchedRun, from: Int, to: Int) {
        for offset in 0..<Int(run.count) {
            let from = Row(section: from, row: Int(run.old) + offset)
            moves.append(Move(from: from, to: Row(section: to, row: Int(run.new) + offset)))
        }
    }

    mutating func reload(_ row: Int, _ section: Int) {
        reloads.append(Row(section: section, row: row))
    }

    var changeCount: Int {
        deletes.count + inserts.count + moves.count + reloads.count + headers.count + broughtRows
            + changedSections
    }

    /// Ascending.
    func rowsToSend(_ new: ListDigest) -> [Int] {
        var rows: [Int] = []
        rows.reserveCapacity(inserts.count + reloads.count + broughtRows)
        var (insert, reload, move) = (0, 0, 0)
        for section in oldSections.indices {
            guard oldSections[section] >= 0 else {
                visitBroughtRows(of: section, new, from: &move) { row in
                    appendReloads(from: &reload, before: row, to: &rows)
                    rows.append(row)
                }
                continue
            }
            while insert < inserts.count, inserts[insert].section == section {
                let row = Int(inserts[insert].row)
                appendReloads(from: &reload, before: row, to: &rows)
                rows.append(row)
                insert += 1
            }
        }
        appendReloads(from: &reload, before: .max, to: &rows)
        return rows
    }

    private func appendReloads(from first: inout Int, before row: Int, to rows: inout [Int]) {
        while first < reloads.count, reloads[first].row < row {
            rows.append(Int(reloads[first].row))
            first += 1
        }
    }

    /// Ascending.
    var sectionsToSend: [Int] {
        var sections: [Int] = []
        var header = 0
        for section in oldSections.indices {
            let isDescribedAnew = header < headers.count && headers[header] == section
            if isDescribedAnew { header += 1 }
            if isDescribedAnew || oldSections[section] < 0 { sections.append(section) }
        }
        return sections
    }

    /// Visits the rows of an inserted section, except those that move into it.
    ///
    /// `move` is the first move that may lead into the section, and advances from section to
    /// section. Rows are counted through all sections.
    func visitBroughtRows(
        of section: Int,
        _ new: ListDigest,
        from move: inout Int,
        _ body: (Int) -> Void
    ) {
        while move < moves.count, moves[move].to.section < section { move += 1 }
        for row in new.rows(ofSection: section) {
            if move < moves.count, moves[move].to.row == row {
                move += 1
            } else {
                body(row)
            }
        }
    }
}

extension DifferencePlan {
    struct States {
        let old: ListDigest
        let oldNames: any DigestNames
        let new: ListDigest
        let newNames: any DigestNames
    }

    /// The order is: inserted and moved sections, rows, deleted sections, contents.
    ///
    /// One step holds all structural changes if nothing moves. Only the result is allocated as long
    /// as sections stay.
    mutating func stages(_ states: States) -> [ChangeStage] {
        guard changeCount > 0 else { return [] }
        oldPlaces.setPlaces(in: states.old)
        newPlaces.setPlaces(in: states.new)
        let contents = contentStage(states)
        var stages: [ChangeStage] = []
        stages.reserveCapacity(4)
        if isMoved.contains(true) || (!moves.isEmpty && changedSections > 0) {
            for stage in separateStages(states) where !stage.isEmpty { stages.append(stage) }
        } else {
            var stage = rowStage(states)
            stage.deletedSections = deletedSections(states)
            stage.insertedSections = insertedSections(states)
            stage.counts = states.new.rowCounts
            if !stage.isEmpty { stages.append(stage) }
        }
        if !contents.isEmpty { stages.append(contents) }
        return stages
    }

    private mutating func separateStages(_ states: States) -> [ChangeStage] {
        let between = sectionsBetween()
        for (location, section) in between.enumerated() {
            if section.old >= 0 { oldPlaces[section.old].section = location }
            if section.new >= 0 { newPlaces[section.new].section = location }
        }
        let oldCounts = states.old.rowCounts
        let newCounts = states.new.rowCounts

        var arriving = ChangeStage()
        arriving.insertedSections = insertedSections(states)
        for section in oldSections.indices where isMoved[section] {
            arriving.movedSections.append(
                ChangeStage.MovedSection(
                    from: Int(oldSections[section]),
                    to: newPlaces[section].section,
                    id: states.newNames.sectionID(at: section)
                )
            )
        }
        arriving.counts = between.map { $0.old >= 0 ? oldCounts[$0.old] : 0 }
        for section in arriving.insertedSections {
            arriving.counts[section.at] = section.rows.count
        }

        var rows = rowStage(states)
        rows.counts = between.map { $0.new >= 0 ? newCounts[$0.new] : oldCounts[$0.old] }
        for move in moves where newSections[Int(move.from.section)] < 0 {
            rows.counts[oldPlaces[Int(move.from.section)].section] -= 1
        }

        var leaving = ChangeStage()
        leaving.deletedSections = deletedSections(states)
        leaving.counts = newCounts
        return [arriving, rows, leaving]
    }

    /// The sections after the first step, in their new order.
    ///
    /// Each vanished section follows the section that it followed before.
    private func sectionsBetween() -> [(old: Int, new: Int)] {
        var between: [(old: Int, new: Int)] = []
        between.reserveCapacity(oldSections.count + newSections.count)
        func appendVanishing(from first: Int) {
            var section = first
            // Moved sections are skipped, because the sections after them stay.
            while section < newSections.count {
                let partner = Int(newSections[section])
                if partner < 0 {
                    between.append((section, -1))
                } else if !isMoved[partner] {
                    return
                }
                section += 1
            }
        }
        appendVanishing(from: 0)
        for section in oldSections.indices {
            let partner = Int(oldSections[section])
            between.append((partner, section))
            if partner >= 0, !isMoved[section] { appendVanishing(from: partner + 1) }
        }
        return between
    }

    private func deletedSections(_ states: States) -> [ChangeStage.SectionPlace] {
        var locations: [ChangeStage.SectionPlace] = []
        for section in newSections.indices where newSections[section] < 0 {
            locations.append(
                ChangeStage.SectionPlace(
                    at: oldPlaces[section].section,
                    id: states.oldNames.sectionID(at: section)
                )
            )
        }
        return locations
    }

    /// Omits rows that move into the sections.
    private func insertedSections(_ states: States) -> [ChangeStage.InsertedSection] {
        var sections: [ChangeStage.InsertedSection] = []
        var move = 0
        for section in oldSections.indices where oldSections[section] < 0 {
            var rows: [String] = []
            visitBroughtRows(of: section, states.new, from: &move) {
                rows.append(states.newNames.rowID(at: $0))
            }
            sections.append(
                ChangeStage.InsertedSection(
                    at: newPlaces[section].section,
                    id: states.newNames.sectionID(at: section),
                    rows: rows
                )
            )
        }
        return sections
    }

    private func rowStage(_ states: States) -> ChangeStage {
        var stage = ChangeStage()
        stage.deletedRows.append(addingCapacity: deletes.count) { output in
            for row in deletes {
                let at = oldPlaces[Int(row.section)].path(row)
                let id = states.oldNames.rowID(at: Int(row.row))
                output.append(ChangeStage.RowPosition(at: at, id: id))
            }
        }
        stage.insertedRows.append(addingCapacity: inserts.count) { output in
            for row in inserts {
                let at = newPlaces[Int(row.section)].path(row)
                let id = states.newNames.rowID(at: Int(row.row))
                output.append(ChangeStage.RowPosition(at: at, id: id))
            }
        }
        stage.movedRows.append(addingCapacity: moves.count) { output in
            for move in moves {
                output.append(
                    ChangeStage.MovedRow(
                        from: oldPlaces[Int(move.from.section)].path(move.from),
                        to: newPlaces[Int(move.to.section)].path(move.to),
                        id: states.newNames.rowID(at: Int(move.to.row))
                    )
                )
            }
        }
        return stage
    }

    /// By positions in the new state.
    private func contentStage(_ states: States) -> ChangeStage {
        var stage = ChangeStage()
        guard !reloads.isEmpty || !headers.isEmpty else { return stage }
        stage.reloadedRows.append(addingCapacity: reloads.count) { output in
            for row in reloads {
                let at = newPlaces[Int(row.section)].path(row)
                let id = states.newNames.rowID(at: Int(row.row))
                output.append(ChangeStage.ReloadedRow(at: at, id: id, isReconfigured: false))
            }
        }
        stage.changedHeaders = headers.map {
            ChangeStage.SectionPlace(at: Int($0), id: states.newNames.sectionID(at: Int($0)))
        }
        stage.counts = states.new.rowCounts
        return stage
    }
}

extension [DifferencePlan.Location] {
    fileprivate mutating func setPlaces(in state: ListDigest) {
        removeAll(keepingCapacity: true)
        for section in state.sectionIDs.indices {
            let start = state.rows(ofSection: section).lowerBound
            append(DifferencePlan.Location(section: section, start: start))
        }
    }
}

/// Adjacent rows that are adjacent in both states, counted through all sections.
struct MatchedRun {
    var old: Int32
    var new: Int32
    var count: Int32

    init(old: Int, new: Int, count: Int) {
        // Lists with more rows are never compared.
        self.old = Int32(truncatingIfNeeded: old)
        self.new = Int32(truncatingIfNeeded: new)
        self.count = Int32(truncatingIfNeeded: count)
    }

    var oldRows: Range<Int> { Int(old)..<Int(old) + Int(count) }
    var newRows: Range<Int> { Int(new)..<Int(new) + Int(count) }
}
