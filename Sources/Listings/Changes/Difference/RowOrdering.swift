/// The rows of a section that were there before, in their new order: which of them have to move.
///
/// Keeps its memory from use to use.
struct RowOrdering {
    /// The rows, ascending by their new places.
    private(set) var runs: [MatchedRun] = []

    private var search = HeaviestSubsequence()
    /// For each run its element in the search; below 0 when it comes from elsewhere.
    private var elements: [Int32] = []
    /// The old rows that runs begin with, as bits, and how many begin before each word.
    private var starts: [UInt64] = []
    private var startsBefore: [Int32] = []
    private var isInOrder = true
    /// The old rows of the section; all others come from elsewhere.
    private var rows = 0..<0

    /// Forgets all rows and begins a section.
    ///
    /// - Parameter rows: The old rows of the section; none when it comes.
    mutating func begin(_ rows: Range<Int>) {
        self.rows = rows
        runs.removeAll(keepingCapacity: true)
    }

    /// Appends rows behind the others; those that go on where the last ones end become one with
    /// them.
    mutating func append(_ run: MatchedRun) {
        if let last = runs.last, last.old + last.count == run.old, last.new + last.count == run.new,
            rows.contains(Int(last.old)), rows.contains(Int(run.old))
        {
            runs[runs.count - 1].count += run.count
        } else {
            runs.append(run)
        }
    }

    /// Whether a run has to move.
    func isMoved(_ index: Int) -> Bool {
        guard !isInOrder else { return false }
        let element = Int(elements[index])
        return element < 0 || !search.isKept[element]
    }

    /// Whether a run comes from elsewhere.
    func isForeign(_ index: Int) -> Bool { !isInOrder && elements[index] < 0 }

    /// Finds the fewest rows that have to move.
    ///
    /// A run stays or moves as a whole: rows that follow one another in both orders never gain from
    /// being parted.
    ///
    /// - Complexity: O(n log n) for n runs, and O(rows / 64) where they are not in order.
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
        elements.removeAll(keepingCapacity: true)
        search.removeAll()
        starts.fill((rows.count + 63) / 64, with: 0)
        for run in runs where rows.contains(Int(run.old)) {
            let place = Int(run.old) - rows.lowerBound
            starts[place >> 6] |= 1 << UInt64(place & 63)
        }
        startsBefore.removeAll(keepingCapacity: true)
        var before: Int32 = 0
        for word in starts {
            startsBefore.append(before)
            before += Int32(truncatingIfNeeded: word.nonzeroBitCount)
        }
        for run in runs {
            guard rows.contains(Int(run.old)) else {
                elements.append(-1)
                continue
            }
            elements.append(Int32(truncatingIfNeeded: search.ranks.count))
            let place = Int(run.old) - rows.lowerBound
            let lower = starts[place >> 6] & ((1 << UInt64(place & 63)) - 1)
            let rank = startsBefore[place >> 6] + Int32(truncatingIfNeeded: lower.nonzeroBitCount)
            search.ranks.append(rank)
            search.weights.append(run.count)
        }
        search.find()
    }
}
