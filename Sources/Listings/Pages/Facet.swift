/// The values of a column and how many rows have each.
///
/// Counted over the rows that meet all conditions but those on the column itself, so that another
/// value can be chosen in place of the one chosen now.
public struct Facet: Hashable, Sendable {
    /// A value and its rows.
    public struct Value: Hashable, Sendable {
        /// The value; null for the rows that have none.
        public let value: CellValue
        /// The rows that have it; nil when counting them took too long.
        public let count: Count?

        /// Creates a value.
        public init(_ value: CellValue, count: Count?) {
            self.value = value
            self.count = count
        }
    }

    /// The most values that are named.
    public static let maximumValues = 50

    /// The position of the column in the schema.
    public let column: Int
    /// The values: those with the most rows first, equal ones in the order of the list.
    public let values: [Value]
    /// Whether all values there are are named.
    public let isComplete: Bool

    /// Creates a facet.
    public init(column: Int, values: [Value], isComplete: Bool) {
        self.column = column
        self.values = values
        self.isComplete = isComplete
    }

    /// Puts counted values into their order and keeps as many as may be named.
    ///
    /// - Parameters:
    ///   - column: The position of the column in the schema.
    ///   - counted: The values, each once.
    ///   - isComplete: Whether these are all there are.
    ///   - isLess: Whether one value stands before another in the order of the list.
    package init(
        column: Int,
        ordering counted: [Value],
        isComplete: Bool,
        by isLess: (CellValue, CellValue) -> Bool = {
            RowOrder.compare(.value($0), .value($1)) < 0
        }
    ) {
        let sorted = counted.sorted { left, right in
            let (leftCount, rightCount) = (left.count?.value ?? -1, right.count?.value ?? -1)
            guard leftCount == rightCount else { return leftCount > rightCount }
            return isLess(left.value, right.value)
        }
        self.init(
            column: column,
            values: Array(sorted.prefix(Self.maximumValues)),
            isComplete: isComplete && sorted.count <= Self.maximumValues
        )
    }
}
