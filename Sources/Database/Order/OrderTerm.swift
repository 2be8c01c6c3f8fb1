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
    /// The condition for rows without a value, or nil for the usual one.
    ///
    /// With a condition of their own, they are always a range of their own.
    package let absence: String?

    /// Creates a step of an order.
    ///
    /// - Parameters:
    ///   - comparand: The compared value.
    ///   - direction: The direction in which values are sorted.
    ///   - nulls: The position of rows without a value, or nil if every row has one.
    ///   - nativeNulls: See ``Dialect/nativeNulls``.
    ///   - absence: See ``absence``.
    package init(
        _ comparand: Operand,
        _ direction: SortKey.Direction = .ascending,
        nulls: SortKey.Nulls?,
        nativeNulls: SortKey.Nulls,
        absence: String? = nil
    ) {
        self.comparand = comparand
        self.direction = direction
        self.nulls = nulls
        self.nativeNulls = nativeNulls
        self.absence = absence
    }

    /// The same step with an expression for which the engine uses no index.
    func shielded(by dialect: any Dialect) -> OrderTerm {
        OrderTerm(
            comparand.replacing(dialect.shielded(comparand.expression)),
            direction,
            nulls: nulls,
            nativeNulls: nativeNulls,
            absence: absence
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
            nativeNulls: nativeNulls,
            absence: absence
        )
    }

    /// Whether nulls are at the engine's default position, so that an index gives the order.
    package var isNative: Bool {
        guard let nulls else { return true }
        let native = direction == .ascending ? nativeNulls : nativeNulls.opposite
        return absence == nil && nulls == native
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
