/// The values of a column with their numbers of rows.
///
/// The counted rows meet all conditions except those on the column itself. So users can replace the
/// selected value by another one.
public struct Facet: Hashable, Sendable {
    /// A value and its number of rows.
    public struct Value: Hashable, Sendable {
        /// The value; null for rows without a value.
        public let value: CellValue
        /// The number of its rows; nil when counting took too long.
        public let count: Count?

        /// Creates a value.
        public init(_ value: CellValue, count: Count?) {
            self.value = value
            self.count = count
        }
    }

    /// The maximum number of values.
    public static let maximumValues = 50

    /// The position of the column in the schema.
    public let column: Int
    /// The values by descending number of rows, then in the order of the list.
    public let values: [Value]
    /// Whether these are all values.
    public let isComplete: Bool

    package var isMissing: Bool { values.isEmpty && !isComplete }

    package func capped(by isLess: (CellValue, CellValue) -> Bool) -> Facet {
        let capped = values.map { Value($0.value, count: $0.count?.capped) }
        // The order of a part tells which values are more frequent.
        return isComplete
            ? Facet(column: column, ordering: capped, isComplete: true, by: isLess)
            : Facet(column: column, values: capped, isComplete: false)
    }

    /// Creates a facet.
    public init(column: Int, values: [Value], isComplete: Bool) {
        self.column = column
        self.values = values
        self.isComplete = isComplete
    }

    /// At most ``maximumValues`` values are taken.
    ///
    /// The counted values occur once each.
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
