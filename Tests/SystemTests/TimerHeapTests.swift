import System
import TestSupport
import Testing

@Suite("Deadlines")
struct DeadlinesTests {
    private let start = ContinuousClock.now

    private func instant(_ nanoseconds: Int64) -> ContinuousClock.Instant {
        start.advanced(by: .nanoseconds(nanoseconds))
    }

    @Test("pass in order, each once, and only when they have come")
    func order() {
        var deadlines = TimerHeap()
        deadlines.set(7, to: instant(30))
        deadlines.set(2, to: instant(10))
        deadlines.set(5, to: instant(20))
        #expect(deadlines.nextCheck == instant(10))
        #expect(deadlines.popPassed(now: instant(9)) == nil)
        #expect(deadlines.popPassed(now: instant(25)) == 2)
        #expect(deadlines.popPassed(now: instant(25)) == 5)
        #expect(deadlines.popPassed(now: instant(25)) == nil)
        #expect(deadlines.nextCheck == instant(30))
        #expect(deadlines.popPassed(now: instant(30)) == 7)
        #expect(deadlines.nextCheck == nil)
    }

    @Test("a deadline moved later does not pass at the earlier time")
    func movedLater() {
        var deadlines = TimerHeap()
        deadlines.set(0, to: instant(10))
        deadlines.set(0, to: instant(50))
        #expect(deadlines.popPassed(now: instant(49)) == nil)
        #expect(deadlines.nextCheck == instant(50))
        #expect(deadlines.popPassed(now: instant(50)) == 0)
    }

    @Test("a deadline dropped and set anew passes at the new time only")
    func droppedAndSet() {
        var deadlines = TimerHeap()
        deadlines.set(0, to: instant(10))
        deadlines.set(0, to: nil)
        #expect(deadlines.popPassed(now: instant(10)) == nil)
        #expect(deadlines.nextCheck == nil)
        deadlines.set(0, to: instant(5))
        #expect(deadlines.popPassed(now: instant(5)) == 0)
    }

    @Test("behave as a plain table of instants does", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var deadlines = TimerHeap()
        var table: [Int: Int64] = [:]
        var now: Int64 = 0
        for step in 0..<2_000 {
            let slot = Int.random(in: 0..<40, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                let at = now + Int64.random(in: 0..<100, using: &generator)
                deadlines.set(slot, to: instant(at))
                table[slot] = at
            case 6..<7:
                deadlines.set(slot, to: nil)
                table[slot] = nil
            default:
                now += Int64.random(in: 0..<30, using: &generator)
                var passed: Set<Int> = []
                while let slot = deadlines.popPassed(now: instant(now)) {
                    #expect(passed.insert(slot).inserted, "seed \(seed), step \(step)")
                }
                let expected = Set(table.filter { $0.value <= now }.keys)
                #expect(passed == expected, "seed \(seed), step \(step)")
                table = table.filter { $0.value > now }
            }
            if let earliest = table.values.min() {
                let look = deadlines.nextCheck
                #expect(look.map { $0 <= instant(earliest) } == true, "seed \(seed), step \(step)")
            }
        }
    }
}
