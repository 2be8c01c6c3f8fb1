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
    private var followers: [Int32] = []
    /// For each of ``old``: the first one with the same id that has no partner yet; set where the
    /// table leads to.
    private var firsts: [Int32] = []

    /// Forgets all places.
    mutating func removeAll() {
        old.removeAll(keepingCapacity: true)
        new.removeAll(keepingCapacity: true)
        partners.removeAll(keepingCapacity: true)
        isPaired.removeAll(keepingCapacity: true)
        followers.removeAll(keepingCapacity: true)
        firsts.removeAll(keepingCapacity: true)
    }

    /// Pairs the places by their ids.
    ///
    /// - Complexity: O(places).
    mutating func pair(_ oldIDs: Span<UInt64>, _ newIDs: Span<UInt64>) {
        for _ in old.indices { isPaired.append(false) }
        guard !old.isEmpty, !new.isEmpty else {
            for _ in new.indices { partners.append(-1) }
            return
        }
        table.prepare(for: old.count)
        for _ in old.indices { followers.append(-1) }
        // Backwards: what is found is the first, and leads to those behind it.
        for index in old.indices.reversed() {
            followers[index] = table.set(oldIDs[Int(old[index])], Int32(truncatingIfNeeded: index))
        }
        for index in old.indices { firsts.append(Int32(truncatingIfNeeded: index)) }
        for row in new {
            let head = Int(table.place(of: newIDs[Int(row)]))
            guard head >= 0, firsts[head] >= 0 else {
                partners.append(-1)
                continue
            }
            let first = Int(firsts[head])
            partners.append(old[first])
            isPaired[first] = true
            firsts[head] = followers[first]
        }
    }

    /// The places at which ids stand for the second time.
    ///
    /// - Complexity: O(ids).
    mutating func repeats(in ids: Span<UInt64>) -> [Int] {
        table.prepare(for: ids.count)
        var places: [Int] = []
        for place in 0..<ids.count where table.count(ids[place]) == 1 { places.append(place) }
        return places
    }
}
