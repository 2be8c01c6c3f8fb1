import Locks
import Testing

@Suite("Locks")
struct LocksTests {
    @Test("every change of many tasks counts")
    func contention() async {
        let sum = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<1_000 { sum.withLock { $0 += 1 } } }
            }
        }
        #expect(sum.withLock { $0 } == 4_000)
    }

    @Test("a thread that is inside is told so at once, and another one waits for its turn")
    func gate() async {
        let gate = NonReentrantLock()
        let sum = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 where gate.enter() {
                        if !gate.enter() {
                            let old = sum.withLock { $0 }
                            sum.withLock { $0 = old + 1 }
                        }
                        gate.leave()
                    }
                }
            }
        }
        #expect(sum.withLock { $0 } == 2_000)
    }
}
