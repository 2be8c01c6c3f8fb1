/// What the rows of a list must be like to be written.
///
/// The same for every engine: what passes here is stored as it is.
public struct RowRules: Hashable, Sendable {
    /// The columns of the list.
    public let columns: [Column]
    /// The type of the ids: ``ColumnType/integer`` or ``ColumnType/text``.
    public let idType: ColumnType
    /// The positions of the columns that every row must have a value under.
    public let required: Set<Int>
    /// The positions of the columns that changes have values for: all but that of the ids.
    public let valueColumns: [Int]

    /// The longest id in bytes.
    public static let maximumIDBytes = 512

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - schema: What the list has.
    ///   - required: The ids of the columns that every row must have a value under; each is one of
    ///     the schema's.
    public init(_ schema: ListSchema, required: [String] = []) {
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

    /// Everything that keeps a change from being stored, in the order of the columns.
    ///
    /// Whether the row is there, and at which revision, is seen only when it is written.
    public func faults(in change: RowChange) -> [FieldFault] {
        var faults: [FieldFault] = []
        if let id = change.id, let reason = fault(inID: id) {
            faults.append(FieldFault(column: nil, reason))
        }
        let isPartial = change.verb == .merge || change.verb == .delete
        for (position, column) in columns.enumerated() {
            let value = change.values[position]
            if required.contains(position), change.verb != .delete,
                value.map(\.isMissing) ?? !isPartial
            {
                faults.append(FieldFault(column: position, .missing))
            } else if let value, let reason = Self.fault(in: value, of: column) {
                faults.append(FieldFault(column: position, reason))
            }
        }
        return faults
    }

    private func fault(inID id: String) -> FieldFault.Reason? {
        guard idType != .integer else {
            return CellValue.id(id, as: .integer) == nil ? .wrongType(.integer) : nil
        }
        if id.isEmpty { return .missing }
        if id.utf8.contains(0) { return .holdsNUL }
        return id.utf8.count > Self.maximumIDBytes ? .tooLong(Self.maximumIDBytes) : nil
    }

    /// Why a value cannot stand under a column; nil when it can.
    public static func fault(in value: CellValue, of column: Column) -> FieldFault.Reason? {
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
        case (.text(let text), .text): text.utf8.contains(0) ? .holdsNUL : nil
        case (.text(let text), .email):
            TextForm.isEmail(text.utf8.span) ? nil : .wrongType(type)
        case (.text(let text), .link): TextForm.isLink(text.utf8.span) ? nil : .wrongType(type)
        default: .wrongType(type)
        }
    }
}

extension CellValue {
    /// Whether a required column would stay without a value: blanks are none.
    fileprivate var isMissing: Bool {
        switch self {
        case .null: true
        case .text(let text): text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        case .integer, .real, .boolean, .date, .decimal, .timestamp, .json, .bytes: false
        }
    }
}

/// What keeps one value of a row from being stored.
public struct FieldFault: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// Every row must have a value there.
        case missing
        /// The value is none of the column's type.
        case wrongType(ColumnType)
        /// The text holds U+0000, which not every engine can store.
        case holdsNUL
        /// The text has over so many bytes.
        case tooLong(Int)
        /// The database has a rule of its own that the value does not follow.
        case againstRule
        /// The value breaks the constraint of that name.
        case violates(String)
        /// The database makes the value itself.
        case notGiven
    }

    /// The position of the column; nil is the id.
    public let column: Int?
    /// What is wrong.
    public let reason: Reason

    /// Describes a fault.
    public init(column: Int?, _ reason: Reason) {
        self.column = column
        self.reason = reason
    }
}
