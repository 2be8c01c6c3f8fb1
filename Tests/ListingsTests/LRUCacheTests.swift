import Listings
import TestSupport
import Testing

@Suite("Caches of a number of values")
struct LRUCacheTests {
    @Test("the least recently used value makes room, as in a plain list", arguments: UInt64(1)...20)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let capacity = Int.random(in: 1...6, using: &generator)
        var cache = LRUCache<Int, Int>(capacity: capacity)
        // The most recently used one stands last.
        var model: [(key: Int, value: Int)] = []
        for step in 0..<500 {
            let key = Int.random(in: 0..<10, using: &generator)
            let location = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<40, using: &generator) {
            case 0:
                cache.removeAll()
                model = []
            case 1..<20:
                let known = location.map { model.remove(at: $0) }
                if let known { model.append(known) }
                #expect(cache.take(key) == known?.value, "seed \(seed), step \(step)")
            default:
                if let location { model.remove(at: location) }
                if model.count == capacity { model.removeFirst() }
                model.append((key, step))
                cache.insert(step, for: key)
            }
            #expect(cache.isEmpty == model.isEmpty)
        }
    }
}
