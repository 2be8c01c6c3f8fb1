/// Which rows of one section have to move so that its old order becomes the new one: the fewest.
///
/// Rows that nothing happened to are taken together in blocks, so the cost depends on the rows that
/// were touched.
struct SectionMoves {
    /// A touched row that stays in the section, under another label.
    struct Candidate {
        let id: String
        let old: Int
        let new: Int
    }

    private let candidates: [Candidate]
    /// The rows of the old order that are not counted among the untouched, ascending.
    private let touchedOld: [Int]
    /// The same of the new order.
    private let touchedNew: [Int]
    private let untouchedCount: Int
    /// The rows that a range of the old order yields; nil where each place is one row.
    private let weigh: ((Range<Int>) -> Int)?

    /// Sorts the rows of a section; nil when the numbers do not add up.
    ///
    /// - Parameters:
    ///   - candidates: Rows that stay in the section.
    ///   - gone: The old places of rows that leave.
    ///   - arrived: The new places of rows that enter.
    ///   - oldCount: The rows in the old order.
    ///   - newCount: The rows in the new order.
    ///   - weigh: What moving a range of the old order costs; nil counts its places.
    init?(
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

    /// The rows that move, as old and new places; ascending by the new ones.
    func moves() -> [(old: Int, new: Int)] {
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
        let isKept = HeaviestSubsequence.find(
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

    /// What moving a block of untouched rows costs.
    private func cost(of block: Range<Int>) -> Int {
        guard let weigh else { return block.count }
        let first = Self.row(block.lowerBound, in: touchedOld)
        let end = Self.row(block.upperBound - 1, in: touchedOld) + 1
        // Rows that went stood among them, and cost nothing.
        let between =
            touchedOld.countAtFront { $0 < first }..<touchedOld.countAtFront { $0 < end }
        return touchedOld[between].reduce(weigh(first..<end)) { $0 - weigh($1..<$1 + 1) }
    }

    /// The untouched rows in blocks that no candidate stands inside of, before or after.
    private func blocks(cutAt gaps: [Int]) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var start = 0
        for end in Set(gaps + [untouchedCount]).sorted() where end > start {
            blocks.append(start..<end)
            start = end
        }
        return blocks
    }

    /// Candidates and blocks in one order; a block is named by its index behind the candidates.
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

    /// The number of untouched rows before a row.
    private static func untouched(before row: Int, in touched: [Int]) -> Int {
        row - touched.countAtFront { $0 < row }
    }

    /// The place of the untouched row with a number.
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
    /// The number of elements at the front for which a condition holds that holds for none behind.
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
