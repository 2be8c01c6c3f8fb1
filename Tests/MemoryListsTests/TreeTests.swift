import TestSupport
import Testing

@testable import MemoryLists

@Suite("Trees that copies share")
struct TreeTests {
    private struct Number: Summarized {
        let value: Int
        var tally: RopeSummary { RopeSummary(elements: 1, models: value) }
    }

    @Test("a tree cuts, joins and finds like an array, and older copies stay as they were")
    func tree() {
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var numbers = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                Int.random(in: 0...5, using: &generator)
            }
            var tree = BalancedTree(numbers.map(Number.init))
            for _ in 0..<40 {
                let old = (tree, numbers)
                let cut = Int.random(in: 0...numbers.count, using: &generator)
                let (left, right) = tree.split { before, _ in before.elements >= cut }
                #expect(values(left) == Array(numbers[..<cut]), "seed \(seed)")
                #expect(values(right) == Array(numbers[cut...]), "seed \(seed)")
                if Bool.random(using: &generator) {
                    tree = right.joined(with: left)
                    numbers = Array(numbers[cut...] + numbers[..<cut])
                } else {
                    tree = left.joined(Number(value: cut), right)
                    numbers.insert(cut, at: cut)
                }
                #expect(values(tree) == numbers, "seed \(seed)")
                #expect(tree.tally.models == numbers.reduce(0, +))
                #expect(values(old.0) == old.1)
                let sum = Int.random(in: 0...200, using: &generator)
                let found = tree.first { before, number in before.models + number.value > sum }
                var before = 0
                let index = numbers.firstIndex { number in
                    before += number
                    return before > sum
                }
                #expect(found?.before.elements == index, "seed \(seed)")
            }
        }
    }

    @Test("a tree of a hundred thousand appended elements stays shallow")
    func balance() {
        var tree = BalancedTree<Number>()
        for value in 0..<100_000 { tree = tree.joined(Number(value: value), BalancedTree()) }
        var steps = 0
        _ = tree.first { _, _ in
            steps += 1
            return true
        }
        #expect(steps <= 25)
    }

    @Test("a map answers like a dictionary, and older copies stay as they were")
    func map() {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var map = PersistentDictionary<CollidingKey, Int>()
            var expected: [CollidingKey: Int] = [:]
            for step in 0..<600 {
                let key = CollidingKey(value: Int.random(in: 0..<150, using: &generator))
                let old = (map, expected)
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    map.removeValue(for: key)
                    expected[key] = nil
                } else {
                    map.set(step, for: key)
                    expected[key] = step
                }
                #expect(map[key] == expected[key])
                #expect(map.count == expected.count)
                #expect(old.0[key] == old.1[key])
            }
            var all: [CollidingKey: Int] = [:]
            map.visit { all[$0] = $1 }
            #expect(all == expected, "seed \(seed)")
        }
    }

    @Test("between any two labels there is room, and no label is given out twice")
    func labels() {
        for seed in 0..<30 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var space = OrderKeyAllocator()
            var labels: [OrderLabel] = []
            var all: Set<OrderLabel> = []
            for serial in 1...150 {
                if labels.count > 3, Bool.random(using: &generator) {
                    labels.remove(at: Int.random(in: labels.indices, using: &generator))
                }
                // Half of the time next to the last place: the crowd that needs the most room.
                let index = min(
                    labels.count,
                    serial.isMultiple(of: 2)
                        ? 3 : Int.random(in: 0...labels.count, using: &generator)
                )
                let count = Int.random(in: 1...3, using: &generator)
                let first = space.labels(
                    count,
                    between: index > 0 ? labels[index - 1] : nil,
                    and: index < labels.count ? labels[index] : nil,
                    serial: Int64(serial)
                )
                let new = (0..<count).map {
                    OrderLabel(
                        prefix: first.prefix,
                        number: first.number + Int64($0),
                        serial: first.serial
                    )
                }
                labels.insert(contentsOf: new, at: index)
                for label in new {
                    #expect(all.insert(label).inserted, "seed \(seed): \(label)")
                    #expect(OrderLabel(label.text[...]) == label)
                }
                #expect(zip(labels, labels.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
            }
        }
    }

    @Test(
        "a text that is no label is refused",
        arguments: ["", "1", "1.2.3", "1.x!", "1..2", "é.1"]
    )
    func malformedLabels(text: String) {
        #expect(OrderLabel(text[...]) == nil)
    }

    private func values(_ tree: BalancedTree<Number>) -> [Int] {
        var values: [Int] = []
        tree.visit { _, number in
            values.append(number.value)
            return true
        }
        return values
    }

    /// A key whose hashes are equal more often than not.
    private struct CollidingKey: Hashable {
        let value: Int
        func hash(into hasher: inout Hasher) { hasher.combine(value % 7) }
    }
}
