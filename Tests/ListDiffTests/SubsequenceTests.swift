import ListDiff
import TestSupport
import Testing

@Suite("Increasing subsequences")
struct SubsequenceTests {
    @Test("the heaviest rising subsequence is found, whatever the weights")
    func heaviest() {
        for seed in 0..<400 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let count = Int.random(in: 0...9, using: &generator)
            let ranks = Array(0..<count).shuffled(using: &generator)
            let weights = ranks.map { _ in Int.random(in: 1...4, using: &generator) }
            let kept = WeightedIncreasingSubsequence.find(ranks: ranks, weights: weights)
            let chosen = ranks.indices.filter { kept[$0] }
            #expect(chosen.map { ranks[$0] } == chosen.map { ranks[$0] }.sorted())
            var best = 0
            for mask in 0..<(1 << count) {
                let some = ranks.indices.filter { mask & 1 << $0 != 0 }
                guard some.map({ ranks[$0] }) == some.map({ ranks[$0] }).sorted() else { continue }
                best = max(best, some.reduce(0) { $0 + weights[$1] })
            }
            #expect(chosen.reduce(0) { $0 + weights[$1] } == best, "\(ranks) \(weights)")
        }
    }
}
