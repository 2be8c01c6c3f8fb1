/// A walk through two orders of rows that collects aligned rows.
///
/// Ids rarely move, so most rows need neither a hash nor a table. Skipped rows are paired by id
/// later, so a wrong guess costs time, but never a match.
struct SequenceMatcher {
    /// The aligned rows, ascending in both orders within a section.
    private(set) var runs: [MatchedRun] = []
    private var anchors = IDTable()

    /// The distance between rows of the new order that can be found by id after a mismatch.
    private static let anchorDistance = 32
    /// The number of mismatches after which the walk must have matched more rows than that.
    private static let toleratedMismatches = 256

    mutating func removeAll() { runs.removeAll(keepingCapacity: true) }

    /// O(rows).
    mutating func align(
        _ old: Span<UInt64>,
        _ oldRows: Range<Int>,
        _ new: Span<UInt64>,
        _ newRows: Range<Int>
    ) {
        var (oldRow, newRow) = (oldRows.lowerBound, newRows.lowerBound)
        let suffix = Self.commonSuffix(old, oldRows, new, newRows)
        let oldEnd = oldRows.upperBound - suffix
        let newEnd = newRows.upperBound - suffix
        var matched = 0
        var mismatches = 0
        var hasAnchors = false
        while true {
            let count = old.equalCount(
                from: oldRow,
                new,
                from: newRow,
                limit: min(oldEnd - oldRow, newEnd - newRow)
            )
            append(oldRow, newRow, count)
            matched += count
            oldRow += count
            newRow += count
            guard oldRow < oldEnd, newRow < newEnd else { break }
            mismatches += 1
            if mismatches > Self.toleratedMismatches, mismatches > matched { break }
            if let skip = Self.skip(old, oldRow..<oldEnd, new, newRow..<newEnd) {
                oldRow += skip.old
                newRow += skip.new
                continue
            }
            if !hasAnchors {
                setAnchors(new, newRow..<newEnd)
                hasAnchors = true
            }
            guard let location = anchored(old, oldRow..<oldEnd, new, newRow..<newEnd) else { break }
            (oldRow, newRow) = location
        }
        append(oldEnd, newEnd, suffix)
    }

    private mutating func append(_ old: Int, _ new: Int, _ count: Int) {
        if count > 0 { runs.append(MatchedRun(old: old, new: new, count: count)) }
    }

    private static func commonSuffix(
        _ old: Span<UInt64>,
        _ oldRows: Range<Int>,
        _ new: Span<UInt64>,
        _ newRows: Range<Int>
    ) -> Int {
        let limit = min(oldRows.count, newRows.count)
        let (oldEnd, newEnd) = (oldRows.upperBound, newRows.upperBound)
        var count = 0
        while count < limit, old[oldEnd - 1 - count] == new[newEnd - 1 - count] { count += 1 }
        return count
    }

    /// On either side; nil if no common row is near.
    private static func skip(
        _ old: Span<UInt64>,
        _ oldRows: Range<Int>,
        _ new: Span<UInt64>,
        _ newRows: Range<Int>
    ) -> (old: Int, new: Int)? {
        let (oldStart, newStart) = (oldRows.lowerBound, newRows.lowerBound)
        func isMatch(_ skippedOld: Int, _ skippedNew: Int) -> Bool {
            skippedOld < oldRows.count && skippedNew < newRows.count
                && old[oldStart + skippedOld] == new[newStart + skippedNew]
        }
        for distance in 1...6 {
            for skipped in 0...distance where isMatch(skipped, distance - skipped) {
                return (skipped, distance - skipped)
            }
        }
        for distance in 7...12 {
            if isMatch(distance, 0) { return (distance, 0) }
            if isMatch(0, distance) { return (0, distance) }
        }
        return nil
    }

    // MARK: - Anchors

    private mutating func setAnchors(_ new: Span<UInt64>, _ rows: Range<Int>) {
        anchors.prepare(for: rows.count / Self.anchorDistance + 1)
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.anchorDistance) {
            _ = anchors.set(new[row], row)
        }
    }

    /// Nil when no anchor continues.
    private func anchored(
        _ old: Span<UInt64>,
        _ oldRows: Range<Int>,
        _ new: Span<UInt64>,
        _ newRows: Range<Int>
    ) -> (old: Int, new: Int)? {
        for row in oldRows {
            let anchor = anchors.location(of: old[row])
            guard newRows.contains(anchor) else { continue }
            let goesOn =
                row + 1 < oldRows.upperBound && anchor + 1 < newRows.upperBound
                && old[row + 1] == new[anchor + 1]
            let comesFrom =
                row > oldRows.lowerBound && anchor > newRows.lowerBound
                && old[row - 1] == new[anchor - 1]
            // A single matching row has more likely moved.
            guard goesOn || comesFrom else { continue }
            let back = Self.commonSuffix(
                old,
                oldRows.lowerBound..<row,
                new,
                newRows.lowerBound..<anchor
            )
            return (row - back, anchor - back)
        }
        return nil
    }
}

extension Span<UInt64> {
    /// Compares eight numbers with one branch.
    func equalCount(from start: Int, _ other: Span<UInt64>, from otherStart: Int, limit: Int) -> Int
    {
        let own = extracting(start..<start + limit)
        let others = other.extracting(otherStart..<otherStart + limit)
        var count = 0
        while count + 8 <= limit {
            let difference =
                (own[count] ^ others[count]) | (own[count + 1] ^ others[count + 1])
                | (own[count + 2] ^ others[count + 2]) | (own[count + 3] ^ others[count + 3])
                | (own[count + 4] ^ others[count + 4]) | (own[count + 5] ^ others[count + 5])
                | (own[count + 6] ^ others[count + 6]) | (own[count + 7] ^ others[count + 7])
            guard difference == 0 else { break }
            count += 8
        }
        while count < limit, own[count] == others[count] { count += 1 }
        return count
    }
}
