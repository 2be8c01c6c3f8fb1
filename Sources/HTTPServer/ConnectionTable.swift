/// The open connections of a loop, found by tokens that are never reused.
///
/// An event for a connection that was closed meanwhile carries an unknown token. This holds even if
/// its slot and its descriptor belong to another connection by then.
struct ConnectionTable: ~Copyable {
    private var slots: [HTTPConnection?] = []
    private var generations: [UInt32] = []
    private var freeSlots: [Int] = []

    private(set) var count = 0

    /// One more than the highest slot ever used.
    var slotCount: Int { slots.count }

    /// The token is that of the slot's events.
    mutating func makeSlot() -> (slot: Int, token: UInt64) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = slots.count
            slots.append(nil)
            generations.append(0)
        }
        generations[slot] = (generations[slot] + 1) & 0x7FFF_FFFF
        return (slot, Self.token(slot: slot, generation: generations[slot]))
    }

    mutating func insert(_ connection: HTTPConnection) {
        precondition(slots[connection.slot] == nil, "slot \(connection.slot) is taken")
        slots[connection.slot] = connection
        count += 1
    }

    /// The slot is reused.
    mutating func remove(slot: Int) {
        precondition(slots[slot] != nil, "slot \(slot) is empty")
        slots[slot] = nil
        freeSlots.append(slot)
        count -= 1
    }

    subscript(slot slot: Int) -> HTTPConnection? { slots[slot] }

    subscript(token token: UInt64) -> HTTPConnection? {
        let slot = Int(token & 0xFFFF_FFFF)
        guard slot < slots.count,
            token == Self.token(slot: slot, generation: generations[slot])
        else { return nil }
        return slots[slot]
    }

    /// Whether a token is that of a connection; only those have the highest bit set.
    static func isConnection(_ token: UInt64) -> Bool { token >> 63 == 1 }

    private static func token(slot: Int, generation: UInt32) -> UInt64 {
        1 << 63 | UInt64(generation) << 32 | UInt64(slot)
    }
}
