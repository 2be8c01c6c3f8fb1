package import Listings

/// One step of an order as the engine compares it.
package struct OrderTerm: Hashable, Sendable {
    /// SQL that stands for the value, its collation included.
    package let expression: String
    /// Which way values grow.
    package let direction: SortKey.Direction
    /// Where rows without a value stand; nil when every row has one.
    package let nulls: SortKey.Nulls?

    /// Creates a step of an order.
    package init(
        _ expression: String,
        _ direction: SortKey.Direction = .ascending,
        nulls: SortKey.Nulls?
    ) {
        self.expression = expression
        self.direction = direction
        self.nulls = nulls
    }

    /// The same step read backwards.
    package var reversed: OrderTerm {
        OrderTerm(
            expression,
            direction == .ascending ? .descending : .ascending,
            nulls: nulls.map { $0 == .first ? .last : .first }
        )
    }

    /// Whether nulls stand where the engine puts them by itself, which is as the smallest values, so
    /// that an index gives the order.
    package var isNative: Bool {
        switch nulls {
        case nil: true
        case .first: direction == .ascending
        case .last: direction == .descending
        }
    }

    /// The step in an ORDER BY; without a word about nulls where none can come or where the engine
    /// needs none.
    func order(withNulls: Bool) -> String {
        let text = expression + (direction == .ascending ? "" : " DESC")
        guard withNulls, !isNative else { return text }
        return text + (nulls == .first ? " NULLS FIRST" : " NULLS LAST")
    }
}
