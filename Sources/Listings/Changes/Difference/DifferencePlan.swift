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

    /// What a client would have to do, counted.
    var changeCount: Int {
        deletes.count + inserts.count + moves.count + reloads.count + headers.count + broughtRows
            + changedSections
    }

    /// The rows of the new state that come or show something else, ascending.
    func rowsToSend(_ new: ListDigest) -> [Int] {
        var rows: [Int] = []
        rows.reserveCapacity(inserts.count + reloads.count + broughtRows)
        for row in inserts { rows.append(Int(row.row)) }
        for row in reloads { rows.append(Int(row.row)) }
        var move = 0
        for section in oldSections.indices where oldSections[section] < 0 {
            visitBroughtRows(of: section, new, from: &move) { rows.append($0) }
        }
        if !reloads.isEmpty || broughtRows > 0 { rows.sort() }
        return rows
    }

    /// The sections of the new state that come or are described anew, ascending.
    var sectionsToSend: [Int] {
        (oldSections.indices.filter { oldSections[$0] < 0 } + headers.map(Int.init)).sorted()
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
