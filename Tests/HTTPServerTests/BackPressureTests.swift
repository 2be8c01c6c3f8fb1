import HTTP
import HTTPServer
import Locks
import System
import TestSupport
import Testing

@Suite("Back-pressure")
struct BackPressureTests {
    private func server(_ probe: Probe) throws -> TestServer {
        try .sample(probe)
    }

    @Test(
        "a large answer arrives whole, also when its reader is slow",
        arguments: ["large", "stream"]
    )
    func slowReader(kind: String) throws {
        let server = try server(Probe())
        let count = 20_000_000
        let client = try server.connect()
        try client.send("GET /\(kind)?\(count) HTTP/1.0\r\n\r\n")
        let head = try client.receive { bytes in
            bytes.indices.dropLast(3).first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }
                .map { $0 + 4 }
        }
        #expect(String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        let body = try client.receiveAll()
        #expect(body.count == count)
        #expect(body.indices.allSatisfy { body[$0] == patternByte(at: $0) })
    }

    @Test("a stream is asked for no more than the socket takes, and others are served meanwhile")
    func lazyProduction() throws {
        let probe = Probe()
        let server = try server(probe)
        let reader = try server.connect()
        try reader.send("GET /stream?1000000000 HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try reader.receive(count: 100)
        let other = try server.connect()
        func produced() throws -> Int {
            try other.send("GET /produced HTTP/1.1\r\nHost: h\r\n\r\n")
            return Int(try other.receiveResponse().text) ?? 0
        }
        // The kernel's queues fill up within a few turns of the loop; then nothing more is made.
        var unchanged = 0
        var last = try produced()
        while unchanged < 100, last < 100_000_000 {
            let now = try produced()
            unchanged = now == last ? unchanged + 1 : 0
            last = now
        }
        #expect(last > 0)
        #expect(last < 100_000_000)
    }

    @Test("a client that vanishes stops its stream")
    func vanishingClient() throws {
        let probe = Probe()
        let server = try server(probe)
        do {
            let client = try server.connect()
            try client.send("GET /stream?1000000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try client.receive(count: 100)
            try client.resetWhenReleased()
        }
        let isReleased = try probe.streamReleased?.descriptor.wait(
            for: .reading,
            until: .now.advanced(by: .seconds(20))
        )
        #expect(isReleased == true)
        #expect(probe.producedBytes < 1_000_000_000)
    }

    @Test("a client that sends without reading is not read from either")
    func pipeliningWithoutReading() throws {
        let server = try server(Probe())
        let client = try server.connect()
        let requests = Array(
            String(repeating: "GET /large?60000 HTTP/1.1\r\nHost: h\r\n\r\n", count: 1_000).utf8
        )
        // Answers of 60 MB are asked for with every 40 KB. The server stops taking requests once
        // the answers are stuck, and then the client's send queue fills up.
        var sent = 0
        let deadline = ContinuousClock.now.advanced(by: .seconds(20))
        let other = try server.connect()
        var refusals = 0
        while refusals < 50, ContinuousClock.now < deadline {
            let count = try client.sendWhatFits(requests)
            sent += count
            refusals = count == 0 ? refusals + 1 : 0
            try other.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try other.receiveResponse().status == 200)
        }
        #expect(refusals == 50, "\(sent) bytes of requests were taken")
    }

    @Test("who leaves answers untaken makes room, the longest untouched first")
    func untakenAnswers() throws {
        let told = Locked<[Int]>([])
        let server = try TestServer.sample {
            $0.loops = 1
            $0.limits.maximumUnsentBytes = 32 * 1_048_576
            $0.eventLog = { event in
                if case .answersAtLimit(let bytes) = event { told.withLock { $0.append(bytes) } }
            }
        }
        let count = 20_000_000
        func asked() throws -> RawConnection {
            let client = try server.connect()
            try client.send("GET /large?\(count) HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try client.receive(count: 15)
            return client
        }
        var last = try asked()
        for _ in 0..<4 {
            let next = try asked()
            let part = try last.receiveAll()
            #expect(part.count < count)
            last = next
        }
        // Nothing but the answer was read before: it is whole, and what it held counts no longer.
        #expect(try last.receive(count: count).count == count)
        let others = [try asked()]
        try last.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try others[0].receive(count: count).count == count)
        let bytes = told.withLock { $0 }
        #expect(!bytes.isEmpty && bytes.allSatisfy { $0 >= 2 * count })
    }
}
