/// Finds places by id: an open table that keeps its memory from use to use.
///
/// Its order never shows: it is asked, not listed.
struct IDTable {
    /// An id and a place; all zero is free.
    private struct Slot {
        var id: UInt64 = 0
        /// One more than the place.
        var mark = 0
    }

    private var slots: [Slot] = []
    private var shift: UInt64 = 64
    /// Differs from table to table, so that nobody can choose ids that all fall into one slot.
    private let seed = UInt64.random(in: .min ... .max) | 1

    /// Empties the table and makes room.
    mutating func prepare(for count: Int) {
        var bits = 4
        // At most half full: most ids stand where they are looked for first.
        while 1 << bits < count * 2 { bits += 1 }
        shift = UInt64(64 - bits)
        slots.fill(1 << bits, with: Slot())
    }

    /// The slot of an id, or the free one that it may take.
    private func slot(of id: UInt64) -> Int {
        let slots = slots.span
        let mask = slots.count - 1
        let product = (id ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        var index = Int(truncatingIfNeeded: (product.high ^ product.low) >> shift)
        while slots[index].mark != 0, slots[index].id != id { index = (index + 1) & mask }
        return index
    }

    /// Sets the place of an id.
    ///
    /// - Returns: The place it had; below 0 when it was not in the table.
    mutating func set(_ id: UInt64, _ place: Int) -> Int {
        let index = slot(of: id)
        let previous = slots[index].mark - 1
        slots[index] = Slot(id: id, mark: place + 1)
        return previous
    }

    /// Counts an id, from 0 up, in the place of its place.
    mutating func count(_ id: UInt64) -> Int {
        let index = slot(of: id)
        slots[index] = Slot(id: id, mark: slots[index].mark + 1)
        return slots[index].mark - 1
    }

    /// The place of an id; below 0 when it is not in the table.
    func place(of id: UInt64) -> Int { slots[slot(of: id)].mark - 1 }
}
