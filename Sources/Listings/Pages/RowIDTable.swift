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
            var places = slots.mutableSpan
            places.update(repeating: 0)
        } else {
            slots = [UInt32](repeating: 0, count: size)
        }
    }

    /// The first two rows whose ids are equal.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - ids: Their ids; padded.
    /// - Returns: Their positions; nil where all ids differ.
    mutating func firstDuplicate(
        of rows: borrowing TrivialBuffer<Page.RowSlot>,
        in ids: borrowing ByteBuffer
    ) -> (Int, Int)? {
        begin(rows.count)
        let mask = slots.count - 1
        // The highest bits of a product depend on all of the others.
        let shift = UInt64(64 - slots.count.trailingZeroBitCount)
        // Lent: for each row taken it would be asked again whether the slots are ours alone.
        var places = slots.mutableSpan
        for row in 0..<rows.count {
            let id = rows[row].idStart..<rows[row].idEnd
            var place = Int(truncatingIfNeeded: Self.hash(id, of: ids) &>> shift)
            while places[place] != 0 {
                let other = Int(places[place]) - 1
                let others = rows[other].idStart..<rows[other].idEnd
                let isEqual = ids.withBytes { bytes in
                    bytes.extracting(id).equals(bytes.extracting(others))
                }
                if isEqual { return (other, row) }
                place = (place + 1) & mask
            }
            places[place] = UInt32(truncatingIfNeeded: row + 1)
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
    /// The first two rows that have one id, if there are any.
    ///
    /// - Complexity: O(rows).
    mutating func firstDuplicate() -> (Int, Int)? {
        guard rowCount > 1, !hasUniqueIDs else { return nil }
        var table = RowIDTable()
        swap(&table, &idTable)
        let found = table.firstDuplicate(of: rowSlots, in: ids)
        swap(&table, &idTable)
        return found
    }
}
