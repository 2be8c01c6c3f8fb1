public import Bytes

/// What is asked of cells whose texts and numbers are short, by those who draw many rows of them.
extension CellBuffer {
    /// The most bytes of a short text.
    @inlinable package static var longestShortText: Int { 32 }

    /// The number of a cell that is a short one.
    @inlinable
    @inline(__always)
    package func shortInteger(_ index: Int) -> UInt64 { slots[index].shortInteger }

    /// Lends the texts of all cells.
    @inlinable
    @inline(__always)
    package borrowing func withTexts<R>(_ body: (borrowing ByteBuffer) -> R) -> R { body(bytes) }

    /// Lends cells that follow one another, and their texts, for reading short ones.
    ///
    /// - Precondition: The texts are padded.
    @inlinable
    @inline(__always)
    package borrowing func withShort<R>(
        _ range: Range<Int>,
        _ body: (_ cells: borrowing Span<Slot>, _ texts: borrowing PaddedBytes) -> R
    ) -> R {
        bytes.withPadded { bytes in slots.withSpan(range) { slots in body(slots, bytes) } }
    }

    /// Where the text of a cell stands among them.
    @inlinable
    @inline(__always)
    package func text(_ index: Int) -> Range<Int> {
        let start = Int(truncatingIfNeeded: slots[index].payload)
        return start..<start &+ Int(slots[index].length)
    }

    /// Whether a cell is a short text that people read as it is.
    @inlinable
    package func isShortText(_ index: Int) -> Bool { slots[index].isShortText }

    /// Whether cells that follow one another are all texts of at most so many bytes, or short whole
    /// numbers where those are expected, and people read all of them as they are.
    ///
    /// - Parameters:
    ///   - range: The cells.
    ///   - longest: The most bytes of a text.
    ///   - integers: The places of numbers, a bit each, the first of them lowest.
    /// - Returns: Whether they are.
    @inlinable
    package func arePlain(
        _ range: Range<Int>,
        ofAtMost longest: UInt32,
        integers: UInt64
    ) -> Bool {
        var found: UInt64 = 0
        for index in range {
            let slot = slots[index]
            if slot.kind == .text {
                guard !slot.hasDisplay, slot.length <= longest else { return false }
            } else {
                guard slot.isShortInteger else { return false }
                found |= 1 &<< UInt64(truncatingIfNeeded: index &- range.lowerBound)
            }
        }
        return found == integers
    }
}

extension CellBuffer.Slot {
    /// The text, of at most 32 bytes, whose place is counted from one of the texts'.
    @inlinable
    @inline(__always)
    package func shortText(in texts: borrowing PaddedBytes, from start: Int) -> ShortBytes {
        texts.short(at: start &+ Int(truncatingIfNeeded: payload), count: Int(length))
    }

    /// The short whole number.
    @inlinable
    @inline(__always)
    package var shortInteger: UInt64 {
        precondition(isShortInteger, "the cell is no short number")
        return payload
    }
}
