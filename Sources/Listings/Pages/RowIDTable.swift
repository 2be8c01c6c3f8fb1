import Bytes

/// A hash table of the rows of a page by their ids, for finding two with one id; its memory stays.
struct RowIDTable: Sendable {
    /// Positions of rows plus 1, and 0 where none is.
    ///
    /// A power of two of them, at least twice the rows.
    private var slots: [UInt32] = []

    /// Empties the table and makes room.
    mutating func begin(_ count: Int) {
        var size = 64
        while size < count * 2 { size *= 2 }
        if slots.count == size {
            for index in slots.indices { slots[index] = 0 }
        } else {
            slots = [UInt32](repeating: 0, count: size)
        }
    }

    /// Takes a row, unless a row taken before has its id.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - hash: The hash of its id.
    ///   - isEqual: Whether another row has the same id.
    /// - Returns: The row that has the id already.
    mutating func take(_ row: Int, hash: UInt64, isEqual: (Int) -> Bool) -> Int? {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let other = Int(slots[slot]) - 1
            if isEqual(other) { return other }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(row + 1)
        return nil
    }
}

extension Page {
    /// The first two rows that have one id, if there are any.
    ///
    /// - Complexity: O(rows).
    mutating func firstDuplicate() -> (Int, Int)? {
        guard rowCount > 1 else { return nil }
        idTable.begin(rowCount)
        let slots = rowSlots
        var table = RowIDTable()
        swap(&table, &idTable)
        let found: (Int, Int)? = ids.withBytes { bytes in
            for row in slots.indices {
                let id = slots[row].idStart..<slots[row].idEnd
                let first = table.take(row, hash: Self.hash(id, in: bytes)) { other in
                    let others = slots[other].idStart..<slots[other].idEnd
                    return bytes.extracting(id).equals(bytes.extracting(others))
                }
                if let first { return (first, row) }
            }
            return nil
        }
        swap(&table, &idTable)
        return found
    }

    /// FNV-1a (RFC 9923), folded so that its low bits depend on all bytes.
    private static func hash(_ range: Range<Int>, in bytes: borrowing Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
        return hash ^ hash >> 32
    }
}
