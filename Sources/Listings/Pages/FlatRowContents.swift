public import Bytes

/// A row that only has an id, a revision and cells.
///
/// The page holds its id.
@usableFromInline
package struct FlatRowContents {
    /// The kind of the row, as a position in ``Page/kinds``.
    @usableFromInline package let kind: Int
    /// The position of its first cell in ``Page/cells``.
    @usableFromInline package let firstCell: Int
    /// The revision of its model; nil when there is none.
    @usableFromInline package let revision: Int64?

    @inlinable
    init(kind: Int, firstCell: Int, revision: Int64?) {
        self.kind = kind
        self.firstCell = firstCell
        self.revision = revision
    }
}

extension Page {
    /// Whether no row failed and no row is expanded.
    package var isFlat: Bool { failures.isEmpty && below.isEmpty }

    /// A row of a flat page; nil for child rows and rows with more than cells.
    ///
    /// Also nil for every row of a page with byte cells.
    @inlinable
    @inline(__always)
    package func bareRow(_ row: Int) -> FlatRowContents? {
        let slot = rowSlots[row]
        guard slot.extras < 0, slot.level == 0, !cells.hasBytes, let first = slot.firstCell
        else { return nil }
        return FlatRowContents(
            kind: slot.kind,
            firstCell: Int(first),
            revision: slot.revision
        )
    }

    /// The range of a row's id in the buffer of ``withIDs(_:)``.
    @inlinable
    @inline(__always)
    package func placeOfID(ofRow row: Int) -> Range<Int> {
        let slot = rowSlots[row]
        return slot.idStart..<slot.idEnd
    }

    /// Calls a closure with the ids of all rows.
    @inlinable
    @inline(__always)
    package borrowing func withIDs<R>(_ body: (borrowing ByteBuffer) -> R) -> R { body(ids) }

    /// Calls a closure with the padded ids of all rows.
    @inlinable
    @inline(__always)
    package borrowing func withPaddedIDs<R>(_ body: (borrowing PaddedSpan) -> R) -> R {
        ids.withPadded(body)
    }
}
