import Testing

@testable import HTTPServer

@Suite("Departures")
struct DeparturesTests {
    private let now = ContinuousClock.now
    private var departures = Departures()

    private static let longest = Departures.longestWait

    private func isDue(_ departures: inout Departures, at age: Int) -> Bool {
        departures.isDue(at: age, of: now)
    }

    @Test("an answer may wait where the turn has several events and its body is of middling size")
    func whatMayWait() {
        for (events, body, mayWait) in [
            (0, 2_000, false), (1, 2_000, false), (2, 2_000, true), (64, 2_000, true),
            (2, 0, false), (2, 1_023, false), (2, 1_024, true), (2, 65_536, true),
            (2, 65_537, false),
        ] {
            var departures = Departures()
            #expect(!departures.mayWait(body: body))
            departures.beginTurn(events: events, at: now)
            #expect(departures.mayWait(body: body) == mayWait, "\(events) events, \(body) bytes")
        }
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
            var departures = Departures()
            departures.beginTurn(events: 64, at: now)
            var isDue = false
            var waiting = 0
            while !isDue {
                waiting += 1
                departures.append(UInt64(waiting), bytes: bytes)
                isDue = departures.isDue(at: waiting * duration, of: now)
            }
            #expect(waiting == count, "\(bytes) bytes, \(duration) ns")
            #expect(departures.tokens == (1...count).map { UInt64($0) })
            departures.removeAll()
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
            departures.append(1, bytes: Departures.maximumBytes - 1)
            #expect(isDue(&departures, at: 1) == false)
            departures.append(2, bytes: 1)
            #expect(isDue(&departures, at: 2))
            departures.removeAll()
            #expect(isDue(&departures, at: 3) == false)
        }
    }

    @Test("nobody waits behind a slow answer, for a while")
    func pause() {
        var departures = departures
        departures.beginTurn(events: 9, at: now)
        departures.append(1, bytes: 2_000)
        let slow = Self.longest + 1
        #expect(isDue(&departures, at: slow))
        departures.removeAll()
        #expect(!departures.mayWait(body: 2_000))
        let end = now.advanced(by: .nanoseconds(slow) + Departures.pause)
        departures.beginTurn(events: 9, at: end.advanced(by: .nanoseconds(-1)))
        #expect(!departures.mayWait(body: 2_000))
        for _ in 0..<2 {
            departures.beginTurn(events: 9, at: end)
            #expect(departures.mayWait(body: 2_000))
        }
    }
}
