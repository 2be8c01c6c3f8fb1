/// The retained rows of a section in their new order, to find those that have to move.
///
/// It reuses its memory.
struct RowOrdering {
    /// The run starts among 64 old rows.
    private struct Word {
        var starts: UInt64 = 0
        var before: Int32 = 0

        func rank(of bit: Int) -> Int32 {
            let lower = starts & ((1 << UInt64(bit)) - 1)
            return before + Int32(truncatingIfNeeded: lower.nonzeroBitCount)
        }
    }

    /// Ascending by their new positions.
    private(set) var runs: [MatchedRun] = []

    private var search = WeightedIncreasingSubsequence()
    private var words: [Word] = []
    private var isInOrder = true
    /// The old rows of the section; all others come from other sections.
    private var rows = 0..<0

    /// The rows are the old ones of the section; empty when it is inserted.
    mutating func begin(_ rows: Range<Int>) {
        self.rows = rows
        runs.removeAll(keepingCapacity: true)
    }

    /// Merges them with the last run if they continue it.
    mutating func append(_ run: MatchedRun) {
        if let last = runs.last, last.old + last.count == run.old, last.new + last.count == run.new,
            rows.contains(Int(last.old)), rows.contains(Int(run.old))
        {
            runs[runs.count - 1].count += run.count
        } else {
            runs.append(run)
        }
    }

    func isMoved(_ index: Int) -> Bool { !isInOrder && !search.isKept[index] }

    func isForeign(_ index: Int) -> Bool { !isInOrder && search.elements[index].rank < 0 }

    /// Finds the fewest rows that have to move.
    ///
    /// A run stays or moves as a whole, because splitting it never saves a move.
    ///
    /// - Complexity: O(n log n) for n runs, and O(rows / 64) if they are not in order.
    mutating func findMoved() {
        var end = rows.lowerBound
        isInOrder = true
        for run in runs {
            guard run.old >= end, run.old < rows.upperBound else {
                isInOrder = false
                break
            }
            end = Int(run.old) + Int(run.count)
        }
        guard !isInOrder else { return }
        rankRuns()
        search.find()
    }

    /// By their old positions, from 0.
    private mutating func rankRuns() {
        let (rows, runs) = (rows, runs)
        markStarts(of: runs)
        let words = words
        search.elements.fill(runs.count, with: WeightedIncreasingSubsequence.Element())
        var elements = search.elements.mutableSpan
        for index in runs.indices where rows.contains(Int(runs[index].old)) {
            let location = Int(runs[index].old) - rows.lowerBound
            elements[index].rank = words[location >> 6].rank(of: location & 63)
            elements[index].weight = runs[index].count
        }
    }

    private mutating func markStarts(of runs: [MatchedRun]) {
        let rows = rows
        words.fill((rows.count + 63) / 64, with: Word())
        var words = words.mutableSpan
        for run in runs where rows.contains(Int(run.old)) {
            let location = Int(run.old) - rows.lowerBound
            words[location >> 6].starts |= 1 << UInt64(location & 63)
        }
        var before: Int32 = 0
        for index in words.indices {
            words[index].before = before
            before += Int32(truncatingIfNeeded: words[index].starts.nonzeroBitCount)
        }
    }
}
