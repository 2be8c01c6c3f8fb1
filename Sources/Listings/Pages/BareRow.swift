public import Bytes

/// A row that is its id, its revision and its cells, and nothing else: its id tells the page.
@usableFromInline
package struct BareRow {
    /// Its kind, as a position in ``Page/kinds``.
    @usableFromInline package let kind: Int
    /// The place in ``Page/cells`` of the first of its cells.
    @usableFromInline package let firstCell: Int
    /// The revision of its model; nil when none is kept.
    @usableFromInline package let revision: Int64?

    @inlinable
    init(kind: Int, firstCell: Int, revision: Int64?) {
        self.kind = kind
        self.firstCell = firstCell
        self.revision = revision
    }
}

extension Page {
    /// Whether no row failed and none shows rows below it.
    package var isFlat: Bool { failures.isEmpty && below.isEmpty }

    /// A row of a flat page; nil for one that has more than its cells, or stands below another, and
    /// for every row of a page with cells of bytes.
    @inlinable
    @inline(__always)
    package func bareRow(_ row: Int) -> BareRow? {
        let slot = rowSlots[row]
        guard slot.extras < 0, slot.level == 0, !cells.hasBytes, let first = slot.firstCell
        else { return nil }
        return BareRow(
            kind: slot.kind,
            firstCell: Int(first),
            revision: slot.revision
        )
    }

    /// The place of a row's id among those that ``withIDs(_:)`` lends.
    @inlinable
    @inline(__always)
    package func placeOfID(ofRow row: Int) -> Range<Int> {
        let slot = rowSlots[row]
        return slot.idStart..<slot.idEnd
    }

    /// Lends the ids of all rows.
    @inlinable
    @inline(__always)
    package borrowing func withIDs<R>(_ body: (borrowing ByteBuffer) -> R) -> R { body(ids) }

    /// Lends the ids of all rows, padded.
    @inlinable
    @inline(__always)
    package borrowing func withPaddedIDs<R>(_ body: (borrowing PaddedBytes) -> R) -> R {
        ids.withPadded(body)
    }
}
