public import Bytes

/// Rows of a page that stay where they are kept: which they are, and who has them.
///
/// A page has either all of its rows itself or none of them: what else is appended has those gathered
/// that were lent before.
@usableFromInline
struct LentRows: ~Copyable, Sendable {
    /// Who has rows, one behind the other; one has several places where others have rows between its own.
    @usableFromInline private(set) var lenders: [KeptRows] = []
    /// For each row of the page its place among those of its lender.
    @usableFromInline private(set) var positions = TrivialBuffer<Int>(minimumCapacity: 64)

    /// Whether the page has its rows itself.
    @usableFromInline var isEmpty: Bool { positions.count == 0 }

    init() {}

    /// Adds rows.
    ///
    /// - Returns: The place of their lender.
    mutating func append(_ positions: borrowing Span<Int>, of kept: KeptRows) -> Int {
        for index in positions.indices { self.positions.append(positions[index]) }
        if lenders.last !== kept { lenders.append(kept) }
        return lenders.count - 1
    }

    /// Forgets all rows.
    mutating func removeAll() {
        guard !isEmpty else { return }
        lenders.removeAll(keepingCapacity: true)
        positions.removeAll()
    }
}

extension Page {
    /// Whether the rows stay where they are kept, to be drawn by who draws ``PlainStretch``es; nothing
    /// else may be asked of a row before ``gatherLentRows()``.
    package var hasLentRows: Bool { !lent.isEmpty }

    /// Lends the rows of a stretch that are lent to the page: who has them, and where.
    ///
    /// - Parameters:
    ///   - rows: Rows of the stretch.
    ///   - lender: The stretch's.
    ///   - body: Reads them.
    /// - Returns: What the closure returns.
    @inlinable
    @inline(__always)
    package borrowing func withLentRows<R>(
        _ rows: Range<Int>,
        of lender: Int,
        _ body: (_ kept: KeptRows, _ positions: borrowing Span<Int>) -> R
    ) -> R {
        lent.positions.withSpan(rows) { body(lent.lenders[lender], $0) }
    }

    /// Whether a closure holds of all stretches of a page whose rows are lent.
    package func allStretches(_ holds: (PlainStretch) -> Bool) -> Bool {
        stretches.allSatisfy(holds)
    }

    /// Has the rows to come stay where they are kept, if all may.
    ///
    /// - Returns: Whether they do.
    mutating func lend(_ positions: borrowing Span<Int>, of kept: KeptRows) -> Bool {
        // Ids that may be there twice are compared on the page.
        guard lendsRows, hasUniqueIDs, rowSlots.count == 0, kept.mayLend(positions) else {
            return false
        }
        let kind = plainKind(of: kept.rows)
        let first = rowCount
        let lender = lent.append(positions, of: kept)
        endPlainRows()
        appendKept(PlainStretch(lent: first..<rowCount, kind, kept, lender))
        return true
    }

    /// Gives rows that are lent back when the page is drawn: who has them is not to outlive its list here.
    ///
    /// The page has no rows any more; what is known of its sections stays.
    package mutating func returnLentRows() {
        guard !lent.isEmpty else { return }
        lent.removeAll()
        keptStretches.removeAll(keepingCapacity: true)
        stretches.removeAll(keepingCapacity: true)
    }

    /// Copies the rows that are lent onto the page.
    ///
    /// - Complexity: O(cells).
    package mutating func gatherLentRows() {
        guard !lent.isEmpty else { return }
        var rows = LentRows()
        swap(&rows, &lent)
        for index in keptStretches.indices {
            guard let lender = keptStretches[index].lender else { continue }
            let range = keptStretches[index].rows
            keptStretches[index] = rows.positions.withSpan(range) {
                gather($0, of: rows.lenders[lender])
            }
        }
        rows.removeAll()
        // Its memory stays.
        swap(&rows, &lent)
        reservePadding()
        if !stretches.isEmpty { findStretches() }
    }
}
