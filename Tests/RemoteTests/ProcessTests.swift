import HTTP
import RemoteCodable
import RemoteCurl
import RemoteLists
import System
import TestSupport
import Testing

@Suite("The program that fetches")
struct ProcessTests {
    @Test("requests and answers come out of messages as they went in")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let request = try Self.request(&generator)
            let message = FetchMessage.bytes(of: request)
            let (prefix, rest) = Self.split(message)
            #expect(FetchMessage.count(prefix) == rest.count)
            #expect(FetchMessage.request(rest) == request)
            let response = RemoteResponse(
                status: .random(in: 100...599, using: &generator),
                fields: request.fields,
                body: request.body
            )
            let answer = Self.split(FetchMessage.bytes(of: .success(response))).rest
            #expect(FetchMessage.result(answer) == .success(response))
        }
    }

    @Test(
        "errors come out as they went in",
        arguments: [
            .tooLarge(maximumBytes: 9), .transport(.timedOut), .transport(.unknownHost),
            .transport(.unreachable), .transport(.connectionLost), .transport(.insecure),
            .transport(.programFailed), .transport(.malformedResponse), .transport(.other(-1_022)),
            .transport(.libraryMissing),
        ] as [RemoteError]
    )
    func errors(error: RemoteError) {
        let message = Self.split(FetchMessage.bytes(of: .failure(error))).rest
        #expect(FetchMessage.result(message) == .failure(error))
    }

    @Test("a message cut short, continued or too long is none")
    func malformed() throws {
        var generator = SeededGenerator(seed: 4)
        let message = Self.split(FetchMessage.bytes(of: try Self.request(&generator))).rest
        for end in message.indices { #expect(FetchMessage.request(Array(message[..<end])) == nil) }
        #expect(FetchMessage.request(message + [0]) == nil)
        #expect(FetchMessage.count([0xFF, 0xFF, 0xFF, 0xFF]) == nil)
        #expect(FetchMessage.count([1]) == nil)
        for _ in 0..<2_000 {
            var changed = message
            let index = Int.random(in: changed.indices, using: &generator)
            changed[index] = .random(in: 0...255, using: &generator)
            // Many changes leave another message; none may trap.
            _ = FetchMessage.request(changed)
            _ = FetchMessage.result(changed)
        }
    }

    @Test("pages are fetched through the program, and errors come back typed")
    func fetches() async throws {
        let upstream = try Upstream(host: "127.0.0.11")
        upstream.answer("/", .json(Cities.json([1]), link: "</2>; rel=next"))
        upstream.answer("/2", Cities.json(Array(2...5_000)))
        let source = RemoteSource<City>(
            of: RemoteConfiguration(try upstream.address()),
            as: .json,
            over: ProcessTransport(path: TestTransport.path)
        )
        try await source.refresh()
        #expect(source.snapshot.models.count == 5_000)
        upstream.answer("/2", .status(.serviceUnavailable, "busy"))
        #expect(await source.error() == .status(503, body: "busy"))
        upstream.answer("/2", .redirect(to: "/3", .found))
        upstream.answer("/3", Cities.json([2]))
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id) == [1, 2])
        upstream.stop()
        #expect(await source.error() == .transport(.unreachable))
    }

    @Test("a program that is missing, or is another one, is an error")
    func wrongProgram() async throws {
        let request = RemoteRequest(address: try RemoteAddress("http://a.invalid/"))
        await #expect(throws: RemoteError.transport(.programMissing("/no/such/program"))) {
            try await ProcessTransport(path: "/no/such/program").send(request)
        }
        await #expect(throws: RemoteError.transport(.programFailed)) {
            try await ProcessTransport(path: "/bin/true").send(request)
        }
        await #expect(throws: RemoteError.transport(.programFailed)) {
            try await ProcessTransport(path: "/bin/cat").send(request)
        }
    }

    private static func request(
        _ generator: inout SeededGenerator
    ) throws -> RemoteRequest {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...300, using: &generator) {
            bytes.append(.random(in: 0...255, using: &generator))
        }
        let number = Int.random(in: 0...9_999, using: &generator)
        return RemoteRequest(
            method: number.isMultiple(of: 2) ? .get : .post,
            address: try RemoteAddress("https://example.org/\(number)?é=\(number)"),
            fields: [try RemoteField("X-\(number)", "wert ü"), try RemoteField("a", "")],
            body: bytes,
            timeout: .milliseconds(number),
            maximumBytes: number
        )
    }

    private static func split(_ message: [UInt8]) -> (prefix: [UInt8], rest: [UInt8]) {
        let count = FetchMessage.prefixCount
        return (Array(message[..<count]), Array(message[count...]))
    }
}
