import ListAPITestSupport
import TestSupport

extension StreamedEvent {
    /// The data as JSON.
    func json() throws -> JSON { try JSON(data) }
}

/// What a client holds of a page, kept up to date by changes alone, as strictly as UIKit takes them.
///
/// Written from the protocol, not from what writes the changes.
struct PageReplica {
    struct Section: Hashable {
        let id: String
        var rows: [String]
    }
    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private(set) var version: String
    private(set) var sections: [Section] = []
    private(set) var place: JSON?
    private(set) var total: JSON?
    /// The address to ask what changed at.
    private(set) var changes: String
    private var rows: [String: JSON] = [:]
    private var descriptions: [String: JSON] = [:]

    /// Takes a page in.
    init(_ page: JSON) throws {
        version = try Self.unwrap(page["list", "version"]?.text, "no version")
        changes = try Self.unwrap(page["links", "changes"]?.text, "no address of changes")
        place = page["page"]
        total = page["total"]
        for section in page["sections"]?.elements ?? [] {
            let id = try Self.unwrap(section["id"]?.text, "a section without an id")
            var ids: [String] = []
            for row in section["rows"]?.elements ?? [] {
                let id = try Self.unwrap(row["id"]?.text, "a row without an id")
                ids.append(id)
                rows[id] = row
            }
            sections.append(Section(id: id, rows: ids))
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

    /// What differs from a page that was just loaded.
    func difference(from page: JSON) throws -> String? {
        let fresh = try PageReplica(page)
        if sections != fresh.sections { return "rows \(sections) instead of \(fresh.sections)" }
        for section in sections {
            guard descriptions[section.id] == fresh.descriptions[section.id] else {
                let held = String(describing: descriptions[section.id])
                return "\(held) instead of \(String(describing: fresh.descriptions[section.id]))"
            }
            for row in section.rows where rows[row] != fresh.rows[row] {
                let held = String(describing: rows[row])
                return "row \(held) instead of \(String(describing: fresh.rows[row]))"
            }
        }
        if version != fresh.version { return "version \(version) instead of \(fresh.version)" }
        if place != fresh.place { return "another place in the list" }
        return nil
    }

    // MARK: - Applying

    /// Takes in what changed.
    mutating func apply(_ change: JSON) throws {
        guard change["from"]?.text == version else { throw Violation("from another version") }
        let stages = try Self.unwrap(change["stages"], "no stages").elements
        guard stages.count <= 4 else { throw Violation("\(stages.count) stages") }
        var fresh: Set<String> = []
        var described: Set<String> = []
        let gone = Set(sections.flatMap(\.rows))
        for stage in stages { try apply(stage, &fresh, &described) }
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
        place = change["page"]
        total = change["total"]
    }

    private mutating func apply(
        _ stage: JSON,
        _ fresh: inout Set<String>,
        _ described: inout Set<String>
    ) throws {
        guard case .object(let members) = stage else { throw Violation("a stage is no object") }
        let structural: Set = [
            "deleteSections", "insertSections", "moveSections", "delete", "insert", "move",
        ]
        let contents: Set = ["reload", "headers"]
        let names = Set(members.keys).subtracting(["counts"])
        guard !names.isEmpty, names.isSubset(of: structural) || names.isSubset(of: contents) else {
            throw Violation("a stage of \(names.sorted())")
        }
        let before = sections
        let order = try applySections(stage, before, &fresh, &described)
        try applyRows(stage, before, order, &fresh)
        for (at, id) in zip(try Self.paths(stage, "reload", "at"), try Self.ids(stage, "reload")) {
            guard try row(at, in: sections) == id else { throw Violation("reload of another row") }
            fresh.insert(id)
        }
        for (at, id) in zip(try Self.places(stage, "headers", "at"), try Self.ids(stage, "headers"))
        {
            guard sections.indices.contains(at), sections[at].id == id else {
                throw Violation("header of another section")
            }
            described.insert(id)
        }
        let counts = try Self.unwrap(stage["counts"], "no counts").elements.compactMap(\.integer)
        guard counts == sections.map(\.rows.count) else {
            throw Violation("counts \(counts) where there are \(sections.map(\.rows.count))")
        }
    }

    /// Sets the sections and returns for each that stood there before its position now.
    private mutating func applySections(
        _ stage: JSON,
        _ before: [Section],
        _ fresh: inout Set<String>,
        _ described: inout Set<String>
    ) throws -> [Int?] {
        var taken: Set<Int> = []
        func take(_ at: Int, _ id: String) throws {
            guard before.indices.contains(at), before[at].id == id else {
                throw Violation("section \(at) is not \(id)")
            }
            guard taken.insert(at).inserted else { throw Violation("section \(at) goes twice") }
        }
        var placed: [Int: Section] = [:]
        func place(_ section: Section, _ at: Int) throws {
            guard placed.updateValue(section, forKey: at) == nil else {
                throw Violation("two sections come to \(at)")
            }
        }
        for (at, id) in zip(
            try Self.places(stage, "deleteSections", "at"),
            try Self.ids(stage, "deleteSections")
        ) { try take(at, id) }
        var order = [Int?](repeating: nil, count: before.count)
        let targets = try Self.places(stage, "moveSections", "to")
        for ((from, id), to) in zip(
            zip(
                try Self.places(stage, "moveSections", "from"),
                try Self.ids(stage, "moveSections")
            ),
            targets
        ) {
            try take(from, id)
            try place(before[from], to)
            order[from] = to
        }
        let arriving = stage["insertSections", "rows"]?.elements ?? []
        for ((at, id), rows) in zip(
            zip(
                try Self.places(stage, "insertSections", "at"),
                try Self.ids(stage, "insertSections")
            ),
            arriving
        ) {
            let ids = rows.elements.compactMap(\.text)
            try place(Section(id: id, rows: ids), at)
            fresh.formUnion(ids)
            described.insert(id)
        }
        var rest = before.indices.filter { !taken.contains($0) }[...]
        sections = []
        for position in 0..<rest.count + placed.count {
            if let section = placed[position] {
                sections.append(section)
            } else {
                let from = try Self.unwrap(rest.popFirst(), "a gap among the sections")
                order[from] = position
                sections.append(before[from])
            }
        }
        return order
    }

    private mutating func applyRows(
        _ stage: JSON,
        _ before: [Section],
        _ order: [Int?],
        _ fresh: inout Set<String>
    ) throws {
        var taken: Set<[Int]> = []
        func take(_ path: [Int], _ id: String) throws {
            let found = try row(path, in: before)
            guard found == id else { throw Violation("row \(path) is not \(id)") }
            guard taken.insert(path).inserted else { throw Violation("row \(path) goes twice") }
            let staysPut = order[path[0]].map { sections[$0].id == before[path[0]].id } ?? false
            let isMoved = stage["moveSections", "from"]?.elements.contains(.number(Double(path[0])))
            guard staysPut, isMoved != true else { throw Violation("a row of section \(path[0])") }
        }
        var placed: [[Int]: String] = [:]
        func place(_ id: String, _ path: [Int]) throws {
            guard path.count == 2, sections.indices.contains(path[0]),
                placed.updateValue(id, forKey: path) == nil
            else { throw Violation("row \(id) comes to \(path)") }
            let arrives =
                (stage["insertSections", "at"]?.elements ?? [])
                + (stage["moveSections", "to"]?.elements ?? [])
            guard !arrives.contains(.number(Double(path[0]))) else {
                throw Violation("row \(id) comes into a section that comes or moves")
            }
        }
        for (at, id) in zip(try Self.paths(stage, "delete", "at"), try Self.ids(stage, "delete")) {
            try take(at, id)
        }
        for (at, id) in zip(try Self.paths(stage, "insert", "at"), try Self.ids(stage, "insert")) {
            try place(id, at)
            fresh.insert(id)
        }
        for ((from, id), to) in zip(
            zip(try Self.paths(stage, "move", "from"), try Self.ids(stage, "move")),
            try Self.paths(stage, "move", "to")
        ) {
            try take(from, id)
            try place(id, to)
        }
        guard !taken.isEmpty || !placed.isEmpty else { return }
        for (old, new) in order.enumerated() {
            guard let new else { continue }
            var rest = before[old].rows.indices.filter { !taken.contains([old, $0]) }[...]
            let arriving = placed.keys.filter { $0[0] == new }.count
            let count = rest.count + arriving
            sections[new].rows = try (0..<count).map { position in
                if let id = placed[[new, position]] { return id }
                return before[old].rows[try Self.unwrap(rest.popFirst(), "a gap among the rows")]
            }
            guard rest.isEmpty else { throw Violation("a row comes behind the end") }
        }
        let all = sections.flatMap(\.rows)
        guard Set(all).count == all.count else { throw Violation("a row stands twice") }
    }

    private func row(_ path: [Int], in sections: [Section]) throws -> String {
        guard path.count == 2, sections.indices.contains(path[0]),
            sections[path[0]].rows.indices.contains(path[1])
        else { throw Violation("no row at \(path)") }
        return sections[path[0]].rows[path[1]]
    }

    // MARK: - Reading

    private static func ids(_ stage: JSON, _ name: String) throws -> [String] {
        try (stage[name, "id"]?.elements ?? []).map {
            try unwrap($0.text, "\(name) without an id")
        }
    }

    private static func places(_ stage: JSON, _ name: String, _ part: String) throws -> [Int] {
        try same(stage, name, (stage[name, part]?.elements ?? []).compactMap(\.integer))
    }

    private static func paths(_ stage: JSON, _ name: String, _ part: String) throws -> [[Int]] {
        let paths = (stage[name, part]?.elements ?? []).map { $0.elements.compactMap(\.integer) }
        let isAscending = zip(paths, paths.dropFirst()).allSatisfy {
            $0.lexicographicallyPrecedes($1)
        }
        guard isAscending || part == "from" else { throw Violation("\(name) is not in order") }
        return try same(stage, name, paths)
    }

    /// As many places as there are ids.
    private static func same<Place>(
        _ stage: JSON,
        _ name: String,
        _ places: [Place]
    ) throws -> [Place] {
        guard places.count == stage[name, "id"]?.elements.count ?? 0 else {
            throw Violation("\(name) has other places than ids")
        }
        return places
    }

    private static func unwrap<Value>(_ value: Value?, _ reason: String) throws -> Value {
        guard let value else { throw Violation(reason) }
        return value
    }
}
