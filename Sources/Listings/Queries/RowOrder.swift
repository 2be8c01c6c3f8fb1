/// The order of positions in a query: section, then the query's keys, then the id.
package struct RowOrder: Sendable {
    package let keys: [SortKey]

    package init(_ query: ListQuery) { keys = query.order }

    /// The null key is last.
    ///
    /// The list's own sections, whose order only the list knows, are compared by id.
    ///
    /// - Returns: Less than, equal to or greater than 0.
    package static func compare(_ left: SectionKey, _ right: SectionKey) -> Int {
        switch (left, right) {
        case (.whole, .whole): 0
        case (.whole, _): -1
        case (_, .whole): 1
        case (.named(let left), .named(let right)): sign(left.rawValue, right.rawValue)
        case (.named, .value): -1
        case (.value, .named): 1
        case (.value(let left), .value(let right)):
            switch (left.isNull, right.isNull) {
            case (true, true): 0
            case (true, false): 1
            case (false, true): -1
            case (false, false): compare(left, right)
            }
        }
    }

    package func compare(_ left: [CellValue], _ right: [CellValue]) -> Int {
        for (index, key) in keys.enumerated() {
            let result = compare(left[index], right[index], by: key)
            if result != 0 { return result }
        }
        return 0
    }

    private func compare(_ left: CellValue, _ right: CellValue, by key: SortKey) -> Int {
        switch (left.isNull, right.isNull) {
        case (true, true): return 0
        case (true, false): return key.nulls == .first ? -1 : 1
        case (false, true): return key.nulls == .first ? 1 : -1
        case (false, false):
            let result = key.field == .id ? Self.compareIDs(left, right) : Self.compare(left, right)
            return key.direction == .ascending ? result : -result
        }
    }

    /// Compares two ids: numbers by value, texts by their bytes.
    package static func compareIDs(_ left: CellValue, _ right: CellValue) -> Int {
        guard case .text(let left) = left, case .text(let right) = right else {
            return compare(left, right)
        }
        return TextCollation.compareBytes(left.utf8.span, right.utf8.span)
    }

    /// Compares two values that are not null: by kind (``CellValue/Kind``), then within it.
    ///
    /// Numbers are compared by exact value, times by instant, texts by collation, JSON and bytes
    /// bytewise.
    package static func compare(_ left: CellValue, _ right: CellValue) -> Int {
        switch (left, right) {
        case (.text(let left), .text(let right)):
            TextCollation.compare(left.utf8.span, right.utf8.span)
        case (.integer(let left), .integer(let right)): sign(left, right)
        case (.date(let left), .date(let right)): sign(left.ordinal, right.ordinal)
        default:
            left.kind == right.kind
                ? compare(left, right, of: left.kind) : sign(left.kind, right.kind)
        }
    }

    private static func compare(
        _ left: CellValue,
        _ right: CellValue,
        of kind: CellValue.Kind
    ) -> Int {
        switch kind {
        case .number: NumberOrder.compare(left, right)
        case .time: sign(TimeRank(left), TimeRank(right))
        case .boolean: sign(left == .boolean(true) ? 1 : 0, right == .boolean(true) ? 1 : 0)
        case .json, .text:
            TextCollation.compareBytes(left.plainText.utf8.span, right.plainText.utf8.span)
        case .bytes: compareBytes(left, right)
        case .null: 0
        }
    }

    private static func compareBytes(_ left: CellValue, _ right: CellValue) -> Int {
        guard case .bytes(let left) = left, case .bytes(let right) = right else { return 0 }
        guard let own = left.bytes, let others = right.bytes else {
            return sign(left.count, right.count)
        }
        return TextCollation.compareBytes(own.span, others.span)
    }

    private static func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }
}
