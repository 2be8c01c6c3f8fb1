package import Listings

/// The order of the keys of sections, as the engine has it, for keys that are at hand.
///
/// Numbers stand before texts and null stands last.
package struct KeyOrder: Sendable {
    /// How texts are compared.
    package enum Texts: Hashable, Sendable {
        /// As lists do: ``TextCollation``.
        case collated
        /// Byte by byte.
        case byBytes
    }
    private let texts: Texts

    /// Creates an order.
    package init(_ texts: Texts) { self.texts = texts }

    /// Whether one key stands before another.
    package func isLess(_ left: CellValue, than right: CellValue) -> Bool {
        let (leftRank, rightRank) = (rank(left), rank(right))
        guard leftRank == rightRank else { return leftRank < rightRank }
        switch (left, right) {
        case (.text(let left), .text(let right)): return isLess(left, than: right)
        case (.date(let left), .date(let right)): return left < right
        case (.integer(let left), .integer(let right)): return left < right
        default: return number(left) < number(right)
        }
    }

    private func isLess(_ left: String, than right: String) -> Bool {
        switch texts {
        case .collated: TextCollation.isLess(left, than: right)
        case .byBytes: TextCollation.compareBytes(left.utf8.span, right.utf8.span) < 0
        }
    }

    private func rank(_ value: CellValue) -> Int {
        switch value {
        case .integer, .real, .boolean: 0
        case .date: 1
        case .text: 2
        case .null: 3
        }
    }

    private func number(_ value: CellValue) -> Double {
        switch value {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .boolean(let boolean): boolean ? 1 : 0
        case .null, .text, .date: 0
        }
    }
}
