/// What lies between two states, in numbers: rows are counted through all sections.
///
/// Keeps its memory from use to use.
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
    /// A row that changes its place.
    struct Move {
        let from: Row
        let to: Row
    }

    /// Where a section stands during the steps for rows, and in the state at the other end of them.
    struct Place {
        var section: Int
        /// Its first row, counted through all sections.
        let start: Int

        func path(_ row: Row) -> IndexPath {
            IndexPath(section: section, row: Int(row.row) - start)
        }
    }

    /// For each section of the old state its place in the new one; below 0 when it goes.
    var newSections: [Int32] = []
    /// For each section of the new state its place in the old one; below 0 when it comes.
    var oldSections: [Int32] = []
    /// For each section of the new state whether it moves.
    var isMoved: [Bool] = []
    /// Rows that go from sections that stay; ascending by the places of these in the new state.
    var deletes: [Row] = []
    /// Rows that come into sections that stay; ascending, as all that follows.
    var inserts: [Row] = []
    /// Rows that change their place, by where they go.
    var moves: [Move] = []
    /// Rows that show something else; by their new places.
    var reloads: [Row] = []
    /// Sections that stay and are described anew; by their new places.
    var headers: [Int32] = []
    /// Rows that come with their sections.
    var broughtRows = 0
    /// Sections that come or go.
    var changedSections = 0
    /// Where the sections of both states stand while steps are made.
    var oldPlaces: [Place] = []
    var newPlaces: [Place] = []

    /// Forgets everything.
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

    /// Takes rows to another place.
    mutating func move(_ run: MatchedRun, from: Int, to: Int) {
        for offset in 0..<Int(run.count) {
            let from = Row(section: from, row: Int(run.old) + offset)
            moves.append(Move(from: from, to: Row(section: to, row: Int(run.new) + offset)))
        }
    }

    /// Shows something else in a row of the new state.
    mutating func reload(_ row: Int, _ section: Int) {
        reloads.append(Row(section: section, row: row))
    }

    /// What a client would have to do, counted.
    var changeCount: Int {
        deletes.count + inserts.count + moves.count + reloads.count + headers.count + broughtRows
            + changedSections
    }

    /// The rows of the new state that come or show something else, ascending.
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

    /// The sections of the new state that come or are described anew, ascending.
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

    /// Visits the rows that come with a section: all of its rows but those that move into it.
    ///
    /// - Parameters:
    ///   - section: A section that comes.
    ///   - new: The new state.
    ///   - move: The first move that may lead into it; goes on from section to section.
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
