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

    /// The values of one version of the list.
    private struct Values<Key: Hashable, Value: Sendable>: Sendable where Key: Sendable {
        private var version: ListVersion?
        private var cache = LRUCache<Key, MadeOnce<Value>>(capacity: 8)

        mutating func value(of key: Key, _ version: ListVersion) -> MadeOnce<Value> {
            if self.version != version {
                cache.removeAll()
                self.version = version
            }
            if let known = cache.take(key) { return known }
            let new = MadeOnce<Value>()
            cache.insert(new, for: key)
            return new
        }
    }

    private let orders = Locked(Values<OrderKey, SortedRows>())
    private let selections = Locked(Values<SelectionKey, RowSelection>())

    /// The rows in an order; those of other versions are removed.
    func order(_ key: OrderKey) -> MadeOnce<SortedRows> {
        orders.withLock { $0.value(of: key, key.version) }
    }

    /// The rows that meet conditions; those of other versions are removed.
    func selection(_ key: SelectionKey) -> MadeOnce<RowSelection> {
        selections.withLock { $0.value(of: key, key.order.version) }
    }
}
