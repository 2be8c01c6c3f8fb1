/// A list of numbered slots in the order in which they were appended, with O(1) operations.
struct LRUList {
    private struct Link {
        var previous = -1
        var next = -1
        var isLinked = false
    }

    private var links: [Link] = []
    private var last = -1

    /// The slot that was appended first; nil if there is none.
    var first: Int? { head >= 0 ? head : nil }

    private var head = -1

    /// Whether a slot is in the list.
    func contains(_ slot: Int) -> Bool { slot < links.count && links[slot].isLinked }

    /// Appends a slot, or moves it to the end.
    mutating func append(_ slot: Int) {
        while slot >= links.count { links.append(Link()) }
        guard slot != last else { return }
        remove(slot)
        links[slot] = Link(previous: last, next: -1, isLinked: true)
        if last >= 0 { links[last].next = slot } else { head = slot }
        last = slot
    }

    /// Removes a slot from any position, and ignores slots that are not in the list.
    mutating func remove(_ slot: Int) {
        guard contains(slot) else { return }
        let link = links[slot]
        if link.previous >= 0 { links[link.previous].next = link.next } else { head = link.next }
        if link.next >= 0 {
            links[link.next].previous = link.previous
        } else {
            last = link.previous
        }
        links[slot] = Link()
    }
}
