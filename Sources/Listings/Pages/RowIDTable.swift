import Bytes

/// A hash table that finds duplicate row ids of a page.
///
/// It reuses its memory.
struct RowIDTable: Sendable {
    /// The positions of rows plus 1; 0 for free slots.
    ///
    /// The size is a power of two, at least twice the number of rows.
    private var slots: [UInt32] = []

    mutating func begin(_ count: Int) {
        var size = 64
        while size < count * 2 { size *= 2 }
        if slots.count == size {
            var locations = slots.mutableSpan
            locations.update(repeating: 0)
        } else {
            slots = [UInt32](repeating: 0, count: size)
        }
    }

    /// Finds the first two rows with equal ids.
    ///
    /// The ids are padded. Nil if all ids differ.
    mutating func firstDuplicate(
        of rows: borrowing UniqueArray<Page.RowSlot>,
        in ids: borrowing ByteBuffer
    ) -> (Int, Int)? {
        begin(rows.count)
        let mask = slots.count - 1
        // The highest bits of a product depend on all other bits.
        let shift = UInt64(64 - slots.count.trailingZeroBitCount)
        // A span avoids a uniqueness check of the array for each row.
        var locations = slots.mutableSpan
        for row in 0..<rows.count {
            let id = rows[row].idStart..<rows[row].idEnd
            var location = Int(truncatingIfNeeded: Self.hash(id, of: ids) &>> shift)
            while locations[location] != 0 {
                let other = Int(locations[location]) - 1
                let others = rows[other].idStart..<rows[other].idEnd
                let isEqual = ids.withBytes { bytes in
                    bytes.extracting(id).equals(bytes.extracting(others))
                }
                if isEqual { return (other, row) }
                location = (location + 1) & mask
            }
            locations[location] = UInt32(truncatingIfNeeded: row + 1)
        }
        return nil
    }

    @inline(__always)
    private static func hash(_ id: Range<Int>, of ids: borrowing ByteBuffer) -> UInt64 {
        // Most ids are short.
        id.isEmpty || id.count > 8
            ? longHash(id, of: ids) : ids.word(id) &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(never)
    private static func longHash(_ id: Range<Int>, of ids: borrowing ByteBuffer) -> UInt64 {
        var hash = ContentHash(seed: 0)
        ids.withBytes { hash.add($0.extracting(id)) }
        return hash.value
    }
}

extension Page {
    mutating func firstDuplicate() -> (Int, Int)? {
        guard rowCount > 1, !hasUniqueIDs else { return nil }
        var table = RowIDTable()
        swap(&table, &idTable)
        let found = table.firstDuplicate(of: rowSlots, in: ids)
        swap(&table, &idTable)
        return found
    }
}
