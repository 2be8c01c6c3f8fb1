/// Values by their keys, up to a number; the one used longest ago makes room.
package struct BoundedCache<Key: Hashable, Value> {
    fileprivate struct Entry {
        let value: Value
        var lastUse: UInt64
    }
    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0

    /// Creates a cache for at most a number of values.
    package init(capacity: Int) {
        precondition(capacity > 0, "a cache for \(capacity) values")
        self.capacity = capacity
    }

    /// The value of a key, which counts as used.
    package mutating func take(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].value
    }

    /// Keeps a value, in the place of the one used longest ago where there is no room.
    package mutating func insert(_ value: Value, for key: Key) {
        if entries.count >= capacity, entries[key] == nil,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[oldest.key] = nil
        }
        uses += 1
        entries[key] = Entry(value: value, lastUse: uses)
    }

    /// Forgets all values.
    package mutating func removeAll() { entries.removeAll() }

    /// Whether no value is kept.
    package var isEmpty: Bool { entries.isEmpty }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
