/// A cache with a fixed capacity that evicts the least recently used value.
///
/// - Complexity: O(1) for each call, because a doubly linked list holds the order of use.
@usableFromInline
package struct LRUCache<Key: Hashable, Value> {
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
    @usableFromInline var slotOfKey: [Key: Int] = [:]
    @usableFromInline var oldest = -1
    @usableFromInline var newest = -1

    package init(capacity: Int) {
        precondition(capacity > 0, "a cache for \(capacity) values")
        self.capacity = capacity
    }

    @inlinable
    package mutating func take(_ key: Key) -> Value? {
        guard let slot = slotOfKey[key] else { return nil }
        unlink(slot)
        link(slot)
        return slots[slot].value
    }

    @inlinable
    package mutating func insert(_ value: Value, for key: Key) {
        if let slot = slotOfKey[key] {
            unlink(slot)
            slots[slot].value = value
            link(slot)
        } else if slots.count < capacity {
            slots.append(Slot(key: key, value: value))
            slotOfKey[key] = slots.count - 1
            link(slots.count - 1)
        } else {
            let slot = oldest
            unlink(slot)
            slotOfKey[slots[slot].key] = nil
            slots[slot] = Slot(key: key, value: value)
            slotOfKey[key] = slot
            link(slot)
        }
    }

    package mutating func removeAll() {
        slots.removeAll()
        slotOfKey.removeAll()
        (oldest, newest) = (-1, -1)
    }

    package var isEmpty: Bool { slots.isEmpty }

    @inlinable
    mutating func unlink(_ slot: Int) {
        let (older, newer) = (slots[slot].older, slots[slot].newer)
        if older < 0 { oldest = newer } else { slots[older].newer = newer }
        if newer < 0 { newest = older } else { slots[newer].older = older }
    }

    @inlinable
    mutating func link(_ slot: Int) {
        (slots[slot].older, slots[slot].newer) = (newest, -1)
        if newest >= 0 { slots[newest].newer = slot } else { oldest = slot }
        newest = slot
    }
}

extension LRUCache: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Slot: Sendable where Key: Sendable, Value: Sendable {}
