/// One condition that rows must meet to be shown.
///
/// A row without a value is not equal to any value: it meets `ne` and `nin`, and no other condition
/// than those and ``Operator/isNull``. Every condition therefore has an opposite: what `eq` leaves
/// out is what `ne` keeps.
public struct Filter: Hashable, Sendable {
    /// How a value is compared.
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        /// The value is the operand.
        case equal = "eq"
        /// There is no value, or another one than the operand.
        case notEqual = "ne"
        /// The value stands before the operand in the order of the list.
        case less = "lt"
        /// The value stands before the operand or is it.
        case atMost = "lte"
        /// The value stands behind the operand.
        case greater = "gt"
        /// The value stands behind the operand or is it.
        case atLeast = "gte"
        /// The value is one of the operands.
        case among = "in"
        /// There is no value, or one that is none of the operands.
        case notAmong = "nin"
        /// The text has the operand somewhere, whatever the case and the accents.
        case contains
        /// The text begins with the operand, whatever the case and the accents.
        case startsWith = "startswith"
        /// The text ends with the operand, whatever the case and the accents.
        case endsWith = "endswith"
        /// There is no value, or there is one, as the operand says.
        case isNull = "isnull"
        /// The value is exactly the operand, also in its type: what links of facets ask for.
        case identical = "is"
    }

    /// What is compared: a column, or the id.
    public let field: SortKey.Field
    /// How its value is compared.
    public let operation: Operator
    /// The values it is compared with, at least one; a yes or no for ``Operator/isNull``.
    ///
    /// Conditions for equality have several: those of a list, and in a mixed column all values that
    /// one text may name. Ids are texts, as addresses have them.
    public let operands: [CellValue]
    /// Whether it is no part of the question: rows that do not meet it are as if they were not.
    public private(set) var isFixed = false

    /// Creates a condition on a column.
    ///
    /// - Parameters:
    ///   - column: The position of the column in the schema.
    ///   - operation: How its value is compared.
    ///   - operands: The values it is compared with; none of them null.
    public init(column: Int, _ operation: Operator, _ operands: [CellValue]) {
        precondition(
            !operands.isEmpty && (operands.count == 1 || operation.seeksValues),
            "\(operands.count) operands for \(operation)"
        )
        field = .column(column)
        self.operation = operation
        self.operands = operands
    }

    /// Creates a condition on the id.
    ///
    /// - Parameters:
    ///   - operation: How it is compared: one of ``Operator/allowedForIDs``.
    ///   - ids: What it is compared with; one that no row can have is no fault.
    public init(id operation: Operator, _ ids: [String]) {
        precondition(
            !ids.isEmpty && (ids.count == 1 || operation.takesList),
            "\(ids.count) ids for \(operation)"
        )
        precondition(Operator.allowedForIDs.contains(operation), "\(operation) of ids")
        field = .id
        self.operation = operation
        operands = ids.map { .text($0) }
    }

    /// The position of the column in the schema; nil for a condition on the id.
    public var column: Int? {
        switch field {
        case .id: nil
        case .column(let column): column
        }
    }

    /// The same condition, as no part of the question.
    package var fixed: Filter {
        var filter = self
        filter.isFixed = true
        return filter
    }

    /// The condition that a value is shown: `isnull` where there is none, `eq`, or `is` where a
    /// text for `eq` would name other values as well.
    public static func showing(_ value: CellValue, column: Int, of schema: ListSchema) -> Filter {
        guard !value.isNull else { return Filter(column: column, .isNull, [.boolean(true)]) }
        // A date names a whole day, and a period of it names more than its beginning.
        let isExact =
            schema.columns[column].candidates(for: value.plainText) == [value]
            && (value.kind != .time || schema.columns[column].type == .date)
        return Filter(column: column, isExact ? .equal : .identical, [value])
    }

    /// The condition that a value is the given one, in its type, too.
    package static func exactly(_ value: CellValue, column: Int) -> Filter {
        value.isNull
            ? Filter(column: column, .isNull, [.boolean(true)])
            : Filter(column: column, .identical, [value])
    }

    /// Whether the condition by itself chooses rows that have a value, or that have none.
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
    /// Whether it takes a list of values.
    public var takesList: Bool { self == .among || self == .notAmong }

    /// Whether it asks for certain values, or for all others.
    public var seeksValues: Bool {
        switch self {
        case .equal, .notEqual, .among, .notAmong: true
        default: false
        }
    }

    /// Whether it looks at the letters of a text, which only texts have.
    public var matchesLetters: Bool {
        switch self {
        case .contains, .startsWith, .endsWith: true
        default: false
        }
    }

    /// The operators for ids, which are opaque: one is another or it is not.
    public static let allowedForIDs: [Filter.Operator] = [.equal, .notEqual, .among, .notAmong]

    /// Whether it is one of ``allowedForIDs``.
    package var isAllowedForIDs: Bool { Self.allowedForIDs.contains(self) }

    /// The operators for values of a type.
    public static func allowed(for type: ColumnType) -> [Filter.Operator] {
        allCases.filter { operation in
            switch operation {
            case .contains, .startsWith, .endsWith: type.isText || type == .json
            case .less, .atMost, .greater, .atLeast: type != .boolean && type != .bytes
            case .equal, .notEqual, .among, .notAmong: type != .bytes
            case .isNull, .identical: true
            }
        }
    }
}
