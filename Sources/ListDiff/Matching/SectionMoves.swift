/// The fewest row moves that turn a section's old order into its new one.
///
/// Untouched rows are combined to blocks, so the cost depends on the touched rows.
package struct SectionMoves {
    /// A touched row that stays in the section with another label.
    package struct Candidate {
        let old: Int
        let new: Int

        package init(old: Int, new: Int) {
            self.old = old
            self.new = new
        }
    }

    private let candidates: [Candidate]
    /// Ascending.
    private let touchedOld: [Int]
    /// Ascending.
    private let touchedNew: [Int]
    private let untouchedCount: Int
    /// Returns the number of rows of a range of the old order; nil if each position is one row.
    private let weigh: ((Range<Int>) -> Int)?

    /// Nil when the numbers of rows contradict each other.
    ///
    /// `candidates` stay in the section, old positions that are `gone` leave it, and new ones that
    /// `arrived` enter it. `weigh` returns the cost of moving a range of the old order; nil counts
    /// its positions.
    package init?(
        _ candidates: [Candidate],
        gone: [Int],
        arrived: [Int],
        oldCount: Int,
        newCount: Int,
        weigh: ((Range<Int>) -> Int)? = nil
    ) {
        self.weigh = weigh
        self.candidates = candidates.sorted { $0.new < $1.new }
        touchedOld = (gone + candidates.map(\.old)).sorted()
        touchedNew = (arrived + candidates.map(\.new)).sorted()
        untouchedCount = oldCount - touchedOld.count
        guard untouchedCount >= 0, untouchedCount == newCount - touchedNew.count else {
            return nil
        }
    }

    /// Ascending by the new positions.
    package func moves() -> [(old: Int, new: Int)] {
        guard !candidates.isEmpty else { return [] }
        let oldGaps = candidates.map { Self.untouched(before: $0.old, in: touchedOld) }
        let newGaps = candidates.map { Self.untouched(before: $0.new, in: touchedNew) }
        let blocks = blocks(cutAt: oldGaps + newGaps)
        let oldOrder = order(
            candidates.indices.sorted { candidates[$0].old < candidates[$1].old },
            gaps: oldGaps,
            blocks
        )
        let newOrder = order(Array(candidates.indices), gaps: newGaps, blocks)
        var rank: [Int] = Array(repeating: 0, count: oldOrder.count)
        for (position, item) in oldOrder.enumerated() { rank[item] = position }
        func weight(_ item: Int) -> Int {
            guard item < candidates.count else { return cost(of: blocks[item - candidates.count]) }
            let old = candidates[item].old
            return weigh?(old..<old + 1) ?? 1
        }
        let isKept = WeightedIncreasingSubsequence.find(
            ranks: newOrder.map { rank[$0] },
            weights: newOrder.map(weight)
        )
        var moves: [(old: Int, new: Int)] = []
        for (position, item) in newOrder.enumerated() where !isKept[position] {
            if item < candidates.count {
                moves.append((candidates[item].old, candidates[item].new))
            } else {
                for row in blocks[item - candidates.count] {
                    moves.append((Self.row(row, in: touchedOld), Self.row(row, in: touchedNew)))
                }
            }
        }
        return moves
    }

    private func cost(of block: Range<Int>) -> Int {
        guard let weigh else { return block.count }
        let first = Self.row(block.lowerBound, in: touchedOld)
        let end = Self.row(block.upperBound - 1, in: touchedOld) + 1
        // The touched rows between them do not move with the block.
        let between =
            touchedOld.countAtFront { $0 < first }..<touchedOld.countAtFront { $0 < end }
        return touchedOld[between].reduce(weigh(first..<end)) { $0 - weigh($1..<$1 + 1) }
    }

    /// No candidate is inside a block in either order.
    private func blocks(cutAt gaps: [Int]) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var start = 0
        for end in Set(gaps + [untouchedCount]).sorted() where end > start {
            blocks.append(start..<end)
            start = end
        }
        return blocks
    }

    /// Candidates and blocks in one order.
    ///
    /// The index of a block follows those of the candidates.
    private func order(_ rows: [Int], gaps: [Int], _ blocks: [Range<Int>]) -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(rows.count + blocks.count)
        var next = 0
        for row in rows {
            while next < blocks.count, blocks[next].upperBound <= gaps[row] {
                order.append(candidates.count + next)
                next += 1
            }
            order.append(row)
        }
        while next < blocks.count {
            order.append(candidates.count + next)
            next += 1
        }
        return order
    }

    private static func untouched(before row: Int, in touched: [Int]) -> Int {
        row - touched.countAtFront { $0 < row }
    }

    private static func row(_ number: Int, in touched: [Int]) -> Int {
        var low = 0
        var high = touched.count
        while low < high {
            let middle = (low + high) / 2
            if touched[middle] - middle <= number { low = middle + 1 } else { high = middle }
        }
        return number + low
    }
}

extension Array {
    /// No later element may meet the condition.
    fileprivate func countAtFront(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
