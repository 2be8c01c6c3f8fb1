import System
import Testing

@testable import HTTPServer

@Suite("Departures")
struct DeparturesTests {
    private let now = MonotonicTime.now
    private var departures = FlushConsolidator()

    private static let longest = FlushConsolidator.longestWait

    private func isDue(_ departures: inout FlushConsolidator, at age: Int) -> Bool {
        departures.isDue(at: age)
    }

    @Test(
        "an answer may wait where the turn has several events and its body is of middling size",
        arguments: [
            (0, 2_000, false), (1, 2_000, false), (2, 2_000, true), (64, 2_000, true),
            (2, 0, false), (2, 1_023, false), (2, 1_024, true), (2, 65_536, true),
            (2, 65_537, false),
        ]
    )
    func whatMayWait(events: Int, body: Int, mayWait: Bool) {
        var departures = FlushConsolidator()
        #expect(!departures.mayWait(body: body))
        departures.beginTurn(events: events, at: now)
        #expect(departures.mayWait(body: body) == mayWait, "\(events) events, \(body) bytes")
    }

    @Test("so many answers, bytes and nanoseconds wait and no more")
    func bounds() {
        let longest = Self.longest
        // How many answers of how many bytes after how long each, and how many of them leave.
        for (bytes, duration, count) in [
            (2_000, 10, 32), (2_000, longest / 40, 32), (8_192, 10, 32), (8_193, 10, 32),
            (10_000, 10, 27), (60_000, 10, 5), (65_536, 10, 4), (300_000, 10, 1),
            (2_000, longest / 4, 5), (2_000, longest / 2 + 1, 2), (2_000, longest, 2),
            (2_000, longest + 1, 1),
        ] {
            var departures = FlushConsolidator()
            departures.beginTurn(events: 64, at: now)
            var isDue = false
            var waiting = 0
            while !isDue {
                waiting += 1
                departures.append(UInt64(waiting), bytes: bytes)
                isDue = departures.isDue(at: waiting * duration)
            }
            #expect(waiting == count, "\(bytes) bytes, \(duration) ns")
            #expect(departures.tokens == (1...count).map { UInt64($0) })
            departures.goOn(at: waiting * duration)
            #expect(departures.tokens.isEmpty)
        }
    }

    @Test("the time is counted from when the first began to be made, not from the turn's beginning")
    func firstAge() {
        var departures = departures
        departures.beginTurn(events: 9, at: now)
        let longest = Self.longest
        for step in 1...5 { #expect(isDue(&departures, at: step * longest / 2) == false) }
        departures.append(1, bytes: 2_000)
        #expect(isDue(&departures, at: 3 * longest) == false)
        departures.append(2, bytes: 2_000)
        #expect(isDue(&departures, at: 7 * longest / 2) == false)
        #expect(isDue(&departures, at: 7 * longest / 2 + 1))
    }

    @Test("bytes are counted anew after a departure")
    func bytesAnew() {
        var departures = departures
        departures.beginTurn(events: 9, at: now)
        for _ in 0..<3 {
            departures.append(1, bytes: FlushConsolidator.maximumBytes - 1)
            #expect(isDue(&departures, at: 1) == false)
            departures.append(2, bytes: 1)
            #expect(isDue(&departures, at: 2))
            departures.goOn(at: 3)
            #expect(isDue(&departures, at: 3) == false)
        }
    }

    @Test("the time that departures and other work take is no answer's")
    func otherWork() {
        var departures = departures
        let longest = Self.longest
        departures.beginTurn(events: 9, at: now)
        departures.goOn(at: 5 * longest)
        departures.append(1, bytes: 2_000)
        #expect(isDue(&departures, at: 6 * longest) == false)
        #expect(isDue(&departures, at: 6 * longest + 1))
        departures.goOn(at: 9 * longest)
        #expect(departures.mayWait(body: 2_000))
        departures.append(2, bytes: 2_000)
        #expect(isDue(&departures, at: 10 * longest) == false)
    }

    @Test("nobody waits behind a slow answer, for a while", arguments: [1, 9])
    func pause(events: Int) {
        var departures = departures
        departures.beginTurn(events: events, at: now)
        let slow = Self.longest + 1
        if events > 1 { departures.append(1, bytes: 2_000) }
        #expect(isDue(&departures, at: slow) == (events > 1))
        departures.goOn(at: slow)
        #expect(!departures.mayWait(body: 2_000))
        // Another one in the pause makes it longer.
        let start = now.advanced(by: slow + FlushConsolidator.pause - 1)
        departures.beginTurn(events: 9, at: start)
        #expect(!departures.mayWait(body: 2_000))
        #expect(isDue(&departures, at: slow) == false)
        let end = start.advanced(by: slow + FlushConsolidator.pause)
        departures.beginTurn(events: 9, at: end.advanced(by: -1))
        #expect(!departures.mayWait(body: 2_000))
        for _ in 0..<2 {
            departures.beginTurn(events: 9, at: end)
            #expect(departures.mayWait(body: 2_000))
        }
    }
}
