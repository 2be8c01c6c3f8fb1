public import Bytes

/// Access to all cells at once, for the encoders of rows.
extension CellBuffer {
    /// Lends the texts of all cells.
    @inlinable
    @inline(__always)
    package borrowing func withTexts<R>(_ body: (borrowing ByteBuffer) -> R) -> R { body(bytes) }

    /// Whether any cell has a text for people that differs from its value.
    @inlinable package var hasDisplays: Bool { !displays.isEmpty }

    /// Lends all cells and their texts.
    ///
    /// - Precondition: The texts are padded.
    @inlinable
    @inline(__always)
    package borrowing func withCells<R>(
        _ body: (_ cells: borrowing Span<Slot>, _ texts: borrowing PaddedSpan) -> R
    ) -> R {
        bytes.withPadded { bytes in slots.withSpan(0..<slots.count) { body($0, bytes) } }
    }

    /// A bound for the bytes of the text of each of some cells that follow one another.
    ///
    /// - Returns: A number that none exceeds, less than twice the greatest.
    @inlinable
    package func longestText(_ range: Range<Int>) -> Int {
        slots.withSpan(range) { cells in
            var bits: UInt32 = 0
            for index in cells.indices { bits |= cells[index].length }
            return Int(bits)
        }
    }

    /// The bytes of the texts of cells that follow one another, with those that people read instead.
    @inlinable
    package func writtenLength(_ range: Range<Int>) -> Int {
        var length = 0
        for index in range {
            let slot = slots[index]
            length &+= Int(slot.length)
            if slot.hasDisplay { length &+= displays[index]?.count ?? 0 }
        }
        return length
    }
}

extension CellBuffer.Slot {
    /// The place of the text among all texts; means nothing where the cell has none.
    @inlinable
    @inline(__always)
    package var textStart: Int { Int(truncatingIfNeeded: payload) }

    /// The bytes of the text.
    @inlinable
    @inline(__always)
    package var textCount: Int { Int(length) }

    /// The whole number; means nothing of other cells.
    @inlinable
    @inline(__always)
    package var integer: Int64 { Int64(bitPattern: payload) }
}
