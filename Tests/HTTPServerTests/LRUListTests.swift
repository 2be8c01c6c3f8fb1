import TestSupport
import Testing

@testable import HTTPServer

@Suite("The list of idle connections")
struct IdleListTests {
    @Test("behaves as an array of slots does", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = LRUList()
        var array: [Int] = []
        for step in 0..<1_000 {
            let slot = Int.random(in: 0..<12, using: &generator)
            array.removeAll { $0 == slot }
            if Bool.random(using: &generator) {
                list.append(slot)
                array.append(slot)
            } else {
                list.remove(slot)
            }
            #expect(list.first == array.first, "seed \(seed), step \(step)")
        }
        while let first = array.first {
            #expect(list.first == first)
            list.remove(first)
            array.removeFirst()
        }
        #expect(list.first == nil)
    }
}
