/// A search for the elements that can stay in position, so that the moves cost least.
///
/// It reuses its memory.
package struct WeightedIncreasingSubsequence {
    /// An element that stays or moves as a whole.
    struct Element {
        /// Its position in the old order, counted from 0 without gaps; below 0 for none.
        var rank: Int32 = -1
        /// The cost of moving it, at least 1.
        ///
        /// All weights together are at most `Int32.max`.
        var weight: Int32 = 0
    }

    var elements: [Element] = []
    /// Whether each element belongs to the rising subsequence of the greatest weight.
    private(set) var isKept: [Bool] = []

    /// A Fenwick tree that finds the end of the heaviest subsequence below a rank.
    ///
    /// The high half holds the weight, the low half `UInt32.max` minus the element's index. So the
    /// greater number is heavier, or earlier with the same weight; 0 is none.
    private var ends: [UInt64] = []
    /// The end that each element continues.
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

    /// Finds the end that each element continues.
    ///
    /// Returns the end of the heaviest subsequence of all.
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
            // Further nodes are at least as heavy as this one.
            while position < ends.count, ends[position] < end {
                ends[position] = end
                position += position & -position
            }
            last = max(last, end)
        }
        return last
    }

    /// Finds the rising subsequence of the greatest weight.
    ///
    /// `ranks` are 0..<count in some order. Weights are at least 1.
    package static func find(ranks: [Int], weights: [Int]) -> [Bool] {
        var search = WeightedIncreasingSubsequence()
        search.elements = zip(ranks, weights).map {
            Element(rank: Int32($0), weight: Int32($1))
        }
        search.find()
        return search.isKept
    }
}

extension Array {
    /// Keeps its own memory.
    mutating func fill(_ count: Int, with element: Element) {
        removeAll(keepingCapacity: true)
        append(addingCapacity: count) { $0.append(repeating: element, count: count) }
    }
}
