import Foundation

/// A page of a list, which can follow changes of the list.
public struct RosterPage: Hashable, Sendable {
    /// The version of the page, by which the server determines later changes.
    public internal(set) var version: String
    /// The columns in order.
    public let columns: [RosterColumn]
    /// The sections with their rows in order.
    public internal(set) var sections: [RosterSection]
    /// The address of the page itself.
    public let address: String
    /// The address that reports changes, or nil if the list does not report them.
    public internal(set) var changesAddress: String?
    /// The address of the next page, or nil on the last one.
    public internal(set) var nextAddress: String?

    /// The rows of all sections in order.
    public var rows: [RosterRow] { sections.flatMap(\.rows) }
}

extension RosterPage: Decodable {
    private enum CodingKeys: String, CodingKey {
        case list, columns, sections, links
    }

    private struct List: Decodable { let version: String }

    private struct Links: Decodable {
        let current: String
        let changes: String?
        let next: String?

        enum CodingKeys: String, CodingKey {
            case current = "self"
            case changes, next
        }
    }

    /// Decodes a page from a response to `GET /LIST.json`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(List.self, forKey: .list).version
        columns = try container.decode([RosterColumn].self, forKey: .columns)
        sections = try container.decode([RosterSection].self, forKey: .sections)
        let links = try container.decode(Links.self, forKey: .links)
        address = links.current
        changesAddress = links.changes
        nextAddress = links.next
    }
}

extension RosterPage {
    /// Applies a change after checking its version, all positions, all ids and the number of rows
    /// after every stage.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - body: Receives each stage with the page after it.
    /// - Throws: ``RosterError/mismatch`` if the change is not one of this page. The page is then
    ///   unchanged and no stage was delivered.
    /// - Complexity: O(rows of the page × stages).
    public mutating func apply(
        _ change: RosterChange,
        _ body: (RosterStage, RosterPage) throws -> Void = { _, _ in }
    ) throws {
        guard change.from == version else { throw RosterError.mismatch }
        var pages: [RosterPage] = []
        var page = self
        for stage in change.stages {
            try page.apply(stage, of: change)
            pages.append(page)
        }
        page.version = change.to
        page.changesAddress = change.links.changes ?? page.changesAddress
        page.nextAddress = change.page.after.flatMap(address(after:))
        if !pages.isEmpty { pages[pages.count - 1] = page }
        self = page
        for (stage, page) in zip(change.stages, pages) { try body(stage, page) }
    }

    private func address(after cursor: String) -> String? {
        var parts = URLComponents(string: address)
        let others = parts?.percentEncodedQueryItems?.filter {
            !["after", "around", "before", "page"].contains($0.name)
        }
        parts?.percentEncodedQueryItems =
            (others ?? []) + [URLQueryItem(name: "after", value: cursor)]
        return parts?.string
    }

    private mutating func apply(_ stage: RosterStage, of change: RosterChange) throws {
        // All removed items are found before anything moves.
        let carriedRows = try stage.movedRows.map { try row(at: $0.from, named: $0.id) }
        let carriedSections = try stage.movedSections.map { try section(at: $0.from, named: $0.id) }
        for row in stage.deletedRows { _ = try self.row(at: row.at, named: row.id) }
        for section in stage.deletedSections {
            _ = try self.section(at: section.at, named: section.id)
        }
        let leavingRows = stage.deletedRows.map(\.at) + stage.movedRows.map(\.from)
        for (section, locations) in Dictionary(grouping: leavingRows, by: \.section) {
            for location in locations.map(\.row).sorted(by: >) {
                sections[section].rows.remove(at: location)
            }
        }
        let leavingSections = stage.deletedSections.map(\.at) + stage.movedSections.map(\.from)
        for location in leavingSections.sorted(by: >) { sections.remove(at: location) }
        try insertSections(stage, carriedSections, of: change)
        try insertRows(stage, carriedRows, of: change)
        for row in stage.reloadedRows {
            _ = try self.row(at: row.at, named: row.id)
            sections[row.at.section].rows[row.at.row] = try row.brought(by: change)
        }
        for header in stage.changedHeaders {
            let old = try section(at: header.at, named: header.id)
            sections[header.at] = try header.brought(by: change, rows: old.rows)
        }
        guard sections.map(\.rows.count) == stage.counts else { throw RosterError.mismatch }
    }

    private mutating func insertSections(
        _ stage: RosterStage,
        _ carried: [RosterSection],
        of change: RosterChange
    ) throws {
        var arriving = zip(stage.movedSections.map(\.to), carried).map { ($0, $1) }
        for (section, ids) in zip(stage.insertedSections, stage.rowsOfInsertedSections) {
            let rows = try ids.map { id in try change.row(id) }
            arriving.append((section.at, try section.brought(by: change, rows: rows)))
        }
        for (location, section) in arriving.sorted(by: { $0.0 < $1.0 }) {
            guard sections.indices.contains(location) || location == sections.count else {
                throw RosterError.mismatch
            }
            sections.insert(section, at: location)
        }
    }

    private mutating func insertRows(
        _ stage: RosterStage,
        _ carried: [RosterRow],
        of change: RosterChange
    ) throws {
        var arriving = zip(stage.movedRows.map(\.to), carried).map { ($0, $1) }
        for row in stage.insertedRows { arriving.append((row.at, try row.brought(by: change))) }
        for (location, row) in arriving.sorted(by: { $0.0.row < $1.0.row }) {
            guard sections.indices.contains(location.section),
                (0...sections[location.section].rows.count).contains(location.row)
            else { throw RosterError.mismatch }
            sections[location.section].rows.insert(row, at: location.row)
        }
    }

    private func row(at location: RosterPlace, named id: String) throws -> RosterRow {
        guard sections.indices.contains(location.section),
            sections[location.section].rows.indices.contains(location.row)
        else { throw RosterError.mismatch }
        let row = sections[location.section].rows[location.row]
        guard row.id == id else { throw RosterError.mismatch }
        return row
    }

    private func section(at location: Int, named id: String) throws -> RosterSection {
        guard sections.indices.contains(location), sections[location].id == id else {
            throw RosterError.mismatch
        }
        return sections[location]
    }
}

extension RosterChange {
    fileprivate func row(_ id: String) throws -> RosterRow {
        guard let row = rows[id] else { throw RosterError.mismatch }
        return row
    }
}

extension RosterStage.Change where Location == RosterPlace {
    fileprivate func brought(by change: RosterChange) throws -> RosterRow { try change.row(id) }
}

extension RosterStage.Change where Location == Int {
    fileprivate func brought(by change: RosterChange, rows: [RosterRow]) throws -> RosterSection {
        guard var section = change.sections[id] else { throw RosterError.mismatch }
        section.rows = rows
        return section
    }
}

/// An error of loading or following a page.
public enum RosterError: Error, Hashable, Sendable {
    /// A change does not match the page that it was requested for.
    case mismatch
    /// The list of the page does not report changes.
    case notFollowed
    /// The server refused the request, with a status and its explanation.
    case refused(status: Int, detail: String)
    /// The response is not one of a Roster server.
    case notUnderstood(String)
}
