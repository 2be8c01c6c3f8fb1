/// A condition that shown rows meet.
///
/// A row without a value meets only `ne`, `nin` and ``Operator/isNull``. Therefore every condition
/// has an opposite: `ne` matches exactly the rows that `eq` excludes.
public struct Filter: Hashable, Sendable {
    /// The comparison of a value with the operands.
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        /// The value is the operand.
        case equal = "eq"
        /// There is no value, or it differs from the operand.
        case notEqual = "ne"
        /// The value precedes the operand in the order of the list.
        case less = "lt"
        /// The value precedes the operand or equals it.
        case atMost = "lte"
        /// The value follows the operand.
        case greater = "gt"
        /// The value follows the operand or equals it.
        case atLeast = "gte"
        /// The value is one of the operands.
        case among = "in"
        /// There is no value, or it is none of the operands.
        case notAmong = "nin"
        /// The text contains the operand, ignoring case and accents.
        case contains
        /// The text begins with the operand, ignoring case and accents.
        case startsWith = "startswith"
        /// The text ends with the operand, ignoring case and accents.
        case endsWith = "endswith"
        /// The operand states whether the value is missing.
        case isNull = "isnull"
        /// The value is the operand and has its type, as in the links of facets.
        case identical = "is"
    }

    /// The compared column, or the id; the id for a group.
    public let field: SortKey.Field
    /// The comparison.
    public let operation: Operator
    /// The values to compare with, at least one.
    ///
    /// ``Operator/isNull`` has a Boolean.
    ///
    /// Equality takes several: those of a list, and in a mixed column all values of one text. Ids
    /// are texts, as in URLs.
    public let operands: [CellValue]
    /// Whether it comes from the scope, not from the query.
    ///
    /// Rows that fail it do not exist for the client.
    public private(set) var isFixed = false
    /// The joined conditions; nil for a comparison.
    ///
    /// A group has no operands.
    public let group: FilterGroup?

    init(
        field: SortKey.Field,
        _ operation: Operator,
        _ operands: [CellValue],
        _ group: FilterGroup? = nil
    ) {
        self.field = field
        self.operation = operation
        self.operands = operands
        self.group = group
    }

    /// Creates a condition on a column.
    ///
    /// - Parameters:
    ///   - column: The position of the column in the schema.
    ///   - operation: The comparison.
    ///   - operands: The values to compare with, none of them null.
    public init(column: Int, _ operation: Operator, _ operands: [CellValue]) {
        precondition(
            !operands.isEmpty && (operands.count == 1 || operation.seeksValues),
            "\(operands.count) operands for \(operation)"
        )
        self.init(field: .column(column), operation, operands)
    }

    /// Creates a condition on the id.
    ///
    /// - Parameters:
    ///   - operation: One of ``Operator/allowedForIDs``.
    ///   - ids: The ids to compare with; an id that no row can have is allowed.
    public init(id operation: Operator, _ ids: [String]) {
        precondition(
            !ids.isEmpty && (ids.count == 1 || operation.takesList),
            "\(ids.count) ids for \(operation)"
        )
        precondition(Operator.allowedForIDs.contains(operation), "\(operation) of ids")
        self.init(field: .id, operation, ids.map { .text($0) })
    }

    /// The position of the column in the schema; nil for a condition on the id and for a group.
    public var column: Int? {
        switch field {
        case .id: nil
        case .column(let column): column
        }
    }

    /// A copy of the condition that comes from the scope, not from the query.
    package var fixed: Filter {
        var filter = self
        filter.isFixed = true
        return filter
    }

    /// The condition for rows that show a value.
    ///
    /// It is `isnull` for null, else `eq`, or `is` if the text of `eq` matches other values too.
    public static func showing(_ value: CellValue, column: Int, of schema: ListSchema) -> Filter {
        guard !value.isNull else { return Filter(column: column, .isNull, [.boolean(true)]) }
        // A date matches a whole day, and a period matches more than its beginning.
        let isExact =
            schema.columns[column].candidates(for: value.plainText) == [value]
            && (value.kind != .time || schema.columns[column].type == .date)
        return Filter(column: column, isExact ? .equal : .identical, [value])
    }

    package static func exactly(_ value: CellValue, column: Int) -> Filter {
        value.isNull
            ? Filter(column: column, .isNull, [.boolean(true)])
            : Filter(column: column, .identical, [value])
    }

    /// Whether the condition compares with whole values, which may name rows of other lists.
    package var comparesWhole: Bool { Operator.allowedForElements.contains(operation) }

    /// Whether the condition by itself selects rows with a value.
    ///
    /// Null means rows without one.
    public func selects(_ value: CellValue) -> Bool {
        switch operation {
        case .equal, .among, .identical:
            operands.contains(field == .id ? .text(value.plainText) : value)
        case .isNull: operands == [.boolean(value.isNull)]
        default: false
        }
    }
}

extension Filter.Operator {
    /// Whether the operator takes a list of values.
    public var takesList: Bool { self == .among || self == .notAmong }

    /// Whether the operator seeks or excludes certain values.
    public var seeksValues: Bool {
        switch self {
        case .equal, .notEqual, .among, .notAmong: true
        default: false
        }
    }

    /// The comparison with a neighbour of the operand, if no compared value is between them.
    ///
    /// Nil if no value equals the operand. The order of the neighbour and the operand is less than,
    /// equal to or greater than 0.
    package func comparing(neighbour order: Int) -> Filter.Operator? {
        guard order != 0 else { return self }
        switch self {
        case .less, .atMost: return order < 0 ? .atMost : .less
        case .greater, .atLeast: return order < 0 ? .greater : .atLeast
        default: return nil
        }
    }

    /// Whether the operator matches characters, which only texts have.
    public var matchesLetters: Bool {
        switch self {
        case .contains, .startsWith, .endsWith: true
        default: false
        }
    }

    /// The operators for ids, which are opaque and can only be equal or not.
    public static let allowedForIDs: [Filter.Operator] = [.equal, .notEqual, .among, .notAmong]

    /// The operators for the elements of an array: one of them is the operand, or none is.
    package static let allowedForElements: [Filter.Operator] = [
        .equal, .notEqual, .among, .notAmong, .identical,
    ]

    package var isAllowedForIDs: Bool { Self.allowedForIDs.contains(self) }

    /// The operators for values of a type.
    public static func allowed(for type: ColumnType) -> [Filter.Operator] {
        allCases.filter { $0.isAllowed(for: type) }
    }

    /// Returns whether the operator can compare values of a column type.
    public func isAllowed(for type: ColumnType) -> Bool {
        switch self {
        case .contains, .startsWith, .endsWith: type.isText || type == .json
        case .less, .atMost, .greater, .atLeast: type != .boolean && type != .bytes
        case .equal, .notEqual, .among, .notAmong: type != .bytes
        case .isNull, .identical: true
        }
    }
}
