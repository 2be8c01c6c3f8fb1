/// A pairing of equal ids in two states.
///
/// Repeated ids are paired in their order.
struct IDPairing {
    /// Ascending.
    var old: [Int32] = []
    /// Ascending.
    var new: [Int32] = []
    /// The old partner of each element of ``new``; below 0 for none.
    private(set) var partners: [Int32] = []
    private(set) var isPaired: [Bool] = []

    private var table = IDTable()
    /// The next element of ``old`` with the same id; below 0 at the end.
    ///
    /// Empty until an id repeats.
    private var followers: [Int32] = []

    mutating func removeAll() {
        old.removeAll(keepingCapacity: true)
        new.removeAll(keepingCapacity: true)
    }

    /// O(positions).
    mutating func pair(_ oldIDs: Span<UInt64>, _ newIDs: Span<UInt64>) {
        partners.fill(new.count, with: -1)
        isPaired.fill(old.count, with: false)
        followers.removeAll(keepingCapacity: true)
        guard !old.isEmpty, !new.isEmpty else { return }
        table.prepare(for: old.count)
        // The reverse order makes the first position the entry, which links to the later ones.
        for index in old.indices.reversed() {
            let next = table.set(oldIDs[Int(old[index])], index)
            guard next >= 0 else { continue }
            if followers.isEmpty { followers.fill(old.count, with: -1) }
            followers[index] = Int32(truncatingIfNeeded: next)
        }
        Self.findPartners(new, newIDs, among: old, followers, &table, &partners, &isPaired)
    }

    private static func findPartners(
        _ new: [Int32],
        _ ids: Span<UInt64>,
        among old: [Int32],
        _ followers: [Int32],
        _ table: inout IDTable,
        _ partners: inout [Int32],
        _ isPaired: inout [Bool]
    ) {
        var partners = partners.mutableSpan
        var isPaired = isPaired.mutableSpan
        for index in new.indices {
            let id = ids[Int(new[index])]
            let first = table.location(of: id)
            guard first >= 0, !isPaired[first] else { continue }
            partners[index] = old[first]
            isPaired[first] = true
            guard !followers.isEmpty, followers[first] >= 0 else { continue }
            _ = table.set(id, Int(followers[first]))
        }
    }

    /// O(ids).
    mutating func repeats(in ids: Span<UInt64>) -> [Int] {
        table.prepare(for: ids.count)
        var locations: [Int] = []
        for location in ids.indices where table.count(ids[location]) == 1 {
            locations.append(location)
        }
        return locations
    }
}
