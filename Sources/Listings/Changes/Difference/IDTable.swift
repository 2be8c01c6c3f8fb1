/// Finds places by id: an open table that keeps its memory from use to use.
///
/// Its order never shows: it is asked, not listed.
struct IDTable {
    /// An id and the place it was put in with last; a place below 0 is none.
    private struct Slot {
        var id: UInt64 = 0
        var place: Int32 = -1
    }

    private var slots: [Slot] = []
    private var shift = 64
    /// Differs from table to table, so that nobody can choose ids that all fall into one slot.
    private let seed = UInt64.random(in: .min ... .max) | 1

    /// Empties the table and makes room.
    mutating func prepare(for count: Int) {
        var bits = 4
        while 1 << bits < count + count / 2 { bits += 1 }
        shift = 64 - bits
        let size = 1 << bits
        guard slots.count >= size else {
            slots = Array(repeating: Slot(), count: size)
            return
        }
        for index in 0..<size { slots[index] = Slot() }
    }

    private func start(_ id: UInt64) -> Int {
        let product = (id ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: (product.high ^ product.low) >> UInt64(shift))
    }

    /// The slot of an id, or the free one that it may take.
    private func slot(of id: UInt64) -> Int {
        let mask = (1 << (64 - shift)) - 1
        var index = start(id)
        let table = slots.span
        while table[index].place >= 0, table[index].id != id { index = (index + 1) & mask }
        return index
    }

    /// Sets the place of an id.
    ///
    /// - Returns: The place it had; below 0 when it was not in the table.
    mutating func set(_ id: UInt64, _ place: Int32) -> Int32 {
        let index = slot(of: id)
        let previous = slots[index].place
        slots[index] = Slot(id: id, place: place)
        return previous
    }

    /// Counts an id, from 0 up, in the place of its place.
    mutating func count(_ id: UInt64) -> Int32 {
        let index = slot(of: id)
        let count = slots[index].place + 1
        slots[index] = Slot(id: id, place: count)
        return count
    }

    /// The place of an id; below 0 when it is not in the table.
    func place(of id: UInt64) -> Int32 { slots[slot(of: id)].place }
}
