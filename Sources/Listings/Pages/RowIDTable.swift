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
    ///   - bytes: Their ids.
    /// - Returns: Their positions; nil where all ids differ.
    mutating func firstDuplicate(
        of rows: [Page.RowSlot],
        in bytes: borrowing Span<UInt8>
    ) -> (Int, Int)? {
        begin(rows.count)
        let mask = slots.count - 1
        // Lent: for each row taken it would be asked again whether the slots are ours alone.
        var places = slots.mutableSpan
        for row in rows.indices {
            let id = rows[row].idStart..<rows[row].idEnd
            var place = Int(truncatingIfNeeded: Self.hash(bytes.extracting(id))) & mask
            while places[place] != 0 {
                let other = Int(places[place]) - 1
                let others = rows[other].idStart..<rows[other].idEnd
                if bytes.extracting(id).equals(bytes.extracting(others)) { return (other, row) }
                place = (place + 1) & mask
            }
            places[place] = UInt32(row + 1)
        }
        return nil
    }

    private static func hash(_ id: borrowing Span<UInt8>) -> UInt64 {
        let count = UInt64(truncatingIfNeeded: id.count)
        // Most ids are short: the highest bits of a product depend on all of a word's.
        guard id.count > 8 else {
            return ((id.gathered ^ count) &* 0x9E37_79B9_7F4A_7C15) >> 32
        }
        var hash = ContentHash(seed: count)
        hash.add(id)
        return hash.value
    }
}

extension Page {
    /// The first two rows that have one id, if there are any.
    ///
    /// - Complexity: O(rows).
    mutating func firstDuplicate() -> (Int, Int)? {
        guard rowCount > 1 else { return nil }
        var table = RowIDTable()
        swap(&table, &idTable)
        let found = ids.withBytes { table.firstDuplicate(of: rowSlots, in: $0) }
        swap(&table, &idTable)
        return found
    }
}
