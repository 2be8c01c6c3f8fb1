package import Listings

package struct OrderTerm: Hashable, Sendable {
    package let comparand: Operand
    package let direction: SortKey.Direction
    /// Nil if every row has one.
    package let nulls: SortKey.Nulls?
    /// The engine's default position of nulls in ascending order.
    private let nativeNulls: SortKey.Nulls
    /// The condition for rows without a value, or nil for the usual one.
    ///
    /// With a condition of their own, they are always a range of their own.
    package let absence: String?

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

    /// The engine uses no index for its expression.
    func shielded(by dialect: any Dialect) -> OrderTerm {
        OrderTerm(
            comparand.replacing(dialect.shielded(comparand.expression)),
            direction,
            nulls: nulls,
            nativeNulls: nativeNulls,
            absence: absence
        )
    }

    package var expression: String { comparand.expression }

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
