/// What became of a page: stages that follow one another, and what they bring.
public struct RosterChange: Sendable, Decodable {
    /// The version of the page that the change is of.
    public let from: String
    /// The version of the page behind it.
    public let to: String
    /// The stages, each of which `performBatchUpdates` takes; none when nothing changed.
    public let stages: [RosterStage]
    /// The rows that enter the page or are another than before, by id.
    let rows: [String: RosterRow]
    /// The sections that enter the page or have another header or footer, by id, without rows.
    let sections: [String: RosterSection]
    let links: Links

    struct Links: Decodable, Sendable { let changes: String? }
}

/// The place of a row: its section and its place in the section, both from 0.
public struct RosterPlace: Hashable, Sendable, Decodable {
    /// The section.
    public let section: Int
    /// The row in the section.
    public let row: Int

    /// Reads `[section, row]`.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        section = try container.decode(Int.self)
        row = try container.decode(Int.self)
    }
}

/// Changes that are made at once.
///
/// Places of what leaves are those before the stage, places of what comes those after it, as in
/// UIKit's `performBatchUpdates`. What is not named keeps its order and fills the gaps.
public struct RosterStage: Sendable, Hashable {
    /// Something that goes or comes, or stays and is drawn anew.
    public struct Change<Place: Hashable & Sendable & Decodable>: Sendable, Hashable {
        /// Where.
        public let at: Place
        /// Its id.
        public let id: String
    }

    /// Something that is carried elsewhere.
    public struct Move<Place: Hashable & Sendable & Decodable>: Sendable, Hashable {
        /// Where it was.
        public let from: Place
        /// Where it is.
        public let to: Place
        /// Its id.
        public let id: String
    }

    /// Sections that go.
    public let deletedSections: [Change<Int>]
    /// Sections that come.
    public let insertedSections: [Change<Int>]
    /// The ids of the rows that each section brings, in the order of ``insertedSections``.
    let rowsOfInsertedSections: [[String]]
    /// Sections that stand elsewhere.
    public let movedSections: [Move<Int>]
    /// Rows that go.
    public let deletedRows: [Change<RosterPlace>]
    /// Rows that come.
    public let insertedRows: [Change<RosterPlace>]
    /// Rows that stand elsewhere.
    public let movedRows: [Move<RosterPlace>]
    /// Rows that are another than before; places after the stage.
    public let reloadedRows: [Change<RosterPlace>]
    /// Sections with another header or footer; places after the stage.
    public let changedHeaders: [Change<Int>]
    /// The rows of each section after the stage.
    public let counts: [Int]
}

extension RosterStage: Decodable {
    private enum CodingKeys: String, CodingKey {
        case deleteSections, insertSections, moveSections, delete, insert, move, reload, headers
        case counts
    }

    private struct Changes<Place: Hashable & Sendable & Decodable>: Decodable {
        let at: [Place]
        let id: [String]
        let rows: [[String]]?
    }

    private struct Moves<Place: Hashable & Sendable & Decodable>: Decodable {
        let from: [Place]
        let to: [Place]
        let id: [String]
    }

    /// Reads a stage.
    ///
    /// - Throws: `DecodingError`, also when the arrays of a change differ in length.
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
        func changes<Place>(_ key: CodingKeys, _: Place.Type) throws -> [Change<Place>] {
            guard let found = try container.decodeIfPresent(Changes<Place>.self, forKey: key)
            else { return [] }
            try check(found.at.count == found.id.count, key)
            return zip(found.at, found.id).map { Change(at: $0, id: $1) }
        }
        func moves<Place>(_ key: CodingKeys, _: Place.Type) throws -> [Move<Place>] {
            guard let found = try container.decodeIfPresent(Moves<Place>.self, forKey: key)
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
