/// A cache with a fixed capacity that evicts the least recently used value.
///
/// - Complexity: O(1) for each call, because a doubly linked list holds the order of use.
@usableFromInline
package struct LRUCache<Key: Hashable, Value> {
    /// A value and the slots of its neighbours in the order of use; -1 for none.
    @usableFromInline
    struct Slot {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        @usableFromInline var older: Int
        @usableFromInline var newer: Int

        @inlinable
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
            (older, newer) = (-1, -1)
        }
    }

    @usableFromInline let capacity: Int
    @usableFromInline var slots: [Slot] = []
    @usableFromInline var places: [Key: Int] = [:]
    @usableFromInline var oldest = -1
    @usableFromInline var newest = -1

    package init(capacity: Int) {
        precondition(capacity > 0, "a cache for \(capacity) values")
        self.capacity = capacity
    }

    /// The value becomes the most recently used one.
    @inlinable
    package mutating func take(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        unlink(place)
        link(place)
        return slots[place].value
    }

    /// Evicts the least recently used value if the cache is full.
    @inlinable
    package mutating func insert(_ value: Value, for key: Key) {
        if let place = places[key] {
            unlink(place)
            slots[place].value = value
            link(place)
        } else if slots.count < capacity {
            slots.append(Slot(key: key, value: value))
            places[key] = slots.count - 1
            link(slots.count - 1)
        } else {
            let place = oldest
            unlink(place)
            places[slots[place].key] = nil
            slots[place] = Slot(key: key, value: value)
            places[key] = place
            link(place)
        }
    }

    package mutating func removeAll() {
        slots.removeAll()
        places.removeAll()
        (oldest, newest) = (-1, -1)
    }

    package var isEmpty: Bool { slots.isEmpty }

    @inlinable
    mutating func unlink(_ place: Int) {
        let (older, newer) = (slots[place].older, slots[place].newer)
        if older < 0 { oldest = newer } else { slots[older].newer = newer }
        if newer < 0 { newest = older } else { slots[newer].older = older }
    }

    @inlinable
    mutating func link(_ place: Int) {
        (slots[place].older, slots[place].newer) = (newest, -1)
        if newest >= 0 { slots[newest].newer = place } else { oldest = place }
        newest = place
    }
}

extension LRUCache: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Slot: Sendable where Key: Sendable, Value: Sendable {}
