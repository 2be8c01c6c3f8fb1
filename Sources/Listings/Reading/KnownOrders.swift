import Locks

/// The orders of a list that were asked for last, and which rows met which conditions: made once
/// for all who read the list.
final class KnownOrders: Sendable {
    /// What an order depends on.
    struct OrderKey: Hashable {
        let version: ListVersion
        let grouping: Grouping?
        let sort: [SortKey]
        let sections: [SectionKey]?
        let usesOwnSections: Bool
    }

    /// What a selection of rows depends on.
    struct SelectionKey: Hashable {
        let order: OrderKey
        let mergesSections: Bool
        let filters: [Filter]
        let search: TextSearch?
        let facets: [Int]
        let collapsed: [SectionKey]
    }

    private typealias Recent<Key: Hashable, Value: Sendable> = RecentValues<Key, MadeOnce<Value>>

    private let orders = Locked(Recent<OrderKey, SortedRows>(capacity: 8))
    private let selections = Locked(Recent<SelectionKey, RowSelection>(capacity: 8))

    /// The rows in an order; those of other versions are forgotten.
    func order(_ key: OrderKey) -> MadeOnce<SortedRows> {
        orders.withLock { orders in
            orders.removeAll { $0.version != key.version }
            return Self.value(of: key, in: &orders)
        }
    }

    /// The rows that meet conditions; those of other versions are forgotten.
    func selection(_ key: SelectionKey) -> MadeOnce<RowSelection> {
        selections.withLock { selections in
            selections.removeAll { $0.order.version != key.order.version }
            return Self.value(of: key, in: &selections)
        }
    }

    private static func value<Key, Value>(
        of key: Key,
        in recent: inout Recent<Key, Value>
    ) -> MadeOnce<Value> {
        if let known = recent.take(key) { return known }
        let new = MadeOnce<Value>()
        recent.insert(new, for: key)
        return new
    }
}
