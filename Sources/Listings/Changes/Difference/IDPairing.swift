/// Pairs what has one id in two states, the first of several with the first.
struct IDPairing {
    /// Places of the old state to be paired, ascending.
    var old: [Int32] = []
    /// Places of the new state to be paired, ascending.
    var new: [Int32] = []
    /// For each of ``new``: its partner in the old state; below 0 when there is none.
    private(set) var partners: [Int32] = []
    /// For each of ``old``: whether it has a partner.
    private(set) var isPaired: [Bool] = []

    private var table = IDTable()
    /// For each of ``old``: the next one with the same id; below 0 at the end.
    ///
    /// Empty while no id has been seen twice.
    private var followers: [Int32] = []

    /// Forgets all places.
    mutating func removeAll() {
        old.removeAll(keepingCapacity: true)
        new.removeAll(keepingCapacity: true)
    }

    /// Pairs the places by their ids.
    ///
    /// - Complexity: O(places).
    mutating func pair(_ oldIDs: Span<UInt64>, _ newIDs: Span<UInt64>) {
        partners.fill(new.count, with: -1)
        isPaired.fill(old.count, with: false)
        followers.removeAll(keepingCapacity: true)
        guard !old.isEmpty, !new.isEmpty else { return }
        table.prepare(for: old.count)
        // Backwards: what is found is the first, and leads to those behind it.
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
            let first = table.place(of: id)
            guard first >= 0, !isPaired[first] else { continue }
            partners[index] = old[first]
            isPaired[first] = true
            guard !followers.isEmpty, followers[first] >= 0 else { continue }
            _ = table.set(id, Int(followers[first]))
        }
    }

    /// The places at which ids stand for the second time.
    ///
    /// - Complexity: O(ids).
    mutating func repeats(in ids: Span<UInt64>) -> [Int] {
        table.prepare(for: ids.count)
        var places: [Int] = []
        for place in ids.indices where table.count(ids[place]) == 1 { places.append(place) }
        return places
    }
}
