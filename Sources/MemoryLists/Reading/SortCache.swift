import Listings
import Locks

/// A cache of the recently used orders and selections of a list, shared by all its readers.
final class SortCache: Sendable {
    /// The key of an order.
    struct SortKeyHash: Hashable {
        let version: ListVersion
        let grouping: Grouping?
        let sort: [SortKey]
        let sections: [SectionKey]?
        let usesOwnSections: Bool
    }

    /// The key of a selection of rows.
    struct SelectionKey: Hashable {
        let order: SortKeyHash
        let mergesSections: Bool
        let filters: [Filter]
        let search: TextSearch?
        let facets: [Int]
        let collapsed: [SectionKey]
    }

    /// The cached values of one version of the list.
    private struct Values<Key: Hashable, Value: Sendable>: Sendable where Key: Sendable {
        private var version: ListVersion?
        private var cache = LRUCache<Key, SingleFlight<Value>>(capacity: 8)

        mutating func value(of key: Key, _ version: ListVersion) -> SingleFlight<Value> {
            if self.version != version {
                cache.removeAll()
                self.version = version
            }
            if let known = cache.take(key) { return known }
            let new = SingleFlight<Value>()
            cache.insert(new, for: key)
            return new
        }
    }

    private let orders = Locked(Values<SortKeyHash, SortedRows>())
    private let selections = Locked(Values<SelectionKey, FilterResult>())

    /// Returns the rows in an order.
    ///
    /// Removes those of other versions.
    func order(_ key: SortKeyHash) -> SingleFlight<SortedRows> {
        orders.withLock { $0.value(of: key, key.version) }
    }

    /// Returns the rows that match conditions.
    ///
    /// Removes those of other versions.
    func selection(_ key: SelectionKey) -> SingleFlight<FilterResult> {
        selections.withLock { $0.value(of: key, key.order.version) }
    }
}
