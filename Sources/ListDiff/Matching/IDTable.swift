/// A hash table of positions by id, with open addressing.
///
/// It reuses its memory. Its order is never visible, because it is not iterated.
struct IDTable {
    /// A slot of zeros is free.
    private struct Slot {
        var id: UInt64 = 0
        var mark = 0
    }

    private var slots: [Slot] = []
    private var shift: UInt64 = 64
    /// The random seed of this table, so that clients cannot choose ids that collide.
    private let seed = UInt64.random(in: .min ... .max) | 1

    mutating func prepare(for count: Int) {
        var bits = 4
        // The table is at most half full, so that most ids need one probe.
        while 1 << bits < count * 2 { bits += 1 }
        shift = UInt64(64 - bits)
        slots.fill(1 << bits, with: Slot())
    }

    /// The free slot that the id may take, if it has none.
    private func slot(of id: UInt64) -> Int {
        let slots = slots.span
        let mask = slots.count - 1
        let product = (id ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        var index = Int(truncatingIfNeeded: (product.high ^ product.low) >> shift)
        while slots[index].mark != 0, slots[index].id != id { index = (index + 1) & mask }
        return index
    }

    /// Returns the previous position; below 0 when the table did not have the id.
    mutating func set(_ id: UInt64, _ location: Int) -> Int {
        let index = slot(of: id)
        let previous = slots[index].mark - 1
        slots[index] = Slot(id: id, mark: location + 1)
        return previous
    }

    /// Counts an id, from 0 up, instead of storing a position.
    mutating func count(_ id: UInt64) -> Int {
        let index = slot(of: id)
        slots[index] = Slot(id: id, mark: slots[index].mark + 1)
        return slots[index].mark - 1
    }

    /// Below 0 when the table does not have the id.
    func location(of id: UInt64) -> Int { slots[slot(of: id)].mark - 1 }
}
