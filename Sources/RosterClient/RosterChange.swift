/// A change of a page: consecutive stages, and the rows and sections that they insert.
public struct RosterChange: Sendable, Decodable {
    /// The version of the page before the change.
    public let from: String
    /// The version of the page after the change.
    public let to: String
    /// The stages, each for one `performBatchUpdates`.
    ///
    /// There are none if nothing changed.
    public let stages: [RosterStage]
    /// The inserted and changed rows, by id.
    let rows: [String: RosterRow]
    /// The inserted sections and those with a new header or footer, by id, without rows.
    let sections: [String: RosterSection]
    let links: Links
    let page: Cursors

    struct Links: Decodable, Sendable { let changes: String? }
    struct Cursors: Decodable, Sendable { let after: String? }
}

/// The position of a row: its section and its index in the section, both from 0.
public struct RosterPlace: Hashable, Sendable, Decodable {
    /// The index of the section.
    public let section: Int
    /// The index of the row in the section.
    public let row: Int

    /// Reads `[section, row]`.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        section = try container.decode(Int.self)
        row = try container.decode(Int.self)
    }
}

/// A set of changes that are applied at once.
///
/// Positions of deletions are those before the stage, positions of insertions those after it. This
/// matches UIKit's `performBatchUpdates`. All other items keep their order and fill the gaps.
public struct RosterStage: Sendable, Hashable {
    /// A deleted, inserted or reloaded item.
    public struct Change<Location: Hashable & Sendable & Decodable>: Sendable, Hashable {
        /// The position.
        public let at: Location
        /// The id of the item.
        public let id: String
    }

    /// A moved item.
    public struct Move<Location: Hashable & Sendable & Decodable>: Sendable, Hashable {
        /// The position before the stage.
        public let from: Location
        /// The position after the stage.
        public let to: Location
        /// The id of the item.
        public let id: String
    }

    /// The deleted sections.
    public let deletedSections: [Change<Int>]
    /// The inserted sections.
    public let insertedSections: [Change<Int>]
    /// The ids of the rows of each inserted section, in the order of ``insertedSections``.
    let rowsOfInsertedSections: [[String]]
    /// The moved sections.
    public let movedSections: [Move<Int>]
    /// The deleted rows.
    public let deletedRows: [Change<RosterPlace>]
    /// The inserted rows.
    public let insertedRows: [Change<RosterPlace>]
    /// The moved rows.
    public let movedRows: [Move<RosterPlace>]
    /// The changed rows, with their positions after the stage.
    public let reloadedRows: [Change<RosterPlace>]
    /// The sections with a new header or footer, with their positions after the stage.
    public let changedHeaders: [Change<Int>]
    /// The number of rows of each section after the stage.
    public let counts: [Int]
}

extension RosterStage: Decodable {
    private enum CodingKeys: String, CodingKey {
        case deleteSections, insertSections, moveSections, delete, insert, move, reload, headers
        case counts
    }

    private struct Changes<Location: Hashable & Sendable & Decodable>: Decodable {
        let at: [Location]
        let id: [String]
        let rows: [[String]]?
    }

    private struct Moves<Location: Hashable & Sendable & Decodable>: Decodable {
        let from: [Location]
        let to: [Location]
        let id: [String]
    }

    /// Reads a stage.
    ///
    /// - Throws: `DecodingError`, also if the arrays of a change differ in length.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func check(_ isEven: Bool, _ key: CodingKeys) throws {
            guard !isEven else { return }
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "The arrays differ in length."
            )
        }
        func changes<Location>(_ key: CodingKeys, _: Location.Type) throws -> [Change<Location>] {
            guard let found = try container.decodeIfPresent(Changes<Location>.self, forKey: key)
            else { return [] }
            try check(found.at.count == found.id.count, key)
            return zip(found.at, found.id).map { Change(at: $0, id: $1) }
        }
        func moves<Location>(_ key: CodingKeys, _: Location.Type) throws -> [Move<Location>] {
            guard let found = try container.decodeIfPresent(Moves<Location>.self, forKey: key)
            else { return [] }
            try check(found.from.count == found.id.count && found.to.count == found.id.count, key)
            return found.id.indices.map {
                Move(from: found.from[$0], to: found.to[$0], id: found.id[$0])
            }
        }
        deletedSections = try changes(.deleteSections, Int.self)
        insertedSections = try changes(.insertSections, Int.self)
        rowsOfInsertedSections =
            try container.decodeIfPresent(Changes<Int>.self, forKey: .insertSections)?.rows ?? []
        try check(rowsOfInsertedSections.count == insertedSections.count, .insertSections)
        movedSections = try moves(.moveSections, Int.self)
        deletedRows = try changes(.delete, RosterPlace.self)
        insertedRows = try changes(.insert, RosterPlace.self)
        movedRows = try moves(.move, RosterPlace.self)
        reloadedRows = try changes(.reload, RosterPlace.self)
        changedHeaders = try changes(.headers, Int.self)
        counts = try container.decode([Int].self, forKey: .counts)
    }
}
