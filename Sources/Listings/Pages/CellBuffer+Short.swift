public import Bytes

/// What is asked of cells whose texts and numbers are short, by those who draw many rows of them.
extension CellBuffer {
    /// The most bytes of a short text.
    @inlinable package static var longestShortText: Int { 32 }

    /// Where the texts of cells stand that follow one another, one behind the other; nil unless all
    /// cells are short texts that people read as they are, or short whole numbers where those are
    /// expected.
    ///
    /// - Parameters:
    ///   - range: The cells.
    ///   - integers: The places of numbers, a bit each, the first of them lowest.
    /// - Returns: Where they stand.
    @inlinable
    @inline(__always)
    package func shortTexts(_ range: Range<Int>, integers: UInt64) -> Range<Int>? {
        let first = range.lowerBound &+ (~integers).trailingZeroBitCount
        let start = first < range.upperBound ? Int(truncatingIfNeeded: slots[first].payload) : 0
        var end = start
        var found: UInt64 = 0
        for index in range {
            let slot = slots[index]
            guard slot.kind == .text else {
                guard slot.isShortInteger else { return nil }
                found |= 1 &<< UInt64(truncatingIfNeeded: index &- range.lowerBound)
                continue
            }
            guard !slot.hasDisplay, slot.length <= Self.longestShortText,
                slot.payload == UInt64(truncatingIfNeeded: end)
            else { return nil }
            end &+= Int(slot.length)
        }
        return found == integers ? start..<end : nil
    }

    /// The number of a cell that is a short one.
    @inlinable
    @inline(__always)
    package func shortInteger(_ index: Int) -> UInt64 {
        let slot = slots[index]
        precondition(slot.isShortInteger, "cell \(index) is no short number")
        return slot.payload
    }

    /// Lends the texts of all cells.
    @inlinable
    @inline(__always)
    package borrowing func withTexts<R>(_ body: (borrowing ByteBuffer) -> R) -> R { body(bytes) }

    /// Where the text of a cell stands among them.
    @inlinable
    @inline(__always)
    package func text(_ index: Int) -> Range<Int> {
        let start = Int(truncatingIfNeeded: slots[index].payload)
        return start..<start &+ Int(slots[index].length)
    }

    /// Whether a cell is a short text that people read as it is.
    @inlinable
    package func isShortText(_ index: Int) -> Bool {
        let slot = slots[index]
        return slot.kind == .text && !slot.hasDisplay && slot.length <= Self.longestShortText
    }

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
