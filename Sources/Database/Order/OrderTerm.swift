package import Listings

/// One step of an order as the engine compares it.
package struct OrderTerm: Hashable, Sendable {
    /// SQL that stands for the value.
    package let comparand: Comparand
    /// Which way values grow.
    package let direction: SortKey.Direction
    /// Where rows without a value stand; nil when every row has one.
    package let nulls: SortKey.Nulls?
    /// Where the engine puts nulls by itself when values grow.
    private let nativeNulls: SortKey.Nulls

    /// Creates a step of an order.
    ///
    /// - Parameters:
    ///   - comparand: SQL that stands for the value.
    ///   - direction: Which way values grow.
    ///   - nulls: Where rows without a value stand; nil when every row has one.
    ///   - nativeNulls: See ``Dialect/nativeNulls``.
    package init(
        _ comparand: Comparand,
        _ direction: SortKey.Direction = .ascending,
        nulls: SortKey.Nulls?,
        nativeNulls: SortKey.Nulls
    ) {
        self.comparand = comparand
        self.direction = direction
        self.nulls = nulls
        self.nativeNulls = nativeNulls
    }

    /// The same step by an expression that no index is looked up for.
    func shielded(by dialect: any Dialect) -> OrderTerm {
        OrderTerm(
            comparand.replacing(dialect.shielded(comparand.expression)),
            direction,
            nulls: nulls,
            nativeNulls: nativeNulls
        )
    }

    /// SQL that stands for the value, its collation included.
    package var expression: String { comparand.expression }

    /// The same step read backwards.
    package var reversed: OrderTerm {
        OrderTerm(
            comparand,
            direction == .ascending ? .descending : .ascending,
            nulls: nulls.map(\.opposite),
            nativeNulls: nativeNulls
        )
    }

    /// Whether nulls stand where the engine puts them by itself, so that an index gives the order.
    package var isNative: Bool {
        guard let nulls else { return true }
        return nulls == (direction == .ascending ? nativeNulls : nativeNulls.opposite)
    }

    /// The step in an ORDER BY; without a word about nulls where none can come or where the engine
    /// needs none.
    func order(withNulls: Bool) -> String {
        let text = expression + (direction == .ascending ? "" : " DESC")
        guard withNulls, !isNative else { return text }
        return text + (nulls == .first ? " NULLS FIRST" : " NULLS LAST")
    }
}

extension SortKey.Nulls {
    fileprivate var opposite: SortKey.Nulls { self == .first ? .last : .first }
}
