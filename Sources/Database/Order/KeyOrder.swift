package import Listings

/// The engine's order of section keys, for comparing keys in memory.
///
/// Null sorts last.
package enum KeyOrder: Hashable, Sendable {
    case lists
    /// SQLite's own order: numbers, texts byte by byte, bytes. Dates are texts there.
    case storageClasses
    /// The order of columns of one type, whose texts are compared byte by byte.
    case typed

    package func isLess(_ left: CellValue, than right: CellValue) -> Bool {
        guard !left.isNull, !right.isNull else { return !left.isNull && right.isNull }
        switch self {
        case .lists: return RowOrder.compare(left, right) < 0
        case .storageClasses:
            let (leftRank, rightRank) = (Self.rank(left.kind), Self.rank(right.kind))
            guard leftRank == rightRank else { return leftRank < rightRank }
            guard leftRank == 1 else { return RowOrder.compare(left.number, right.number) < 0 }
            return Self.compareTexts(left, right) < 0
        case .typed:
            guard left.kind == right.kind, left.kind != .text else {
                return Self.compareTexts(left, right) < 0
            }
            return RowOrder.compare(left, right) < 0
        }
    }

    /// Values that the engine takes for equal, such as false and 0, have the order of lists.
    package func precedes(_ left: CellValue, _ right: CellValue) -> Bool {
        // Keys order times by instant, however they are spelled.
        if left.kind == .time, right.kind == .time { return RowOrder.compare(left, right) < 0 }
        if isLess(left, than: right) { return true }
        return !isLess(right, than: left) && RowOrder.compare(left, right) < 0
    }

    private static func compareTexts(_ left: CellValue, _ right: CellValue) -> Int {
        TextCollation.compareBytes(left.plainText.utf8.span, right.plainText.utf8.span)
    }

    private static func rank(_ kind: CellValue.Kind) -> Int {
        switch kind {
        case .null, .boolean, .number: 0
        case .time, .text, .json: 1
        case .bytes: 2
        }
    }
}

extension CellValue {
    fileprivate var number: CellValue {
        if case .boolean(let boolean) = self { .integer(boolean ? 1 : 0) } else { self }
    }
}
