extension DifferencePlan {
    /// The two states that a plan lies between, and where their sections stand after the first step.
    private struct States {
        let old: ListDigest
        let oldNames: any DigestNames
        let new: ListDigest
        let newNames: any DigestNames
        /// For each section of the old state its place before and during the steps for rows.
        var oldPlaces: [Int]
        /// For each section of the new state its place during and after the steps for rows.
        var newPlaces: [Int]

        func oldPath(_ row: Row) -> IndexPath {
            let section = Int(row.section)
            let start = old.rows(ofSection: section).lowerBound
            return IndexPath(section: oldPlaces[section], row: Int(row.row) - start)
        }

        func newPath(_ row: Row) -> IndexPath {
            let section = Int(row.section)
            let start = new.rows(ofSection: section).lowerBound
            return IndexPath(section: newPlaces[section], row: Int(row.row) - start)
        }
    }

    /// The plan as steps that a client can take: sections that come or move, then rows, then
    /// sections that go, then contents.
    ///
    /// All but contents in one where nothing moves.
    func stages(
        _ old: ListDigest,
        _ oldNames: any DigestNames,
        _ new: ListDigest,
        _ newNames: any DigestNames
    ) -> [ChangeStage] {
        var states = States(
            old: old,
            oldNames: oldNames,
            new: new,
            newNames: newNames,
            oldPlaces: Array(newSections.indices),
            newPlaces: Array(oldSections.indices)
        )
        let contents = contentStage(states)
        let movesSections = isMoved.contains(true)
        let changesSections =
            movesSections || oldSections.contains { $0 < 0 } || newSections.contains { $0 < 0 }
        var stages: [ChangeStage]
        if !changesSections || (!movesSections && moves.isEmpty) {
            var stage = rowStage(states)
            stage.deletedSections = deletedSections(states)
            stage.insertedSections = insertedSections(states)
            stage.counts = new.rowCounts
            stages = [stage]
        } else {
            stages = separateStages(&states)
        }
        stages.append(contents)
        return stages.filter { !$0.isEmpty }
    }

    private func separateStages(
        _ states: inout States
    ) -> [ChangeStage] {
        let between = sectionsBetween()
        for (place, section) in between.enumerated() {
            if section.old >= 0 { states.oldPlaces[section.old] = place }
            if section.new >= 0 { states.newPlaces[section.new] = place }
        }
        let oldCounts = states.old.rowCounts
        let newCounts = states.new.rowCounts

        var arriving = ChangeStage()
        arriving.insertedSections = insertedSections(states)
        for section in oldSections.indices where isMoved[section] {
            arriving.movedSections.append(
                ChangeStage.MovedSection(
                    from: Int(oldSections[section]),
                    to: states.newPlaces[section],
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
            rows.counts[states.oldPlaces[Int(move.from.section)]] -= 1
        }

        var leaving = ChangeStage()
        leaving.deletedSections = deletedSections(states)
        leaving.counts = newCounts
        return [arriving, rows, leaving]
    }

    /// The sections after the first step: the new ones in their order, and those that are to go
    /// still behind the ones that they stood behind.
    private func sectionsBetween() -> [(old: Int, new: Int)] {
        var between: [(old: Int, new: Int)] = []
        between.reserveCapacity(oldSections.count + newSections.count)
        func appendVanishing(from first: Int) {
            var section = first
            // Sections that move are passed over, for those behind them stay.
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

    private func deletedSections(
        _ states: States
    ) -> [ChangeStage.SectionPlace] {
        var places: [ChangeStage.SectionPlace] = []
        for section in newSections.indices where newSections[section] < 0 {
            places.append(
                ChangeStage.SectionPlace(
                    at: states.oldPlaces[section],
                    id: states.oldNames.sectionID(at: section)
                )
            )
        }
        return places
    }

    /// The sections that come, with all their rows but those that move into them.
    private func insertedSections(
        _ states: States
    ) -> [ChangeStage.InsertedSection] {
        var sections: [ChangeStage.InsertedSection] = []
        var move = 0
        for section in oldSections.indices where oldSections[section] < 0 {
            var rows: [String] = []
            visitBroughtRows(of: section, states.new, from: &move) {
                rows.append(states.newNames.rowID(at: $0))
            }
            sections.append(
                ChangeStage.InsertedSection(
                    at: states.newPlaces[section],
                    id: states.newNames.sectionID(at: section),
                    rows: rows
                )
            )
        }
        return sections
    }

    private func rowStage(
        _ states: States
    ) -> ChangeStage {
        var stage = ChangeStage()
        stage.deletedRows.reserveCapacity(deletes.count)
        for row in deletes {
            let id = states.oldNames.rowID(at: Int(row.row))
            stage.deletedRows.append(ChangeStage.RowPosition(at: states.oldPath(row), id: id))
        }
        stage.insertedRows.reserveCapacity(inserts.count)
        for row in inserts {
            let id = states.newNames.rowID(at: Int(row.row))
            stage.insertedRows.append(ChangeStage.RowPosition(at: states.newPath(row), id: id))
        }
        stage.movedRows.reserveCapacity(moves.count)
        for move in moves {
            stage.movedRows.append(
                ChangeStage.MovedRow(
                    from: states.oldPath(move.from),
                    to: states.newPath(move.to),
                    id: states.newNames.rowID(at: Int(move.to.row))
                )
            )
        }
        return stage
    }

    /// What is described anew, by its place in the new state.
    private func contentStage(
        _ states: States
    ) -> ChangeStage {
        var stage = ChangeStage()
        stage.reloadedRows.reserveCapacity(reloads.count)
        for row in reloads {
            stage.reloadedRows.append(
                ChangeStage.ReloadedRow(
                    at: states.newPath(row),
                    id: states.newNames.rowID(at: Int(row.row)),
                    isReconfigured: false
                )
            )
        }
        stage.changedHeaders = headers.map {
            ChangeStage.SectionPlace(at: Int($0), id: states.newNames.sectionID(at: Int($0)))
        }
        stage.counts = states.new.rowCounts
        return stage
    }
}
