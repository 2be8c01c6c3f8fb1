/// What may stay where it is while everything else moves around it, so that the least moves.
///
/// Keeps its memory from use to use.
struct HeaviestSubsequence {
    /// 0..<count in some order.
    var ranks: [Int32] = []
    /// The weight of each element, at least 1; together at most `Int32.max`.
    var weights: [Int32] = []
    /// For each element whether it belongs to the rising subsequence of the greatest weight.
    private(set) var isKept: [Bool] = []

    /// A Fenwick tree over the ranks: the element that ends the heaviest subsequence so far.
    private var heaviest: [Int32] = []
    private var totals: [Int32] = []
    /// For each element the one before it in its subsequence; below 0 when it is the first.
    private var previous: [Int32] = []

    /// Forgets all elements.
    mutating func removeAll() {
        ranks.removeAll(keepingCapacity: true)
        weights.removeAll(keepingCapacity: true)
    }

    /// Finds the rising subsequence of the greatest weight.
    ///
    /// - Complexity: O(n log n).
    mutating func find() {
        let count = ranks.count
        heaviest.fill(count + 1, with: -1)
        totals.fill(count, with: 0)
        previous.fill(count, with: -1)
        isKept.fill(count, with: false)
        var last = -1
        for element in 0..<count {
            var position = Int(ranks[element])
            var best: Int32 = 0
            var before: Int32 = -1
            while position > 0 {
                let end = heaviest[position]
                if end >= 0, totals[Int(end)] > best {
                    best = totals[Int(end)]
                    before = end
                }
                position &= position - 1
            }
            previous[element] = before
            let total = best + weights[element]
            totals[element] = total
            position = Int(ranks[element]) + 1
            while position <= count {
                let end = Int(heaviest[position])
                if end < 0 || totals[end] < total {
                    heaviest[position] = Int32(truncatingIfNeeded: element)
                }
                position += position & -position
            }
            if last < 0 || totals[last] < total { last = element }
        }
        while last >= 0 {
            isKept[last] = true
            last = Int(previous[last])
        }
    }

    /// The rising subsequence of the greatest weight.
    ///
    /// - Parameters:
    ///   - ranks: 0..<count in some order.
    ///   - weights: The weight of each element, at least 1.
    /// - Returns: For each element whether it belongs to the subsequence.
    static func find(ranks: [Int], weights: [Int]) -> [Bool] {
        var search = HeaviestSubsequence()
        search.ranks = ranks.map { Int32($0) }
        search.weights = weights.map { Int32($0) }
        search.find()
        return search.isKept
    }
}

extension Array {
    /// Makes the array hold one element so many times, in the memory that it has.
    mutating func fill(_ count: Int, with element: Element) {
        removeAll(keepingCapacity: true)
        reserveCapacity(count)
        for _ in 0..<count { append(element) }
    }
}
