/// The order of numbers by exact value, independent of their type.
///
/// A double is its shortest decimal below 2⁵³, and its exact integer from 2⁵³. NaN is after all
/// numbers, as in PostgreSQL.
enum NumberOrder {
    /// Less than, equal to or greater than 0.
    static func compare(_ left: CellValue, _ right: CellValue) -> Int {
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            return left < right ? -1 : left == right ? 0 : 1
        case (.real(let left), .real(let right)): return compare(left, right)
        case (.real(let left), .integer(let right)): return compare(left, right)
        case (.integer(let left), .real(let right)): return -compare(right, left)
        case (.real(let left), _) where !left.isFinite: return left == -.infinity ? -1 : 1
        case (_, .real(let right)) where !right.isFinite: return right == -.infinity ? 1 : -1
        default:
            guard let left = exact(left), let right = exact(right) else {
                preconditionFailure("\(left) or \(right) is no number")
            }
            return left.compare(right)
        }
    }

    private static func compare(_ left: Double, _ right: Double) -> Int {
        if left.isNaN || right.isNaN {
            return left.isNaN == right.isNaN ? 0 : left.isNaN ? 1 : -1
        }
        return left < right ? -1 : left == right ? 0 : 1
    }

    private static func compare(_ left: Double, _ right: Int64) -> Int {
        guard left >= -0x1p63, left < 0x1p63 else { return left < 0 ? -1 : 1 }
        let whole = left.rounded(.down)
        let integer = Int64(whole)
        if integer != right { return integer < right ? -1 : 1 }
        return whole == left ? 0 : 1
    }

    private static func exact(_ value: CellValue) -> ExactDecimal? {
        switch value {
        case .decimal(let decimal): decimal
        case .integer(let integer): ExactDecimal("\(integer)")
        case .real(let real): ExactDecimal(real)
        default: nil
        }
    }
}

extension Int64 {
    /// Nil if the integer has more than 64 bits.
    package init?(floorOf number: CellValue) {
        switch number {
        case .integer(let integer): self = integer
        case .real(let real):
            guard let integer = Int64(exactly: real.rounded(.down)) else { return nil }
            self = integer
        case .decimal(let decimal):
            let whole = decimal.canonicalText.prefix { $0 != "." }
            guard decimal.nearestDouble.magnitude < 0x1p64, let integer = Int64(whole) else {
                return nil
            }
            let isAbove = RowOrder.compare(number, .integer(integer)) < 0
            guard !isAbove || integer > .min else { return nil }
            self = isAbove ? integer - 1 : integer
        default: return nil
        }
    }
}
