import Listings

/// The differences between two states as numbers.
///
/// Rows are counted through all sections.
///
/// The plan reuses its memory.
struct DifferencePlan {
    /// A row in its section.
    struct Row {
        let section: Int32
        let row: Int32

        init(section: Int, row: Int) {
            self.section = Int32(truncatingIfNeeded: section)
            self.row = Int32(truncatingIfNeeded: row)
        }
    }
    /// A row that moves.
    struct Move {
        let from: Row
        let to: Row
    }

    /// The position of a section during the row steps and in its own state.
    struct Place {
        var section: Int
        /// Its first row, counted through all sections.
        let start: Int

        func path(_ row: Row) -> IndexPath {
            IndexPath(section: section, row: Int(row.row) - start)
        }
    }

    /// The new position of each old section; below 0 when it is deleted.
    var newSections: [Int32] = []
    /// The old position of each new section; below 0 when it is inserted.
    var oldSections: [Int32] = []
    /// Whether each new section moves.
    var isMoved: [Bool] = []
    /// The rows deleted from sections that stay, ascending by new section.
    var deletes: [Row] = []
    /// The rows inserted into sections that stay, ascending.
    ///
    /// All following lists are ascending too.
    var inserts: [Row] = []
    /// The rows that move, by their targets.
    var moves: [Move] = []
    /// The rows with changed contents, by their new positions.
    var reloads: [Row] = []
    /// The sections with changed headers that stay, by their new positions.
    var headers: [Int32] = []
    /// The number of rows in inserted sections.
    var broughtRows = 0
    /// The number of inserted, deleted and moved sections.
    var changedSections = 0
    /// The positions of the sections of both states during the steps.
    var oldPlaces: [Place] = []
    var newPlaces: [Place] = []

    /// Removes all differences.
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

    /// Adds the moves of a run of rows to another position.
    mutating func move(_ run: MatchedRun, from: Int, to: Int) {
        for offset in 0..<Int(run.count) {
            let from = Row(section: from, row: Int(run.old) + offset)
            moves.append(Move(from: from, to: Row(section: to, row: Int(run.new) + offset)))
        }
    }

    /// Adds a row of the new state whose contents changed.
    mutating func reload(_ row: Int, _ section: Int) {
        reloads.append(Row(section: section, row: row))
    }

    /// The number of changes for a client.
    var changeCount: Int {
        deletes.count + inserts.count + moves.count + reloads.count + headers.count + broughtRows
            + changedSections
    }

    /// The inserted and changed rows of the new state, ascending.
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

    /// The inserted and changed sections of the new state, ascending.
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
    /// - Parameters:
    ///   - section: The inserted section.
    ///   - new: The new state.
    ///   - move: The first move that may lead into the section; advances from section to section.
    ///   - body: Takes the row, counted through all sections.
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
