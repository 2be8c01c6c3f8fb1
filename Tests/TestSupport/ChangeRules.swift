package import ListDiff
package import Listings

/// The rules of a change, written from the protocol and from what UIKit is known to refuse; applies
/// a change step by step and says what is wrong with it.
package struct ChangeRules {
    package struct Section: Equatable {
        package let id: SectionID
        package var rows: [String]

        package init(id: SectionID, rows: [String]) {
            self.id = id
            self.rows = rows
        }
    }
    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    package private(set) var sections: [Section]
    private var structural: Set<String> = []
    package private(set) var reloaded: Set<String> = []
    package private(set) var moveCount = 0
    package private(set) var sectionMoveCount = 0
    package private(set) var fresh: Set<String> = []
    /// Whether rows may share an id, so that ids do not tell rows apart.
    private let hasRepeats: Bool

    package init(_ sections: [Section], hasRepeats: Bool = false) {
        self.sections = sections
        self.hasRepeats = hasRepeats
    }

    package mutating func apply(_ batch: ChangeBatch) throws {
        guard case .stages(let stages) = batch.kind else { throw Violation("it is a reload") }
        try require(batch.countsBefore == sections.map(\.rows.count), "counts before")
        try apply(stages)
        try require(batch.countsAfter == sections.map(\.rows.count), "counts after")
    }

    package mutating func apply(_ stages: [ChangeStage]) throws {
        try require(stages.count <= 4, "\(stages.count) stages")
        let changesSections = stages.contains {
            !$0.deletedSections.isEmpty || !$0.insertedSections.isEmpty
                || !$0.movedSections.isEmpty
        }
        if !changesSections { try require(stages.count <= 2, "rows alone, \(stages.count) stages") }
        for stage in stages { try apply(stage) }
    }

    private mutating func apply(_ stage: ChangeStage) throws {
        let before = sections
        let isStructural =
            !stage.deletedSections.isEmpty || !stage.insertedSections.isEmpty
            || !stage.movedSections.isEmpty || !stage.deletedRows.isEmpty
            || !stage.insertedRows.isEmpty || !stage.movedRows.isEmpty
        let changesContents = !stage.reloadedRows.isEmpty || !stage.changedHeaders.isEmpty
        try require(isStructural || changesContents, "an empty stage")
        try require(!(isStructural && changesContents), "contents beside structure")
        let order = try applySections(stage, before)
        try applyRows(stage, before, order)
        for row in stage.reloadedRows {
            try require(try id(at: row.at, in: sections) == row.id, "reload \(row)")
            try require(reloaded.insert(row.id).inserted || hasRepeats, "reloaded twice: \(row)")
        }
        for header in stage.changedHeaders {
            try require(sections.has(header.id, at: header.at), "header \(header)")
        }
        try require(stage.counts == sections.map(\.rows.count), "counts of a stage")
        moveCount += stage.movedRows.count
        sectionMoveCount += stage.movedSections.count
    }

    /// Sets the sections and returns for each that stood there before its position now.
    private mutating func applySections(_ stage: ChangeStage, _ before: [Section]) throws -> [Int?]
    {
        var taken: Set<Int> = []
        for section in stage.deletedSections {
            try require(before.has(section.id, at: section.at), "delete \(section)")
            try require(taken.insert(section.at).inserted, "taken twice: \(section)")
        }
        var placed: [Int: Section] = [:]
        var order: [Int?] = Array(repeating: nil, count: before.count)
        for section in stage.movedSections {
            try require(before.has(section.id, at: section.from), "move \(section)")
            try require(taken.insert(section.from).inserted, "taken twice: \(section)")
            try require(placed[section.to] == nil, "placed twice: \(section)")
            placed[section.to] = before[section.from]
            order[section.from] = section.to
        }
        for section in stage.insertedSections {
            try require(placed[section.at] == nil, "placed twice: \(section)")
            placed[section.at] = Section(id: section.id, rows: section.rows)
            fresh.formUnion(section.rows)
        }
        var rest = before.indices.filter { !taken.contains($0) }[...]
        sections = []
        let count = rest.count + placed.count
        for position in 0..<count {
            if let section = placed[position] {
                sections.append(section)
            } else {
                let from = try unwrap(rest.popFirst(), "a gap at \(position)")
                order[from] = position
                sections.append(before[from])
            }
        }
        try require(placed.keys.allSatisfy { $0 < count }, "a place past the end")
        return order
    }

    private mutating func applyRows(
        _ stage: ChangeStage,
        _ before: [Section],
        _ order: [Int?]
    ) throws {
        let leaving = Set(stage.deletedSections.map(\.at) + stage.movedSections.map(\.from))
        let arriving = Set(stage.insertedSections.map(\.at) + stage.movedSections.map(\.to))
        var taken: Set<IndexPath> = []
        func take(_ path: IndexPath, _ id: String) throws {
            try require(try self.id(at: path, in: before) == id, "take \(id) at \(path)")
            try require(taken.insert(path).inserted, "taken twice: \(path)")
            try require(!leaving.contains(path.section), "row in section: \(path)")
        }
        var placed: [IndexPath: String] = [:]
        func location(_ path: IndexPath, _ id: String) throws {
            try require(placed.updateValue(id, forKey: path) == nil, "placed twice: \(path)")
            try require(sections.indices.contains(path.section), "no section for \(path)")
            try require(!arriving.contains(path.section), "row in section: \(path)")
        }
        func change(_ id: String) throws {
            try require(structural.insert(id).inserted || hasRepeats, "\(id) changes twice")
        }
        for row in stage.deletedRows {
            try take(row.at, row.id)
            try change(row.id)
        }
        for row in stage.insertedRows {
            try location(row.at, row.id)
            try change(row.id)
            fresh.insert(row.id)
        }
        for row in stage.movedRows {
            try take(row.from, row.id)
            try location(row.to, row.id)
            try change(row.id)
        }
        try require(isAscending(stage.deletedRows.map(\.at)), "deletes out of order")
        try require(isAscending(stage.insertedRows.map(\.at)), "inserts out of order")
        try require(isAscending(stage.movedRows.map(\.to)), "moves out of order")
        try require(isAscending(stage.reloadedRows.map(\.at)), "reloads out of order")
        if taken.isEmpty, placed.isEmpty { return }
        for (position, section) in before.enumerated() {
            guard let target = order[position] else { continue }
            var rest = section.rows.indices.filter {
                !taken.contains(IndexPath(section: position, row: $0))
            }[...]
            var rows: [String] = []
            let placedCount = placed.keys.count { $0.section == target }
            for row in 0..<rest.count + placedCount {
                if let id = placed[IndexPath(section: target, row: row)] {
                    rows.append(id)
                } else {
                    rows.append(section.rows[try unwrap(rest.popFirst(), "a gap in \(target)")])
                }
            }
            sections[target].rows = rows
        }
        let count = placed.keys.count
        let landed = placed.filter { path, id in
            sections[path.section].rows.indices.contains(path.row)
                && sections[path.section].rows[path.row] == id
        }
        try require(landed.count == count, "a row past the end")
    }

    private func isAscending(_ paths: [IndexPath]) -> Bool {
        zip(paths, paths.dropFirst()).allSatisfy { $0 < $1 }
    }

    private func id(at path: IndexPath, in sections: [Section]) throws -> String {
        guard sections.indices.contains(path.section),
            sections[path.section].rows.indices.contains(path.row)
        else { throw Violation("no row at \(path)") }
        return sections[path.section].rows[path.row]
    }

    private func require(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw Violation(text()) }
    }

    private func unwrap<Value>(_ value: Value?, _ text: @autoclosure () -> String) throws -> Value {
        guard let value else { throw Violation(text()) }
        return value
    }

    // MARK: - The fewest moves

    /// The rows that have to move between two states that have no id twice.
    package static func fewestRowMoves(from old: [Section], to new: [Section]) -> Int {
        let oldIDs = Set(old.map(\.id))
        let newIDs = Set(new.map(\.id))
        var locations: [String: (section: SectionID, row: Int)] = [:]
        for section in old {
            for (row, id) in section.rows.enumerated() { locations[id] = (section.id, row) }
        }
        var moves = 0
        for section in new {
            var ranks: [Int] = []
            for id in section.rows {
                guard let location = locations[id] else { continue }
                if location.section == section.id {
                    ranks.append(location.row)
                } else if newIDs.contains(location.section) || oldIDs.contains(section.id) {
                    moves += 1
                }
            }
            moves += ranks.count - longestRise(ranks)
        }
        return moves
    }

    package static func fewestSectionMoves(from old: [Section], to new: [Section]) -> Int {
        let ranks = new.compactMap { section in old.firstIndex { $0.id == section.id } }
        return ranks.count - longestRise(ranks)
    }

    static func longestRise(_ ranks: [Int]) -> Int {
        var piles: [Int] = []
        for rank in ranks {
            var low = 0
            var high = piles.count
            while low < high {
                let middle = (low + high) / 2
                if piles[middle] < rank { low = middle + 1 } else { high = middle }
            }
            if low == piles.count { piles.append(rank) } else { piles[low] = rank }
        }
        return piles.count
    }
}

extension [ChangeRules.Section] {
    fileprivate func has(_ id: SectionID, at position: Int) -> Bool {
        indices.contains(position) && self[position].id == id
    }
}

extension ChangeStage {
    package var changeCount: Int {
        deletedSections.count + movedSections.count + deletedRows.count + insertedRows.count
            + movedRows.count + reloadedRows.count + changedHeaders.count
            + insertedSections.reduce(0) { $0 + 1 + $1.rows.count }
    }
}
