import ListAPITestSupport
import ListDiff
import Listings
import TestSupport

extension StreamedEvent {
    func json() throws -> JSON { try JSON(data) }
}

/// What a client holds of a page, kept up to date by changes alone, as strictly as UIKit takes them.
///
/// Written from the protocol, not from what writes the changes.
struct PageReplica {
    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private(set) var version: String
    private(set) var sections: [ChangeRules.Section] = []
    private(set) var location: JSON?
    private(set) var total: JSON?
    private(set) var changes: String
    private var rows: [String: JSON] = [:]
    private var descriptions: [String: JSON] = [:]

    init(_ page: JSON) throws {
        version = try Self.unwrap(page["list", "version"]?.text, "no version")
        changes = try Self.unwrap(page["links", "changes"]?.text, "no address of changes")
        location = page["page"]
        total = page["total"]
        for section in page["sections"]?.elements ?? [] {
            let id = try Self.unwrap(section["id"]?.text, "a section without an id")
            var ids: [String] = []
            for row in section["rows"]?.elements ?? [] {
                let id = try Self.unwrap(row["id"]?.text, "a row without an id")
                ids.append(id)
                rows[id] = row
            }
            sections.append(ChangeRules.Section(id: SectionID(id), rows: ids))
            descriptions[id] = Self.description(section)
        }
    }

    /// What of a section is neither its rows nor its place, nor a count, which nobody is told of.
    private static func description(_ section: JSON) -> JSON {
        guard case .object(var members) = section else { return section }
        for name in ["rows", "index", "count", "html"] { members[name] = nil }
        return .object(members)
    }

    private static func withoutHTML(_ row: JSON) -> JSON {
        guard case .object(var members) = row else { return row }
        members["html"] = nil
        return .object(members)
    }

    func difference(from page: JSON) throws -> String? {
        let fresh = try PageReplica(page)
        if sections != fresh.sections { return "rows \(sections) instead of \(fresh.sections)" }
        for section in sections {
            guard descriptions[section.id.rawValue] == fresh.descriptions[section.id.rawValue]
            else {
                let held = String(describing: descriptions[section.id.rawValue])
                return
                    "\(held) instead of \(String(describing: fresh.descriptions[section.id.rawValue]))"
            }
            for row in section.rows where rows[row] != fresh.rows[row] {
                let held = String(describing: rows[row])
                return "row \(held) instead of \(String(describing: fresh.rows[row]))"
            }
        }
        if version != fresh.version { return "version \(version) instead of \(fresh.version)" }
        if location != fresh.location { return "another place in the list" }
        return nil
    }

    // MARK: - Applying

    mutating func apply(_ change: JSON) throws {
        guard change["from"]?.text == version else { throw Violation("from another version") }
        let stages = try Self.unwrap(change["stages"], "no stages").elements.map(ChangeStage.init)
        let gone = Set(sections.flatMap(\.rows))
        var rules = ChangeRules(sections)
        try rules.apply(stages)
        sections = rules.sections
        let fresh = rules.fresh.union(rules.reloaded)
        let described = Set(
            stages.flatMap { $0.insertedSections.map(\.id) + $0.changedHeaders.map(\.id) }
                .map(\.rawValue)
        )
        guard case .object(let sent)? = change["rows"],
            case .object(let sentSections)? = change["sections"]
        else { throw Violation("no rows or sections") }
        guard Set(sent.keys) == fresh else {
            throw Violation("rows \(sent.keys.sorted()) instead of \(fresh.sorted())")
        }
        guard Set(sentSections.keys) == described else {
            throw Violation("sections \(sentSections.keys) instead of \(described)")
        }
        for (id, row) in sent {
            guard row["id"]?.text == id else { throw Violation("row \(id) is another one") }
            rows[id] = Self.withoutHTML(row)
        }
        for (id, section) in sentSections { descriptions[id] = Self.description(section) }
        let kept = Set(sections.flatMap(\.rows))
        for id in gone.subtracting(kept) { rows[id] = nil }
        version = try Self.unwrap(change["to"]?.text, "no version")
        changes = try Self.unwrap(change["links", "changes"]?.text, "no address of changes")
        location = change["page"]
        total = change["total"]
    }

    fileprivate static func unwrap<Value>(_ value: Value?, _ reason: String) throws -> Value {
        guard let value else { throw Violation(reason) }
        return value
    }
}

extension ChangeStage {
    /// Reads a step as PROTOCOL writes it: a list of positions beside a list of ids.
    fileprivate init(_ stage: JSON) throws {
        self.init()
        guard case .object(let members) = stage else { throw PageReplica.Violation("no object") }
        let known: Set = [
            "deleteSections", "insertSections", "moveSections", "delete", "insert", "move",
            "reload", "headers", "counts",
        ]
        guard Set(members.keys).isSubset(of: known) else {
            throw PageReplica.Violation("a stage of \(members.keys.sorted())")
        }
        func column(_ name: String, _ part: String) throws -> [JSON] {
            let values = stage[name, part]?.elements ?? []
            guard values.count == stage[name, "id"]?.elements.count ?? 0 else {
                throw PageReplica.Violation("\(name) has other places than ids")
            }
            return values
        }
        func ids(_ name: String) throws -> [String] { try column(name, "id").compactMap(\.text) }
        func locations(_ name: String, _ part: String = "at") throws -> [Int] {
            try column(name, part).compactMap(\.integer)
        }
        func paths(_ name: String, _ part: String = "at") throws -> [IndexPath] {
            try column(name, part).map { path in
                let numbers = path.elements.compactMap(\.integer)
                guard numbers.count == 2 else { throw PageReplica.Violation("no path: \(path)") }
                return IndexPath(section: numbers[0], row: numbers[1])
            }
        }
        deletedSections = try zip(locations("deleteSections"), ids("deleteSections"))
            .map { SectionPlace(at: $0, id: SectionID($1)) }
        insertedSections = try zip(
            zip(locations("insertSections"), ids("insertSections")),
            column("insertSections", "rows")
        ).map { location, rows in
            let ids = rows.elements.compactMap(\.text)
            return InsertedSection(at: location.0, id: SectionID(location.1), rows: ids)
        }
        movedSections = try zip(
            zip(locations("moveSections", "from"), locations("moveSections", "to")),
            ids("moveSections")
        ).map { MovedSection(from: $0.0, to: $0.1, id: SectionID($1)) }
        deletedRows = try zip(paths("delete"), ids("delete")).map(RowPosition.init)
        insertedRows = try zip(paths("insert"), ids("insert")).map(RowPosition.init)
        movedRows = try zip(zip(paths("move", "from"), paths("move", "to")), ids("move"))
            .map { MovedRow(from: $0.0, to: $0.1, id: $1) }
        reloadedRows = try zip(paths("reload"), ids("reload"))
            .map { ReloadedRow(at: $0, id: $1, isReconfigured: false) }
        changedHeaders = try zip(locations("headers"), ids("headers"))
            .map { SectionPlace(at: $0, id: SectionID($1)) }
        counts = try PageReplica.unwrap(stage["counts"], "no counts").elements
            .compactMap(\.integer)
    }
}
