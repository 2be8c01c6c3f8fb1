/// Facts about the values of a column in the rows of all pages.
public struct ColumnStatistics: Hashable, Sendable {
    /// The maximum number of frequent values.
    public static let maximumFrequent = 5

    /// The position of the column in the schema.
    public let column: Int
    /// The number of rows with a value.
    public private(set) var present = 0
    /// The number of rows without a value.
    public private(set) var missing = 0
    /// The number of different values.
    public let distinct: Int
    /// The first value in the order of the list; null without a value.
    public let minimum: CellValue
    /// The last value in the order of the list; null without a value.
    public let maximum: CellValue
    /// The mean of the numbers; null without a number.
    public let average: CellValue
    /// The first of the texts with the fewest characters; null without a text.
    public private(set) var shortest = CellValue.null
    /// The first of the texts with the most characters; null without a text.
    public private(set) var longest = CellValue.null
    /// The most frequent values, by descending number of rows; of many, only those of several rows.
    public let frequent: [Facet.Value]
    /// The numbers or times in ranges of equal width; empty without two different ones.
    public let histogram: Histogram

    package static func isUsable(_ column: Column) -> Bool { column.isSortable }

    /// Each value has the number of its rows.
    ///
    /// `isLess` is the order of the list.
    package init(
        column: Int,
        _ values: [CellValue: Int],
        by isLess: (CellValue, CellValue) -> Bool = {
            RowOrder.compare(.value($0), .value($1)) < 0
        }
    ) {
        self.column = column
        var tally = ColumnTally()
        var lengths = (least: Int.max, greatest: -1)
        for (value, count) in values {
            guard !value.isNull else {
                missing = count
                continue
            }
            present += count
            tally.add(value, count: count, by: isLess)
            guard case .text(let text) = value else { continue }
            let length = text.unicodeScalars.count
            if length < lengths.least || length == lengths.least && isLess(value, shortest) {
                (lengths.least, shortest) = (length, value)
            }
            if length > lengths.greatest || length == lengths.greatest && isLess(value, longest) {
                (lengths.greatest, longest) = (length, value)
            }
        }
        distinct = values.count - (values[.null] == nil ? 0 : 1)
        minimum = tally.value(of: .minimum)
        maximum = tally.value(of: .maximum)
        average = tally.value(of: .average)
        let areFew = distinct <= Self.maximumFrequent
        let repeated = values.filter { !$0.key.isNull && (areFew || $0.value > 1) }
        let counted = repeated.map { Facet.Value($0.key, count: Count($0.value)) }
        let facet = Facet(column: column, ordering: counted, isComplete: true, by: isLess)
        frequent = Array(facet.values.prefix(Self.maximumFrequent))
        histogram = Histogram(values)
    }
}
