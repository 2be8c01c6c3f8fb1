import HTTP
import Listings
import Locks
import RemoteCodable
import RemoteCurl
import RemoteLists
import Testing

@Suite("A source that is refreshed")
struct SourceTests {
    @Test("nothing is asked before it is told to")
    func idle() async throws {
        let upstream = try Upstream()
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        #expect(source.state == .idle)
        #expect(source.snapshot.version == nil)
        #expect(upstream.targets.isEmpty)
    }

    @Test("the version moves only when the rows do")
    func version() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1, 2]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let first = try await source.refresh()
        // Other bytes, the same rows.
        upstream.answer("/", "[ {\"name\":\"n1\",\"id\":1}, {\"id\":2,\"name\":\"n2\"} ]")
        #expect(try await source.refresh() == first)
        upstream.answer("/", Cities.json([2, 1]))
        let second = try await source.refresh()
        #expect(second.epoch == first.epoch)
        #expect(second.counter == first.counter + 1)
        #expect(source.snapshot.models.map(\.id) == [2, 1])
    }

    @Test("while the service fails the last rows stay, stale, and it recovers")
    func staleAndRecovery() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let version = try await source.refresh()
        let failures: [(Upstream.Answer, (RemoteError) -> Bool)] = [
            (.status(.internalServerError), { $0 == .status(500, body: "") }),
            (.json("[{\"id\":1"), { if case .decoding = $0 { true } else { false } }),
            (.json("[{\"id\":1}]"), { if case .decoding = $0 { true } else { false } }),
        ]
        for (answer, isExpected) in failures {
            upstream.answer("/", answer)
            let error = try #require(await source.error())
            #expect(isExpected(error), "\(error)")
            #expect(source.state == .failed(error))
            #expect(source.snapshot.isStale)
            #expect(source.snapshot.models.map(\.id) == [1])
            #expect(source.snapshot.version == version)
        }
        upstream.answer("/", Cities.json([1]))
        #expect(try await source.refresh() == version)
        #expect(!source.snapshot.isStale)
        #expect(source.state == .loaded(version))
    }

    @Test("a first refresh that fails leaves no rows and nothing stale")
    func firstFailure() async throws {
        let stub = RemoteStub.status(503)
        let source = Cities.source(try Cities.stubbed(stub))
        #expect(await source.error() == .status(503, body: ""))
        #expect(!source.snapshot.isStale)
        #expect(source.snapshot.version == nil)
    }

    @Test("a model that cannot be made is reported by its row and its way")
    func decodingError() async throws {
        let upstream = try Upstream()
        var configuration = RemoteConfiguration(try upstream.address())
        let lines = Locked<[String]>([])
        configuration.log = RemoteLog(.summary) { line in lines.withLock { $0.append(line) } }
        let source = Cities.source(configuration)
        upstream.answer("/", "[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":5}]")
        guard case .decoding(let mismatch) = await source.error() else {
            Issue.record("\(source.state)")
            return
        }
        #expect(mismatch.page == 1)
        #expect(mismatch.row == 2)
        #expect(mismatch.path == "name")
        let line = "\(try upstream.address()): page 1, row 2, name: is not String"
        #expect(lines.withLock { $0.last } == line)
        upstream.answer("/", "[{\"id\":1}]")
        guard case .decoding(let missing) = await source.error() else {
            Issue.record("\(source.state)")
            return
        }
        #expect(missing.row == 1)
        #expect(missing.path == "name")
    }

    @Test("states come in order, the present one first, and end with the source")
    func states() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1]))
        var source: RemoteSource? = Cities.source(RemoteConfiguration(try upstream.address()))
        let states = try #require(source?.states())
        let version = try #require(try await source?.refresh())
        upstream.answer("/", .status(.internalServerError))
        _ = await source?.error()
        source = nil
        var seen: [RemoteState] = []
        for await state in states { seen.append(state) }
        let failure = RemoteState.failed(.status(500, body: ""))
        #expect(seen == [.idle, .loading, .loaded(version), .loading, failure])
    }

    @Test("refreshes asked for while one runs share its outcome")
    func refreshesAreShared() async throws {
        let clock = ManualClock()
        let stub = try RemoteStub.models(
            [City(id: 1, name: "a")],
            as: .json,
            delay: .seconds(1),
            clock: clock
        )
        let source = Cities.source(try Cities.stubbed(stub))
        let first = Task { try await source.refresh() }
        await clock.sleeps(1)
        #expect(source.state == .loading)
        let second = Task { try await source.refresh() }
        // The second task has no clock of its own to wait on: it either joins the first refresh, or
        // would go to sleep for the second time, which nobody ends.
        while source.state == .loading {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(try await first.value == second.value)
    }

    @Test("an interval refreshes at once and again, also after failures, until the source goes")
    func interval() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1]))
        let clock = ManualClock()
        var source: RemoteSource? = Cities.source(RemoteConfiguration(try upstream.address()))
        let task = try #require(source?.keepFresh(every: .seconds(60), clock: clock))
        await clock.sleeps(1)
        #expect(source?.snapshot.models.map(\.id) == [1])
        clock.advance(by: .seconds(59))
        #expect(upstream.targets.count == 1)
        upstream.answer("/", .status(.internalServerError))
        clock.advance(by: .seconds(1))
        await clock.sleeps(2)
        #expect(source?.snapshot.isStale == true)
        upstream.answer("/", Cities.json([1, 2]))
        clock.advance(by: .seconds(120))
        await clock.sleeps(3)
        #expect(source?.snapshot.models.map(\.id) == [1, 2])
        source = nil
        clock.advance(by: .seconds(60))
        await task.value
        #expect(upstream.targets.count == 3)
    }

    @Test(
        "a service that fails is asked less and less often, up to a bound",
        arguments: [
            (60, [120, 240, 480, 480]), (600, [900, 900]), (3_600, [3_600, 3_600]),
        ]
    )
    func backOff(seconds: Int, pauses: [Int]) async throws {
        let upstream = try Upstream()
        let clock = ManualClock()
        var source: RemoteSource? = Cities.source(RemoteConfiguration(try upstream.address()))
        let task = try #require(source?.keepFresh(every: .seconds(seconds), clock: clock))
        for (index, pause) in pauses.enumerated() {
            await clock.sleeps(index + 1)
            clock.advance(by: .seconds(pause - 1))
            #expect(upstream.targets.count == index + 1)
            clock.advance(by: .seconds(1))
        }
        await clock.sleeps(pauses.count + 1)
        #expect(upstream.targets.count == pauses.count + 1)
        // As soon as it answers, it is asked as often as at first.
        upstream.answer("/", Cities.json([1]))
        clock.advance(by: .seconds(3_600))
        await clock.sleeps(pauses.count + 2)
        clock.advance(by: .seconds(seconds))
        await clock.sleeps(pauses.count + 3)
        #expect(upstream.targets.count == pauses.count + 3)
        source = nil
        clock.advance(by: .seconds(seconds))
        await task.value
    }

    @Test("the names of members may be written in snake case")
    func snakeCase() async throws {
        struct Person: Codable, Equatable, Identifiable, Sendable {
            let id: String
            let firstName: String
        }
        let body = Array("[{\"id\":\"1\",\"first_name\":\"Ada\"}]".utf8)
        let source = RemoteSource<Person>(
            of: try Cities.stubbed(.body(body)),
            as: .json(keys: .snakeCase),
            over: CurlTransport()
        )
        try await source.refresh()
        #expect(source.snapshot.models == [Person(id: "1", firstName: "Ada")])
    }
}
