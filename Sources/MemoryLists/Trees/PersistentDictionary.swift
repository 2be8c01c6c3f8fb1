/// A dictionary whose copies share structure.
///
/// An edit of a copy takes O(log count), and never copies the whole.
///
/// A hash trie with 32 branches a node (Bagwell 2001, in the form of Steindorfer and Vinju 2015).
/// Nodes are values, so that a node of a single copy is changed in place.
struct PersistentDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        var value: Value
    }

    private struct Node: Sendable {
        /// A bit set of the slots, out of 32, that have an entry.
        ///
        /// `entries` has the same order.
        var entryBits: UInt32 = 0
        /// A bit set of the slots, out of 32, that have a child node.
        ///
        /// `nodes` has the same order.
        var nodeBits: UInt32 = 0
        var entries: [Entry] = []
        var nodes: [Node] = []
    }

    private static var bitsPerLevel: Int { 5 }

    private var root = Node()
    private(set) var count = 0

    init() {}

    subscript(_ key: Key) -> Value? {
        let hash = Self.hash(of: key)
        var node = root
        var shift = 0
        while shift < UInt.bitWidth {
            let bit = Self.bit(of: hash, shift)
            if node.entryBits & bit != 0 {
                let entry = node.entries[Self.index(of: bit, in: node.entryBits)]
                return entry.key == key ? entry.value : nil
            }
            guard node.nodeBits & bit != 0 else { return nil }
            node = node.nodes[Self.index(of: bit, in: node.nodeBits)]
            shift += Self.bitsPerLevel
        }
        return node.entries.first { $0.key == key }?.value
    }

    mutating func set(_ value: Value, for key: Key) {
        let entry = Entry(key: key, value: value)
        if Self.insert(entry, hash: Self.hash(of: key), shift: 0, into: &root) { count += 1 }
    }

    mutating func removeValue(for key: Key) {
        if Self.remove(key, hash: Self.hash(of: key), shift: 0, from: &root) { count -= 1 }
    }

    func visit<E: Error>(_ body: (Key, Value) throws(E) -> Void) throws(E) {
        try Self.visit(root, body)
    }

    private static func visit<E: Error>(
        _ node: Node,
        _ body: (Key, Value) throws(E) -> Void
    ) throws(E) {
        for entry in node.entries { try body(entry.key, entry.value) }
        for node in node.nodes { try visit(node, body) }
    }

    private static func hash(of key: Key) -> UInt { UInt(bitPattern: key.hashValue) }

    private static func bit(of hash: UInt, _ shift: Int) -> UInt32 {
        1 << UInt32(truncatingIfNeeded: (hash >> UInt(shift)) & 31)
    }

    private static func index(of bit: UInt32, in bits: UInt32) -> Int {
        (bits & (bit - 1)).nonzeroBitCount
    }

    private static func insert(
        _ entry: Entry,
        hash: UInt,
        shift: Int,
        into node: inout Node
    ) -> Bool {
        guard shift < UInt.bitWidth else { return append(entry, to: &node) }
        let bit = bit(of: hash, shift)
        if node.nodeBits & bit != 0 {
            let index = index(of: bit, in: node.nodeBits)
            return insert(
                entry,
                hash: hash,
                shift: shift + bitsPerLevel,
                into: &node.nodes[index]
            )
        }
        let index = index(of: bit, in: node.entryBits)
        guard node.entryBits & bit != 0 else {
            node.entryBits |= bit
            node.entries.insert(entry, at: index)
            return true
        }
        if node.entries[index].key == entry.key {
            node.entries[index].value = entry.value
            return false
        }
        let other = node.entries.remove(at: index)
        node.entryBits &= ~bit
        var further = Node()
        let next = shift + bitsPerLevel
        _ = insert(other, hash: Self.hash(of: other.key), shift: next, into: &further)
        _ = insert(entry, hash: hash, shift: next, into: &further)
        node.nodeBits |= bit
        node.nodes.insert(further, at: Self.index(of: bit, in: node.nodeBits))
        return true
    }

    /// Appends an entry below the last level, where all keys have the same hash, in no order.
    private static func append(_ entry: Entry, to node: inout Node) -> Bool {
        if let known = node.entries.firstIndex(where: { $0.key == entry.key }) {
            node.entries[known].value = entry.value
            return false
        }
        node.entries.append(entry)
        return true
    }

    private static func remove(
        _ key: Key,
        hash: UInt,
        shift: Int,
        from node: inout Node
    ) -> Bool {
        guard shift < UInt.bitWidth else {
            guard let known = node.entries.firstIndex(where: { $0.key == key }) else {
                return false
            }
            node.entries.remove(at: known)
            return true
        }
        let bit = bit(of: hash, shift)
        if node.entryBits & bit != 0 {
            let index = index(of: bit, in: node.entryBits)
            guard node.entries[index].key == key else { return false }
            node.entries.remove(at: index)
            node.entryBits &= ~bit
            return true
        }
        guard node.nodeBits & bit != 0 else { return false }
        let index = index(of: bit, in: node.nodeBits)
        let next = shift + bitsPerLevel
        guard remove(key, hash: hash, shift: next, from: &node.nodes[index]) else { return false }
        if node.nodes[index].entries.isEmpty, node.nodes[index].nodes.isEmpty {
            node.nodes.remove(at: index)
            node.nodeBits &= ~bit
        }
        return true
    }
}
