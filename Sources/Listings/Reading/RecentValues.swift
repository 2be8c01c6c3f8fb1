/// The values asked for last, by their keys.
struct RecentValues<Key: Hashable, Value> {
    private let capacity: Int
    private var entries: [(key: Key, value: Value)] = []

    init(capacity: Int) { self.capacity = capacity }

    /// The value of a key, which counts as asked for; nil when it is not kept.
    mutating func take(_ key: Key) -> Value? {
        guard let known = entries.firstIndex(where: { $0.key == key }) else { return nil }
        guard known < entries.count - 1 else { return entries[known].value }
        let entry = entries.remove(at: known)
        entries.append(entry)
        return entry.value
    }

    /// Keeps a value; the one asked for longest ago makes room.
    mutating func insert(_ value: Value, for key: Key) {
        if entries.count == capacity { entries.removeFirst() }
        entries.append((key, value))
    }

    /// Forgets the values of keys.
    mutating func removeAll(where isForgotten: (Key) -> Bool) {
        entries.removeAll { isForgotten($0.key) }
    }
}
