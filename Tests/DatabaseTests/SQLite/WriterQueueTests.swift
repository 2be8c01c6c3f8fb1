import Foundation
import Listings
import Locks
import Testing

@testable import SQLite

@Suite("A long write of one database")
struct WriteGateTests {
    private struct Outcomes: Sendable {
        var isHeld = false
        var mayEnd = false
        var waited: [Bool] = []
        var refused = 0
    }

    @Test("other writes wait for its end")
    func waiting() throws {
        let gate = WriterQueue()
        let outcomes = Monitor(Outcomes())
        Thread.detachNewThread {
            try? gate.hold(
                { _ in },
                { () throws(WriteError) in
                    outcomes.withLock { $0.isHeld = true }
                    _ = outcomes.wait(for: .seconds(60)) { $0.mayEnd }
                }
            )
        }
        try #require(outcomes.wait(for: .seconds(60)) { $0.isHeld })
        let ready = Monitor(0)
        for _ in 1...5 {
            Thread.detachNewThread {
                ready.withLock { $0 += 1 }
                do throws(WriteError) {
                    let hasEnded = try gate.pass { _ in outcomes.withLock { $0.mayEnd } }
                    outcomes.withLock { $0.waited.append(hasEnded) }
                } catch {
                    outcomes.withLock { $0.refused += error == .busy ? 1 : 100 }
                }
            }
        }
        try #require(ready.wait(for: .seconds(60)) { $0 == 5 })
        outcomes.withLock { $0.mayEnd = true }
        try #require(outcomes.wait(for: .seconds(60)) { $0.waited.count == 5 })
        outcomes.withLock { #expect($0.waited.allSatisfy(\.self) && $0.refused == 0) }
    }

    @Test("a write that it outlasts is refused")
    func outlasted() throws {
        let gate = WriterQueue()
        try gate.hold(
            { _ in },
            { () throws(WriteError) in
                #expect(throws: WriteError.busy) { try gate.pass { _ in true } }
            }
        )
        #expect(try gate.pass { _ in true })
    }
}
