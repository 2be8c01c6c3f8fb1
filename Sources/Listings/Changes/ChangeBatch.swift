/// How one state of a list became the next: what a client does to the rows it shows.
///
/// Made together with the state it leads to, and delivered in the order of the versions. It counts
/// rows as pages show them: a model that yields several (``ExpandingController``) is several here,
/// under the ids of its rows, where the paths of a ``Snapshot`` count it once.
public struct ChangeBatch: Hashable, Sendable {
    /// How the change is told.
    public enum Kind: Hashable, Sendable {
        /// Steps to be taken one after the other; at most four.
        case stages([ChangeStage])
        /// Everything is to be read again, because the steps would be more than that or are not
        /// known.
        case reload
    }

    /// The version the change begins from.
    public let from: UInt64
    /// The version it leads to; equal to `from` when nothing changed.
    public let to: UInt64
    /// Rows shown per section before the change; empty when nothing changed.
    public let countsBefore: [Int]
    /// Rows shown per section after the change; empty when nothing changed.
    public let countsAfter: [Int]
    /// How the change is told.
    public let kind: Kind

    /// Creates a change.
    public init(
        from: UInt64,
        to: UInt64,
        countsBefore: [Int],
        countsAfter: [Int],
        kind: Kind
    ) {
        self.from = from
        self.to = to
        self.countsBefore = countsBefore
        self.countsAfter = countsAfter
        self.kind = kind
    }

    /// Whether nothing changed: there is no new version.
    public var isEmpty: Bool { from == to }

    /// The steps; empty for a reload and for a change that is not seen, in a collapsed section.
    public var stages: [ChangeStage] {
        guard case .stages(let stages) = kind else { return [] }
        return stages
    }

    static func nothing(at version: UInt64) -> ChangeBatch {
        ChangeBatch(
            from: version,
            to: version,
            countsBefore: [],
            countsAfter: [],
            kind: .stages([])
        )
    }
}

/// One step of a change: two states and what lies between them.
///
/// What is deleted, and where something moves from, is counted in the state before the step; what is
/// inserted, reloaded or described anew, and where something moves to, in the state after it. Rows
/// and sections that are not named keep their order. No row change names a section that comes, goes
/// or moves in the same step, and nothing is reloaded beside a structural change: so a step can be
/// handed to `performBatchUpdates` as it is.
public struct ChangeStage: Hashable, Sendable {
    /// A section and its place.
    public struct SectionPlace: Hashable, Sendable {
        /// Its position.
        public let at: Int
        /// Its id.
        public let id: SectionID
    }
    /// A section that comes, with the rows it brings.
    public struct InsertedSection: Hashable, Sendable {
        /// Its position.
        public let at: Int
        /// Its id.
        public let id: SectionID
        /// The ids of its rows.
        public let rows: [String]
    }
    /// A section that changes its place.
    public struct MovedSection: Hashable, Sendable {
        /// Where it stood.
        public let from: Int
        /// Where it stands.
        public let to: Int
        /// Its id.
        public let id: SectionID
    }
    /// A row and its place.
    public struct RowPosition: Hashable, Sendable {
        /// Its place.
        public let at: IndexPath
        /// Its id.
        public let id: String
    }
    /// A row that changes its place.
    public struct MovedRow: Hashable, Sendable {
        /// Where it stood.
        public let from: IndexPath
        /// Where it stands.
        public let to: IndexPath
        /// Its id.
        public let id: String
    }
    /// A row whose contents changed.
    public struct ReloadedRow: Hashable, Sendable {
        /// Its place.
        public let at: IndexPath
        /// Its id.
        public let id: String
        /// Whether setting the cells of the row there is, is enough.
        public let isReconfigured: Bool
    }

    /// Sections that go; ascending, as all that follows.
    public internal(set) var deletedSections: [SectionPlace] = []
    /// Sections that come.
    public internal(set) var insertedSections: [InsertedSection] = []
    /// Sections that change their place, by where they go.
    public internal(set) var movedSections: [MovedSection] = []
    /// Rows that go.
    public internal(set) var deletedRows: [RowPosition] = []
    /// Rows that come.
    public internal(set) var insertedRows: [RowPosition] = []
    /// Rows that change their place, by where they go.
    public internal(set) var movedRows: [MovedRow] = []
    /// Rows whose contents changed.
    public internal(set) var reloadedRows: [ReloadedRow] = []
    /// Sections whose description changed: header, footer, index title, collapsed or not.
    public internal(set) var changedHeaders: [SectionPlace] = []
    /// Rows shown per section after the step.
    public internal(set) var counts: [Int] = []

    init() {}

    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
            && deletedRows.isEmpty && insertedRows.isEmpty && movedRows.isEmpty
            && reloadedRows.isEmpty && changedHeaders.isEmpty
    }
}
