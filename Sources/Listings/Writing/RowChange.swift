/// One change that is asked of a list.
public struct RowChange: Hashable, Sendable {
    /// What is to be done with the row.
    public enum Verb: Hashable, Sendable {
        /// Create it; a row that has the id already stands in the way.
        case insert
        /// Create it, unless there is one of that id.
        case insertIfAbsent
        /// Create it, or give every column of the one there is a new value: null where the change
        /// names none.
        case replace
        /// Give the columns that the change names new values.
        case merge
        /// Create it, or give the columns that the change names new values.
        case mergeOrInsert
        /// Remove it.
        case delete
    }

    /// What is to be done.
    public let verb: Verb
    /// The id of the row; nil lets the list make one, which only ``Verb/insert`` does.
    public let id: String?
    /// The values by the positions of their columns in the schema.
    public var values: [Int: CellValue]
    /// What must be true of the row there is.
    public var conditions: [RowCondition]

    /// Describes a change.
    public init(
        _ verb: Verb,
        id: String?,
        values: [Int: CellValue] = [:],
        conditions: [RowCondition] = []
    ) {
        precondition(id != nil || verb == .insert, "\(verb) of a row without an id")
        self.verb = verb
        self.id = id
        self.values = values
        self.conditions = conditions
    }
}

/// What must be true of the row there is before it is changed.
public enum RowCondition: Hashable, Sendable {
    /// There is one.
    case exists
    /// There is none.
    case isAbsent
    /// There is one, at one of these revisions.
    case isAt([Int64])
    /// There is none, or one at another revision than these.
    case isNotAt([Int64])

    /// Whether it is true.
    ///
    /// - Parameters:
    ///   - exists: Whether there is a row.
    ///   - revision: Its revision; nil where none is kept.
    /// - Returns: Whether it is.
    public func holds(exists: Bool, revision: Int64?) -> Bool {
        switch self {
        case .exists: exists
        case .isAbsent: !exists
        case .isAt(let revisions): exists && revision.map(revisions.contains) ?? false
        case .isNotAt(let revisions): !exists || !(revision.map(revisions.contains) ?? false)
        }
    }
}

/// What became of a change.
public struct ChangedRow: Hashable, Sendable {
    /// What was done.
    public enum Effect: String, Hashable, Sendable {
        /// There is a new row.
        case created
        /// The row has other values than before.
        case changed
        /// The row has the values that were asked for already, or was to be left alone.
        case unchanged
        /// The row is gone.
        case deleted
    }

    /// The id of the row.
    public let id: String
    /// The revision it has now; nil when it is gone, or none is kept.
    public let revision: Int64?
    /// What was done.
    public let effect: Effect

    /// Describes what was done.
    public init(id: String, revision: Int64?, effect: Effect) {
        self.id = id
        self.revision = revision
        self.effect = effect
    }
}
