import Listings
import MemoryLists
import TestSupport

struct ReferenceList {
    struct Section {
        var info: SectionInfo
        var rows: [Item]
    }

    var sections: [Section] = []
    private var lastItem = 0
    private var lastSection = 0

    var outline: [[String]] { sections.map { $0.rows.map { "\($0.id)" } } }

    func shownTexts(_ registered: Registrations) -> [String: String] {
        var texts: [String: String] = [:]
        for section in sections where !section.info.isCollapsed {
            for item in section.rows {
                for row in registered.rows("\(item.id)") { texts[row] = item.text }
            }
        }
        return texts
    }

    mutating func newItems(_ count: Int) -> [Item] {
        lastItem += count
        return (lastItem - count + 1...lastItem).map { Item(id: $0) }
    }

    mutating func newSection(_ generator: inout SeededGenerator) -> Section {
        lastSection += 1
        let count = Int.random(in: 0...9, using: &generator)
        let info = SectionInfo(
            SectionID("s\(lastSection)"),
            isCollapsed: Int.random(in: 0..<6, using: &generator) == 0
        )
        return Section(info: info, rows: count == 0 ? [] : newItems(count))
    }

    mutating func append(
        to snapshot: inout Snapshot,
        _ registered: Registrations,
        _ generator: inout SeededGenerator
    ) throws {
        let new = newSection(&generator)
        sections.append(new)
        try snapshot.append(registered.section(new))
    }

    mutating func edit(
        _ snapshot: inout Snapshot,
        _ registered: Registrations,
        _ generator: inout SeededGenerator
    ) throws {
        let section = Int.random(in: 0..<max(1, sections.count), using: &generator)
        switch Int.random(in: 0..<24, using: &generator) {
        case 0...1:
            let new = newSection(&generator)
            let index = Int.random(in: 0...sections.count, using: &generator)
            sections.insert(new, at: index)
            try snapshot.insert(registered.section(new), at: index)
        case _ where sections.isEmpty: return
        case 2:
            sections.remove(at: section)
            try snapshot.removeSection(at: section)
        case 3...4:
            let target = Int.random(in: sections.indices, using: &generator)
            sections.insert(sections.remove(at: section), at: target)
            try snapshot.moveSection(from: section, to: target)
        case 5:
            sections[section].info.isCollapsed.toggle()
            try snapshot.describeSection(sections[section].info)
        case 6:
            sections[section].info.header = "h\(lastItem)"
            try snapshot.describeSection(sections[section].info)
        case 7:
            let kept = sections[section].rows.shuffled(using: &generator).dropFirst()
            sections[section].rows = (Array(kept) + newItems(1)).shuffled(using: &generator)
            try snapshot.replaceRows(
                in: sections[section].info.id,
                with: registered.runs(sections[section].rows)
            )
        case 8:
            var new = newSection(&generator)
            // Under its old id it is the same section with other rows.
            if Bool.random(using: &generator) {
                new.info = sections[section].info
                new.rows += sections[section].rows.suffix(2)
            }
            sections[section] = new
            try snapshot.replaceSection(at: section, with: registered.section(new))
        default:
            try editRows(&snapshot, registered, section, &generator)
        }
    }

    private mutating func editRows(
        _ snapshot: inout Snapshot,
        _ registered: Registrations,
        _ section: Int,
        _ generator: inout SeededGenerator
    ) throws {
        let rows = sections[section].rows
        let path = IndexPath(
            section: section,
            row: Int.random(in: 0..<max(1, rows.count), using: &generator)
        )
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2:
            let items = newItems(Int.random(in: 1...3, using: &generator))
            let row = Int.random(in: 0...rows.count, using: &generator)
            sections[section].rows.insert(contentsOf: items, at: row)
            let target = IndexPath(section: section, row: row)
            for run in registered.runs(items).reversed() { try snapshot.insert(run, at: target) }
        case _ where rows.isEmpty: return
        case 3...4:
            sections[section].rows.remove(at: path.row)
            try snapshot.remove(at: path)
        case 5...7:
            let item = sections[section].rows.remove(at: path.row)
            let other = Int.random(in: sections.indices, using: &generator)
            let row = Int.random(in: 0...sections[other].rows.count, using: &generator)
            sections[other].rows.insert(item, at: row)
            try snapshot.move(from: path, to: IndexPath(section: other, row: row))
        case 8:
            sections[section].rows[path.row].text += "b"
            let item = sections[section].rows[path.row]
            try snapshot.update(item, using: registered.registration(of: item))
        default:
            let item = newItems(1)[0]
            sections[section].rows[path.row] = item
            let registration = registered.registration(of: item)
            try snapshot.replace(at: path, with: item, using: registration)
        }
    }
}

extension Registrations {
    func section(_ section: ReferenceList.Section) -> MemoryLists.Section {
        // Two runs, so that sections are made of several pieces.
        let half = section.rows.count / 2
        return Section(
            section.info,
            runs: runs(Array(section.rows[..<half])) + runs(Array(section.rows[half...]))
        )
    }
}
