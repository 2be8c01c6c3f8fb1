import Foundation
import Roster
import TestSupport
import Testing

@Suite("An app loads models asynchronously, and shows values of many types")
struct AppLoadTests {
    private struct Failure: Error {}

    private struct Word: Identifiable, Sendable {
        let id: Int
        let text: String
    }

    @Test("a load that fails or takes too long is a temporary problem, and other lists are served")
    func failures() async throws {
        struct Slow: ListApp {
            var lists: some Lists {
                List<Word>("failing") {
                    throw Failure()
                } columns: {
                    Column(\.text)
                }
                List<Word>("endless") {
                    try await Task.sleep(for: .seconds(3_600))
                    return []
                } columns: {
                    Column(\.text)
                }
                .deadline(.milliseconds(20))
                List("words", [Word(id: 1, text: "a")]) { Column(\.text) }
            }
        }
        try await Slow().test { client in
            let failing = try await client.get("/failing")
            let endless = try await client.get("/endless")
            let words = try await client.get("/words")
            #expect(failing.status == 503)
            #expect(endless.status == 503)
            #expect(!endless.body.contains("index"), "\(endless.body)")
            #expect(words.rows.map(\.id) == ["1"])
        }
    }

    @Test("requests that arrive together share loads")
    func sharing() async throws {
        actor Counter {
            var loads = 0
            func load() async -> [Word] {
                loads += 1
                await Task.yield()
                return [Word(id: loads, text: "load")]
            }
        }
        struct App: ListApp {
            let counter = Counter()
            var lists: some Lists {
                List("words") {
                    await counter.load()
                } columns: {
                    Column(\.text)
                }
            }
        }
        let app = App()
        try await app.test { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<32 { group.addTask { try await client.get("/words").status } }
                for try await status in group { #expect(status == 200) }
            }
            let before = await app.counter.loads
            #expect((1...64).contains(before))
            let rows = try await client.get("/words").rows
            #expect(rows.map(\.id) == ["\(before + 1)"])
        }
    }

    private struct Gated: ListApp {
        let gate = AsyncGate()

        var lists: some Lists {
            List("gated", [Word(id: 1, text: "a")]) { Column(\.text) }
                .prefetch { _ in await gate.pass() }
                .deadline(.seconds(60))
            List("loaded") {
                [Word(id: 2, text: "b")]
            } columns: {
                Column(\.text)
            }
        }
    }

    @Test("readers that wait for the program hold up no other list")
    func waitingReaders() async throws {
        let app = Gated()
        try await app.serving { port in
            let connections = try (0..<24).map { number in
                try RawConnection(port: port, from: "127.0.0.\(number % 2 + 1)")
            }
            for connection in connections {
                try connection.send("GET /gated HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            }
            try await app.gate.waitForClosures(connections.count)
            let other = try RawConnection(port: port)
            try other.send("GET /loaded HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(try other.receiveResponse().status == 200)
            #expect(await app.gate.waiting == connections.count)
            await app.gate.open()
            for connection in connections {
                #expect(try connection.receiveResponse().status == 200)
            }
        }
    }

    @Test(
        "a closure is cancelled when its client leaves, and not when it only stops sending",
        arguments: ["1.0", "1.1"],
        [true, false]
    )
    func cancellation(version: String, isOrderly: Bool) async throws {
        let app = Gated()
        try await app.serving { port in
            let request = "GET /gated.json HTTP/\(version)\r\nHost: 127.0.0.1\r\n\r\n"
            let reading = try RawConnection(port: port)
            try reading.send(request)
            try reading.endOutput()
            try await app.gate.waitForClosures(1)
            var leaving: RawConnection? = try RawConnection(port: port)
            try leaving?.send(request)
            try await app.gate.waitForClosures(2)
            if !isOrderly { try leaving?.resetWhenReleased() }
            leaving = nil
            try await app.gate.waitForCancellation()
            // The gate lets the other closure go on, too.
            let response = try reading.receiveResponse()
            #expect(response.status == 200)
            #expect(response.text.contains(#""text":"a""#))
            #expect(await app.gate.cancelled == 1)
        }
    }

    @Test("data is fetched once for the rows of a page")
    func prefetch() async throws {
        actor Log {
            var pages: [[Int]] = []
            func add(_ words: [Word]) { pages.append(words.map(\.id)) }
        }
        struct App: ListApp {
            let log = Log()
            var lists: some Lists {
                List("words", (1...3).map { Word(id: $0, text: "a") }) { Column(\.text) }
                    .prefetch { await log.add($0) }
            }
        }
        let app = App()
        try await app.test { client in
            let page = try await client.get("/words?limit=2")
            #expect(page.status == 200)
        }
        #expect(await app.log.pages == [[1, 2]])
    }

    private struct Values: Identifiable, Sendable {
        enum Level: Int, Sendable {
            case low = 1
            case high = 2
        }
        struct Place: Codable, Sendable {
            var city: String
            var zips: [Int]
        }

        let id: UUID
        var small: UInt8 = 200
        var large: UInt64 = .max
        var half: Float = 0.1
        var price = Decimal(string: "12.30") ?? 0
        var time = Date(timeIntervalSince1970: 0.5)
        var link = URL(string: "https://example.org/a")
        var level: Level? = .high
        var absent: Level?
        var tags = ["a", "b"]
        var place = Place(city: "Oslo", zips: [1, 2])
    }

    @Test("numbers, times, links, enumerations, arrays and nested values are cells")
    func values() async throws {
        struct App: ListApp {
            let id: UUID
            init() { id = UUID() }

            var lists: some Lists {
                List("values", [Values(id: id)]) {
                    Column(\.small)
                    Column(\.large)
                    Column(\.half)
                    Column(\.price)
                    Column(\.time)
                    Column(\.link)
                    Column(\.level)
                    Column(\.absent)
                    Column(\.tags)
                    Column(\.place)
                }
            }
        }
        let app = App()
        try await app.test { client in
            let body = try await client.get("/values").body
            #expect(body.contains(#""id":"\#(app.id.uuidString)""#))
            for cell in [
                #""small":200,"#, #""large":"18446744073709551615","#, #""half":0.1,"#,
                #""price":12.3,"#, #""time":"1970-01-01T00:00:00.5Z","#,
                #""link":"https://example.org/a","#, #""level":2,"absent":null,"#,
                #""tags":["a","b"],"#, #""place":{"city":"Oslo","zips":[1,2]}"#,
            ] {
                #expect(body.contains(cell), "\(cell) in \(body)")
            }
        }
    }
}
