public import Listings

/// The change from one state of a list to the next, as steps for the rows that a client shows.
///
/// It is created together with the new state and delivered in the order of the versions. It counts
/// rows as pages show them: a model with several rows (``ExpandingController``) counts several
/// times. The paths of a `Snapshot` count such a model once.
public struct ChangeBatch: Hashable, Sendable {
    /// The form of a change.
    public enum Kind: Hashable, Sendable {
        /// Steps to be applied one after the other; at most four.
        case stages([ChangeStage])
        /// The client has to read everything again, because there are too many steps or they are
        /// unknown.
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
    /// The form of the change.
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

    /// Whether nothing changed, so that there is no new version.
    public var isEmpty: Bool { from == to }

    /// The steps; empty for a reload and for a change in a collapsed section.
    public var stages: [ChangeStage] {
        guard case .stages(let stages) = kind else { return [] }
        return stages
    }

    package static func nothing(at version: UInt64) -> ChangeBatch {
        ChangeBatch(
            from: version,
            to: version,
            countsBefore: [],
            countsAfter: [],
            kind: .stages([])
        )
    }
}

/// One step of a change, between two states.
///
/// Deletions and the origins of moves are positions in the state before the step. Insertions,
/// reloads, changed headers and the targets of moves are positions in the state after it. Rows and
/// sections that are not named keep their order.
///
/// No row change names a section that the same step inserts, deletes or moves. A step with
/// structural changes reloads nothing. So each step can be passed to `performBatchUpdates`.
public struct ChangeStage: Hashable, Sendable {
    /// A section and its position.
    public struct SectionPlace: Hashable, Sendable {
        /// Its position.
        public let at: Int
        /// Its id.
        public let id: SectionID

        package init(at: Int, id: SectionID) {
            self.at = at
            self.id = id
        }
    }
    /// An inserted section with its rows.
    public struct InsertedSection: Hashable, Sendable {
        /// Its position.
        public let at: Int
        /// Its id.
        public let id: SectionID
        /// The ids of its rows.
        public let rows: [String]

        package init(at: Int, id: SectionID, rows: [String]) {
            self.at = at
            self.id = id
            self.rows = rows
        }
    }
    /// A section that moves.
    public struct MovedSection: Hashable, Sendable {
        /// Its position before the step.
        public let from: Int
        /// Its position after the step.
        public let to: Int
        /// Its id.
        public let id: SectionID

        package init(from: Int, to: Int, id: SectionID) {
            self.from = from
            self.to = to
            self.id = id
        }
    }
    /// A row and its position.
    public struct RowPosition: Hashable, Sendable {
        /// Its position.
        public let at: IndexPath
        /// Its id.
        public let id: String

        package init(at: IndexPath, id: String) {
            self.at = at
            self.id = id
        }
    }
    /// A row that moves.
    public struct MovedRow: Hashable, Sendable {
        /// Its position before the step.
        public let from: IndexPath
        /// Its position after the step.
        public let to: IndexPath
        /// Its id.
        public let id: String

        package init(from: IndexPath, to: IndexPath, id: String) {
            self.from = from
            self.to = to
            self.id = id
        }
    }
    /// A row whose contents changed.
    public struct ReloadedRow: Hashable, Sendable {
        /// Its position.
        public let at: IndexPath
        /// Its id.
        public let id: String
        /// Whether the client can keep the row and only set its cells.
        public let isReconfigured: Bool

        package init(at: IndexPath, id: String, isReconfigured: Bool) {
            self.at = at
            self.id = id
            self.isReconfigured = isReconfigured
        }
    }

    /// The deleted sections, ascending.
    ///
    /// All following lists are ascending too.
    public package(set) var deletedSections: [SectionPlace] = []
    /// The inserted sections.
    public package(set) var insertedSections: [InsertedSection] = []
    /// The moved sections, by their targets.
    public package(set) var movedSections: [MovedSection] = []
    /// The deleted rows.
    public package(set) var deletedRows: [RowPosition] = []
    /// The inserted rows.
    public package(set) var insertedRows: [RowPosition] = []
    /// The moved rows, by their targets.
    public package(set) var movedRows: [MovedRow] = []
    /// The rows whose contents changed.
    public package(set) var reloadedRows: [ReloadedRow] = []
    /// The sections whose header, footer, index title or collapsed state changed.
    public package(set) var changedHeaders: [SectionPlace] = []
    /// Rows shown per section after the step.
    public package(set) var counts: [Int] = []

    package init() {}

    package var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
            && deletedRows.isEmpty && insertedRows.isEmpty && movedRows.isEmpty
            && reloadedRows.isEmpty && changedHeaders.isEmpty
    }
}
