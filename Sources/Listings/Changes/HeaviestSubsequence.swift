/// What may stay where it is while everything else moves around it, so that the least moves.
enum HeaviestSubsequence {
    /// The rising subsequence of the greatest weight.
    ///
    /// - Complexity: O(n log n): a Fenwick tree over the ranks keeps the heaviest end so far.
    ///
    /// - Parameters:
    ///   - ranks: 0..<count in some order.
    ///   - weights: The weight of each element, at least 1.
    /// - Returns: For each element whether it belongs to the subsequence.
    static func find(ranks: [Int], weights: [Int]) -> [Bool] {
        let count = ranks.count
        var heaviest: [Int?] = Array(repeating: nil, count: count + 1)
        var totals = weights
        var previous: [Int?] = Array(repeating: nil, count: count)
        var last: Int?
        for (element, rank) in ranks.enumerated() {
            var position = rank
            var best = 0
            while position > 0 {
                if let end = heaviest[position], totals[end] > best {
                    best = totals[end]
                    previous[element] = end
                }
                position &= position - 1
            }
            totals[element] += best
            position = rank + 1
            while position <= count {
                if heaviest[position].map({ totals[$0] < totals[element] }) ?? true {
                    heaviest[position] = element
                }
                position += position & -position
            }
            if last.map({ totals[$0] < totals[element] }) ?? true { last = element }
        }
        var isKept = Array(repeating: false, count: count)
        while let element = last {
            isKept[element] = true
            last = previous[element]
        }
        return isKept
    }
}
