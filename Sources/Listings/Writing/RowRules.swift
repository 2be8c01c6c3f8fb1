/// The rules for rows of a list that are written.
///
/// They are the same for every engine. A valid value is stored unchanged.
public struct RowRules: Hashable, Sendable {
    /// The columns of the list.
    public private(set) var columns: [Column]
    /// The type of the ids: ``ColumnType/integer`` or ``ColumnType/text``.
    public let idType: ColumnType
    /// The positions of the required columns, in which every row must have a value.
    public let required: Set<Int>
    /// The positions of the columns that changes can set: all except the id column.
    public private(set) var valueColumns: [Int]
    /// The positions of the columns that together are the id; empty if no columns are.
    package private(set) var keyColumns: [Int] = []
    /// The positions of the columns whose values the database always makes itself.
    private var madeColumns: [Int] = []
    /// The positions of the columns that people and programs fill, for forms and descriptions.
    package var givenColumns: [Int] { valueColumns.filter { !madeColumns.contains($0) } }
    /// All by default.
    package private(set) var operations = Set(Operation.allCases)

    package enum Operation: Hashable, Sendable, CaseIterable {
        /// The list makes the id.
        case create
        /// Also replaces a row.
        case put
        case update
        case delete
        case bulk
    }

    /// The maximum length of an id in bytes.
    public static let maximumIDBytes = 512

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - schema: The schema of the list.
    ///   - required: The ids of the required columns. Each must be in the schema.
    public init(_ schema: ListSchema, required: [String] = []) {
        self.init(schema, required: required, keyColumns: [])
    }

    package init(
        _ schema: ListSchema,
        required: [String],
        keyColumns: [Int],
        madeColumns: [Int] = []
    ) {
        self.keyColumns = keyColumns
        self.madeColumns = madeColumns
        columns = schema.columns
        idType = schema.idType
        valueColumns = schema.columns.indices.filter { $0 != schema.idColumn }
        self.required = Set(
            required.map { id in
                guard let position = schema.index(of: id) else {
                    preconditionFailure("no column \(id) to be required")
                }
                return position
            }
        )
    }

    /// Returns all errors of a change, in the order of the columns.
    ///
    /// The existence and the revision of the row are checked only when it is written.
    public func faults(in change: RowChange) -> [FieldValidationError] {
        var faults: [FieldValidationError] = []
        if let id = change.id, let reason = fault(inID: id) {
            faults.append(FieldValidationError(column: nil, reason))
        }
        // A merge needs all required values only if the row turns out to be new.
        let isPartial = [.merge, .mergeOrInsert, .delete].contains(change.verb)
        for (position, column) in columns.enumerated() {
            let value = change.values[position]
            if required.contains(position), change.verb != .delete,
                value.map(\.isMissing) ?? !isPartial
            {
                faults.append(FieldValidationError(column: position, .missing))
            } else if let value, let reason = Self.fault(in: value, of: column) {
                faults.append(FieldValidationError(column: position, reason))
            }
        }
        return faults
    }

    /// Creates rules for values that are no row: the input of an action.
    ///
    /// - Parameters:
    ///   - columns: The columns of the values.
    ///   - required: The positions of the required values.
    public init(input columns: [Column], required: Set<Int> = []) {
        self.columns = columns
        self.required = required
        idType = .text
        valueColumns = Array(columns.indices)
    }

    /// Clients set only these columns.
    ///
    /// The list takes only these writes.
    package func setting(_ columns: [Int], _ operations: Set<Operation>) -> RowRules {
        var rules = self
        rules.valueColumns = columns
        rules.operations = operations
        return rules
    }

    /// Values of these columns have the type of the column, though the list shows others.
    package mutating func requireTypes(_ positions: [Int]) {
        for position in positions { columns[position] = columns[position].ofOneType() }
    }

    private func fault(inID id: String) -> FieldValidationError.Reason? {
        guard idType != .integer else {
            return CellValue.id(id, as: .integer) == nil ? .wrongType(.integer) : nil
        }
        if id.isEmpty { return .missing }
        if id.utf8.contains(0) { return .holdsNUL }
        return id.utf8.count > Self.maximumIDBytes ? .tooLong(Self.maximumIDBytes) : nil
    }

    /// Returns the reason why a column cannot store a value; nil if it can.
    public static func fault(in value: CellValue, of column: Column) -> FieldValidationError.Reason?
    {
        let type = column.type
        return switch (value, type) {
        case (.bytes, _): .wrongType(type)
        case (.null, _), (.integer, .integer), (.boolean, .boolean), (.date, .date),
            (.integer, .real), (.decimal, .real), (.real, .real), (.date, .timestamp),
            (.json, .json):
            nil
        case (.timestamp(let timestamp), .timestamp):
            timestamp.precision >= .minute ? nil : .wrongType(type)
        case (.text(let text), _) where column.isMixed:
            text.utf8.contains(0) ? .holdsNUL : nil
        case _ where column.isMixed: nil
        case (.text(let text), _) where type.isText:
            type.accepts(text) ? nil : type.isAddress ? .wrongType(type) : .holdsNUL
        default: .wrongType(type)
        }
    }
}

extension CellValue {
    /// A text of white space counts as none.
    fileprivate var isMissing: Bool {
        switch self {
        case .null: true
        case .text(let text): text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        case .integer, .real, .boolean, .date, .decimal, .timestamp, .json, .bytes: false
        }
    }
}

/// An error of one value of a row, which cannot be stored.
public struct FieldValidationError: Error, Hashable, Sendable {
    /// The reason of an error.
    public enum Reason: Hashable, Sendable {
        /// The column requires a value.
        case missing
        /// The value is not of the column's type.
        case wrongType(ColumnType)
        /// The text contains U+0000, which not every engine can store.
        case holdsNUL
        /// The text exceeds this maximum number of bytes.
        case tooLong(Int)
        /// The value violates a rule of the database.
        case againstRule
        /// The value violates the constraint of that name.
        case violates(String)
        /// The database generates the value itself.
        case notGiven
        /// The next reader of the list's file would take the value, or its column, for this type.
        case readAs(ColumnType)
        /// The program refuses the value, for this reason.
        case refused(String)
    }

    /// The position of the column; nil for the id.
    public let column: Int?
    /// The reason of the error.
    public let reason: Reason

    /// Creates an error.
    public init(column: Int?, _ reason: Reason) {
        self.column = column
        self.reason = reason
    }
}
