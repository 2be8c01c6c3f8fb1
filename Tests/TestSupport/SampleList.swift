package import ListDiff
import Listings

package struct SampleList: Equatable {
    package struct Row: Equatable {
        package var id: UInt64
        package var revision: UInt64 = 0

        package init(id: UInt64, revision: UInt64 = 0) {
            self.id = id
            self.revision = revision
        }
    }
    package struct Section: Equatable {
        package var id: UInt64
        package var revision: UInt64 = 0
        package var rows: [Row] = []

        package init(id: UInt64, revision: UInt64 = 0, rows: [Row] = []) {
            self.id = id
            self.revision = revision
            self.rows = rows
        }
    }

    package var sections: [Section] = []

    package init(sections: [Section] = []) { self.sections = sections }

    package var digest: ListDigest {
        var digest = ListDigest()
        for section in sections {
            digest.beginSection(section.id, revision: section.revision)
            for row in section.rows { digest.appendRow(row.id, revision: row.revision) }
        }
        return digest
    }

    package var shown: [ChangeRules.Section] {
        sections.map {
            ChangeRules.Section(id: SectionID("\($0.id)"), rows: $0.rows.map { "\($0.id)" })
        }
    }

    package var revisions: [String: UInt64] {
        var revisions: [String: UInt64] = [:]
        for row in sections.flatMap(\.rows) { revisions["\(row.id)"] = row.revision }
        return revisions
    }

    // MARK: - Dense lists

    /// At most seven sections of at most nine rows, out of so few ids that most are in two lists.
    package static func dense(_ generator: inout SeededGenerator) -> SampleList {
        var ids = Array(0..<UInt64(40)).shuffled(using: &generator)
        var list = SampleList()
        for id in Array(0..<UInt64(8)).shuffled(using: &generator)
            .prefix(Int.random(in: 0...7, using: &generator))
        {
            var section = Section(id: id)
            for _ in 0..<Int.random(in: 0...9, using: &generator) {
                guard let id = ids.popLast() else { break }
                section.rows.append(Row(id: id))
            }
            list.sections.append(section)
        }
        list.revise(&generator)
        return list
    }

    /// Changes some of what a list shows, not its order.
    package mutating func revise(_ generator: inout SeededGenerator) {
        for index in sections.indices {
            if Int.random(in: 0..<6, using: &generator) == 0 { sections[index].revision += 1 }
            for row in sections[index].rows.indices
            where Int.random(in: 0..<8, using: &generator) == 0 {
                sections[index].rows[row].revision += 1
            }
        }
    }

    /// A few steps away: what most changes are.
    package func edited(_ generator: inout SeededGenerator) -> SampleList {
        var copy = self
        for _ in 0..<Int.random(in: 0...6, using: &generator) { copy.edit(&generator) }
        copy.revise(&generator)
        return copy
    }

    private mutating func edit(_ generator: inout SeededGenerator) {
        let ids = Set(sections.flatMap(\.rows).map(\.id))
        let sectionIDs = Set(sections.map(\.id))
        guard let index = sections.indices.randomElement(using: &generator) else {
            sections.append(Section(id: UInt64.random(in: 0..<8, using: &generator)))
            return
        }
        switch Int.random(in: 0..<9, using: &generator) {
        case 0:
            sections.remove(at: index)
        case 1:
            let id = UInt64.random(in: 0..<8, using: &generator)
            guard !sectionIDs.contains(id) else { return }
            sections.insert(Section(id: id), at: index)
        case 2:
            let section = sections.remove(at: index)
            sections.insert(section, at: Int.random(in: 0...sections.count, using: &generator))
        case 3, 4:
            let id = UInt64.random(in: 0..<40, using: &generator)
            guard !ids.contains(id) else { return }
            put(Row(id: id), in: index, &generator)
        case 5:
            _ = take(from: index, &generator)
        default:
            guard let row = take(from: index, &generator),
                let target = sections.indices.randomElement(using: &generator)
            else { return }
            put(row, in: target, &generator)
        }
    }

    private mutating func take(
        from section: Int,
        _ generator: inout SeededGenerator
    ) -> Row? {
        guard let row = sections[section].rows.indices.randomElement(using: &generator) else {
            return nil
        }
        return sections[section].rows.remove(at: row)
    }

    private mutating func put(_ row: Row, in section: Int, _ generator: inout SeededGenerator) {
        let location = Int.random(in: 0...sections[section].rows.count, using: &generator)
        sections[section].rows.insert(row, at: location)
    }

    /// The same shape with so few ids that many stand in it more than once.
    package func repeating(_ generator: inout SeededGenerator) -> SampleList {
        var copy = self
        for section in copy.sections.indices {
            if Int.random(in: 0..<4, using: &generator) == 0 { copy.sections[section].id %= 3 }
            for row in copy.sections[section].rows.indices {
                copy.sections[section].rows[row].id %= 12
            }
        }
        return copy
    }

    // MARK: - Long lists

    /// One to three sections and up to 1,500 rows.
    package static func long(_ generator: inout SeededGenerator) -> SampleList {
        var list = SampleList()
        var next: UInt64 = 0
        for id in 0..<UInt64.random(in: 1...3, using: &generator) {
            let count = UInt64.random(in: 0...500, using: &generator)
            list.sections.append(
                Section(id: id, rows: (next..<next + count).map { Row(id: $0) })
            )
            next += count
        }
        return list
    }

    package func blockEdited(_ generator: inout SeededGenerator) -> SampleList {
        var copy = self
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let index = Int.random(in: 0..<copy.sections.count, using: &generator)
            copy.editBlock(of: index, &generator)
        }
        copy.revise(&generator)
        return copy
    }

    private mutating func editBlock(of index: Int, _ generator: inout SeededGenerator) {
        let count = sections[index].rows.count
        let ends = [
            Int.random(in: 0...count, using: &generator),
            Int.random(in: 0...count, using: &generator),
        ].sorted()
        let block = ends[0]..<ends[1]
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
            sections[index].rows.removeSubrange(block.prefix(200))
        case 1:
            let first = UInt64.random(in: 1_000_000...(.max - 400), using: &generator)
            let rows = (first..<first + UInt64.random(in: 1...300, using: &generator))
                .map { Row(id: $0) }
            sections[index].rows.insert(contentsOf: rows, at: ends[0])
        case 2, 3:
            let rows = sections[index].rows[block]
            sections[index].rows.removeSubrange(block)
            let target = Int.random(in: 0..<sections.count, using: &generator)
            let location = Int.random(in: 0...sections[target].rows.count, using: &generator)
            sections[target].rows.insert(contentsOf: rows, at: location)
        case 4:
            sections[index].rows[block].reverse()
        case 5:
            sections[index].rows[block].shuffle(using: &generator)
        case 6:
            let step = Int.random(in: 2...40, using: &generator)
            sections[index].rows = sections[index].rows.enumerated()
                .filter { $0.offset % step != 0 }.map(\.element)
        default:
            let other = Int.random(in: 0..<sections.count, using: &generator)
            sections.swapAt(index, other)
        }
    }
}

extension ListDiffer {
    /// The difference of two states whose names are their numbers.
    package mutating func numbered(
        from old: ListDigest,
        to new: ListDigest,
        uniqueness: Uniqueness = .trusted,
        limit: Int? = nil
    ) -> ListDifference {
        difference(
            from: old,
            named: old,
            to: new,
            named: new,
            uniqueness: uniqueness,
            limit: limit
        )
    }
}
