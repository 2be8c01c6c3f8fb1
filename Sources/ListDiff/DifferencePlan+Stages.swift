import Listings

extension DifferencePlan {
    /// The two states of a plan.
    struct States {
        let old: ListDigest
        let oldNames: any DigestNames
        let new: ListDigest
        let newNames: any DigestNames
    }

    /// Converts the plan to steps for a client.
    ///
    /// The order is: inserted and moved sections, rows, deleted sections, contents. One step holds
    /// all structural changes if nothing moves. Only the result is allocated as long as sections
    /// stay.
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
        for (place, section) in between.enumerated() {
            if section.old >= 0 { oldPlaces[section.old].section = place }
            if section.new >= 0 { newPlaces[section.new].section = place }
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
        var places: [ChangeStage.SectionPlace] = []
        for section in newSections.indices where newSections[section] < 0 {
            places.append(
                ChangeStage.SectionPlace(
                    at: oldPlaces[section].section,
                    id: states.oldNames.sectionID(at: section)
                )
            )
        }
        return places
    }

    /// The inserted sections, with all rows except those that move into them.
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

    /// The step of changed contents, by positions in the new state.
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

extension [DifferencePlan.Place] {
    fileprivate mutating func setPlaces(in state: ListDigest) {
        removeAll(keepingCapacity: true)
        for section in state.sectionIDs.indices {
            let start = state.rows(ofSection: section).lowerBound
            append(DifferencePlan.Place(section: section, start: start))
        }
    }
}
