/// A value that is computed from the values of a column.
public struct Aggregate: Hashable, Sendable {
    /// The computation.
    ///
    /// All ignore rows without a value, as in SQL.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        /// The exact sum of all numbers.
        case sum
        /// The sum divided by the number of numbers, with 15 significant digits.
        case average = "avg"
        /// The first value in the order of the list.
        case minimum = "min"
        /// The last value in the order of the list.
        case maximum = "max"
        /// The number of rows that have a value.
        case filled
    }

    /// The computation.
    public let function: Function
    /// The position of the column in the schema.
    public let column: Int

    /// Creates an aggregate.
    public init(_ function: Function, column: Int) {
        self.function = function
        self.column = column
    }

    /// Whether a column has the aggregate: numbers have sums, ordered values the others.
    package static func isUsable(_ function: Function, of column: Column) -> Bool {
        switch function {
        case .sum, .average: column.type.isNumber
        case .minimum, .maximum, .filled: column.isSortable
        }
    }
}

package struct ColumnTally: Sendable {
    private var sum = DecimalSum()
    private var numbers = 0
    private var values = 0
    private var least: CellValue?
    private var greatest: CellValue?

    package init() {}

    /// The count is a number of rows.
    ///
    /// `isLess` is the order of the list.
    package mutating func add(
        _ value: CellValue,
        count: Int = 1,
        by isLess: (CellValue, CellValue) -> Bool = {
            RowOrder.compare(.value($0), .value($1)) < 0
        }
    ) {
        guard !value.isNull else { return }
        values += count
        if value.kind == .number {
            sum.add(value, times: count)
            numbers += count
        }
        if least.map({ isLess(value, $0) }) ?? true { least = value }
        if greatest.map({ isLess($0, value) }) ?? true { greatest = value }
    }

    package func value(of function: Aggregate.Function) -> CellValue {
        switch function {
        case .sum: numbers == 0 ? .null : sum.total
        case .average: numbers == 0 ? .null : sum.quotient(by: numbers)
        case .minimum: least ?? .null
        case .maximum: greatest ?? .null
        case .filled: .integer(Int64(values))
        }
    }
}
