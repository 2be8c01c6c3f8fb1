/// A change of a row of a list.
public struct RowChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Verb: Hashable, Sendable {
        /// Creates the row. Fails if a row has the id already.
        case insert
        /// Creates the row, unless a row has the id.
        case insertIfAbsent
        /// Creates the row, or sets all columns of the existing one. Columns that the change does
        /// not name become null.
        case replace
        /// Sets the columns that the change names.
        case merge
        /// Creates the row, or sets the columns that the change names.
        case mergeOrInsert
        /// Deletes the row.
        case delete
    }

    /// The kind of the change.
    public let verb: Verb
    /// The id of the row.
    ///
    /// If nil, which requires ``Verb/insert`` or ``matchedColumns``, the list generates one.
    public let id: String?
    /// The values by the positions of their columns in the schema.
    public var values: [Int: CellValue]
    /// The conditions on the existing row.
    public var conditions: [RowCondition]
    /// The positions of the columns whose values find the existing row, instead of an id.
    ///
    /// Only databases can find rows so.
    package private(set) var matchedColumns: [Int] = []

    /// Creates a change.
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

    package init(_ verb: Verb, matching columns: [Int], values: [Int: CellValue]) {
        self.verb = verb
        id = nil
        self.values = values
        conditions = []
        matchedColumns = columns
    }
}

/// A condition on the existing row before it is changed.
public enum RowCondition: Hashable, Sendable {
    /// The row exists.
    case exists
    /// The row does not exist.
    case isAbsent
    /// The row exists, at one of these revisions.
    case isAt([Int64])
    /// The row does not exist, or is at another revision than these.
    case isNotAt([Int64])

    /// Whether the condition holds.
    ///
    /// - Parameters:
    ///   - exists: Whether the row exists.
    ///   - revision: Its revision; nil if it has none.
    /// - Returns: Whether the condition holds.
    public func holds(exists: Bool, revision: Int64?) -> Bool {
        switch self {
        case .exists: exists
        case .isAbsent: !exists
        case .isAt(let revisions): exists && revision.map(revisions.contains) ?? false
        case .isNotAt(let revisions): !exists || !(revision.map(revisions.contains) ?? false)
        }
    }
}

/// The result of a change.
public struct ChangedRow: Hashable, Sendable {
    /// The effect of a change.
    public enum Effect: String, Hashable, Sendable {
        /// The row was created.
        case created
        /// The values of the row have changed.
        case changed
        /// The row already had the requested values, or should not be changed.
        case unchanged
        /// The row was deleted.
        case deleted
    }

    /// The id of the row.
    public let id: String
    /// The current revision of the row; nil if the row was deleted or has none.
    public let revision: Int64?
    /// The effect of the change.
    public let effect: Effect

    /// Creates a result.
    public init(id: String, revision: Int64?, effect: Effect) {
        self.id = id
        self.revision = revision
        self.effect = effect
    }
}
