import RemoteCodable
import RemoteCurl
import RemoteLists
import Testing

@Suite("Stubs take the way of an answer")
struct StubTests {
    @Test("models are written and read as an answer is")
    func models() async throws {
        let cities = [City(id: 1, name: "Oslo"), City(id: 2, name: "\"é\"")]
        let source = Cities.source(try Cities.stubbed(.models(cities, as: .json)))
        let version = try await source.refresh()
        #expect(source.snapshot.models == cities)
        #expect(source.state == .loaded(version))
    }

    @Test("what is refused of an answer is refused of models")
    func repeatedModels() async throws {
        let cities = [City(id: 1, name: "a"), City(id: 1, name: "b")]
        let source = Cities.source(try Cities.stubbed(.models(cities, as: .json)))
        let locations = (RemoteLocation(page: 1, row: 1), RemoteLocation(page: 1, row: 2))
        #expect(await source.error() == .repeatedID("1", first: locations.0, second: locations.1))
    }

    @Test("a status is judged", arguments: [(200, false), (299, false), (300, true), (500, true)])
    func status(status: Int, fails: Bool) async throws {
        let source = Cities.source(try Cities.stubbed(.status(status, body: "[]")))
        #expect(await source.error() == (fails ? .status(status, body: "[]") : nil))
    }

    @Test("a body is decoded")
    func body() async throws {
        let source = Cities.source(try Cities.stubbed(.body(Array("{}".utf8))))
        guard case .decoding = await source.error() else {
            Issue.record("\(source.state)")
            return
        }
    }

    @Test("an error is the error")
    func error() async throws {
        let source = Cities.source(try Cities.stubbed(.error(.transport(.insecure))))
        #expect(await source.error() == .transport(.insecure))
    }

    @Test("an answer waits for its delay")
    func delay() async throws {
        let clock = ManualClock()
        let stub = RemoteStub.status(404, delay: .seconds(5), clock: clock)
        let source = Cities.source(try Cities.stubbed(stub))
        let error = Task { await source.error() }
        await clock.sleeps(1)
        clock.advance(by: .seconds(4))
        #expect(source.state == .loading)
        clock.advance(by: .seconds(1))
        #expect(await error.value == .status(404, body: ""))
    }

    @Test("a delay longer than the timeout ends as no answer does")
    func delayPastTimeout() async throws {
        let clock = ManualClock()
        var configuration = try Cities.stubbed(.status(200, delay: .seconds(90), clock: clock))
        configuration.timeout = .seconds(60)
        let source = Cities.source(configuration)
        let error = Task { await source.error() }
        await clock.sleeps(1)
        clock.advance(by: .seconds(60))
        #expect(await error.value == .transport(.timedOut))
    }
}
