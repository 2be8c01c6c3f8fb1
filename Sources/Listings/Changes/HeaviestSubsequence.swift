/// What may stay where it is while everything else moves around it, so that the least moves.
///
/// Keeps its memory from use to use.
struct HeaviestSubsequence {
    /// What stays or moves as a whole.
    struct Element {
        /// Its place in the old order, counted from 0 without gaps; below 0 when it had none.
        var rank: Int32 = -1
        /// What moving it costs, at least 1; of all elements together at most `Int32.max`.
        var weight: Int32 = 0
    }

    /// The elements in their new order.
    var elements: [Element] = []
    /// For each element whether it belongs to the rising subsequence of the greatest weight.
    private(set) var isKept: [Bool] = []

    /// A Fenwick tree over the ranks: the end of the heaviest subsequence so far, as its weight
    /// above what its element leaves of `UInt32.max`.
    ///
    /// The greater number is the heavier one, and of two that weigh the same the one that came
    /// first; 0 is none.
    private var ends: [UInt64] = []
    /// For each element the end that it goes on from.
    private var previous: [UInt64] = []

    /// Finds the rising subsequence of the greatest weight.
    ///
    /// - Complexity: O(n log n).
    mutating func find() {
        ends.fill(elements.count + 1, with: 0)
        previous.fill(elements.count, with: 0)
        isKept.fill(elements.count, with: false)
        var last = Self.link(elements, &ends, &previous)
        while last > 0 {
            let element = Int(UInt32.max - UInt32(truncatingIfNeeded: last))
            isKept[element] = true
            last = previous[element]
        }
    }

    /// Finds for each element the end that it goes on from.
    ///
    /// - Returns: The end of the heaviest subsequence of all.
    private static func link(
        _ elements: [Element],
        _ ends: inout [UInt64],
        _ previous: inout [UInt64]
    ) -> UInt64 {
        var ends = ends.mutableSpan
        var previous = previous.mutableSpan
        var last: UInt64 = 0
        for index in elements.indices where elements[index].rank >= 0 {
            let rank = Int(elements[index].rank)
            var position = rank
            var before: UInt64 = 0
            while position > 0 {
                before = max(before, ends[position])
                position &= position - 1
            }
            previous[index] = before
            let weight = (before >> 32) + UInt64(elements[index].weight)
            let end = weight << 32 | UInt64(UInt32.max - UInt32(truncatingIfNeeded: index))
            position = rank + 1
            // What is as heavy here is as heavy further up.
            while position < ends.count, ends[position] < end {
                ends[position] = end
                position += position & -position
            }
            last = max(last, end)
        }
        return last
    }

    /// The rising subsequence of the greatest weight.
    ///
    /// - Parameters:
    ///   - ranks: 0..<count in some order.
    ///   - weights: The weight of each element, at least 1.
    /// - Returns: For each element whether it belongs to the subsequence.
    static func find(ranks: [Int], weights: [Int]) -> [Bool] {
        var search = HeaviestSubsequence()
        search.elements = zip(ranks, weights).map {
            Element(rank: Int32($0), weight: Int32($1))
        }
        search.find()
        return search.isKept
    }
}

extension Array {
    /// Makes the array hold one element so many times, in the memory that it has.
    mutating func fill(_ count: Int, with element: Element) {
        removeAll(keepingCapacity: true)
        append(addingCapacity: count) { $0.append(repeating: element, count: count) }
    }
}
