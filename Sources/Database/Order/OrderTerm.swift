package import Listings

/// One step of an order, as SQL.
package struct OrderTerm: Hashable, Sendable {
    /// The compared value.
    package let comparand: Operand
    /// The direction in which values are sorted.
    package let direction: SortKey.Direction
    /// The position of rows without a value, or nil if every row has one.
    package let nulls: SortKey.Nulls?
    /// The engine's default position of nulls in ascending order.
    private let nativeNulls: SortKey.Nulls

    /// Creates a step of an order.
    ///
    /// - Parameters:
    ///   - comparand: The compared value.
    ///   - direction: The direction in which values are sorted.
    ///   - nulls: The position of rows without a value, or nil if every row has one.
    ///   - nativeNulls: See ``Dialect/nativeNulls``.
    package init(
        _ comparand: Operand,
        _ direction: SortKey.Direction = .ascending,
        nulls: SortKey.Nulls?,
        nativeNulls: SortKey.Nulls
    ) {
        self.comparand = comparand
        self.direction = direction
        self.nulls = nulls
        self.nativeNulls = nativeNulls
    }

    /// The same step with an expression for which the engine uses no index.
    func shielded(by dialect: any Dialect) -> OrderTerm {
        OrderTerm(
            comparand.replacing(dialect.shielded(comparand.expression)),
            direction,
            nulls: nulls,
            nativeNulls: nativeNulls
        )
    }

    /// The expression of the compared value, including its collation.
    package var expression: String { comparand.expression }

    /// The same step in the opposite direction.
    package var reversed: OrderTerm {
        OrderTerm(
            comparand,
            direction == .ascending ? .descending : .ascending,
            nulls: nulls.map(\.opposite),
            nativeNulls: nativeNulls
        )
    }

    /// Whether nulls are at the engine's default position, so that an index gives the order.
    package var isNative: Bool {
        guard let nulls else { return true }
        return nulls == (direction == .ascending ? nativeNulls : nativeNulls.opposite)
    }

    /// The step as text of an ORDER BY.
    ///
    /// The position of nulls is omitted if it is the default or no null can occur.
    func order(withNulls: Bool) -> String {
        let text = expression + (direction == .ascending ? "" : " DESC")
        guard withNulls, !isNative else { return text }
        return text + (nulls == .first ? " NULLS FIRST" : " NULLS LAST")
    }
}

extension SortKey.Nulls {
    fileprivate var opposite: SortKey.Nulls { self == .first ? .last : .first }
}
