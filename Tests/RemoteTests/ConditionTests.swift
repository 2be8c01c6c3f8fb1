import Database
import HTTP
import Listings
import Locks
import RemoteCodable
import RemoteCurl
import TableFiles
import Testing

@testable import RemoteLists

@Suite("Asking only for what has changed (RFC 9110 §13)")
struct ConditionTests {
    @Test("304 keeps rows and version, and nothing is decoded", arguments: TestTransport.allCases)
    func unchanged(_ transport: TestTransport) async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.tagged([1, 2], "\"a\""))
        let decoded = Locked(0)
        let source = RemoteSource<City>(
            of: RemoteConfiguration(try upstream.address()),
            as: Cities.counting(decoded),
            over: transport.make()
        )
        let first = try await source.refresh()
        #expect(upstream.lastFields["if-none-match"] == nil)
        #expect(try await source.refresh() == first)
        #expect(upstream.lastFields["if-none-match"] == "\"a\"")
        #expect(upstream.statuses == [200, 304])
        #expect(decoded.withLock { $0 } == 1)
        #expect(source.state == .loaded(first))
        #expect(source.snapshot.models.map(\.id) == [1, 2])

        upstream.answer("/", Cities.tagged([1, 2, 3], "\"b\""))
        let second = try await source.refresh()
        #expect(second.counter == first.counter + 1)
        #expect(source.snapshot.models.map(\.id) == [1, 2, 3])
        #expect(try await source.refresh() == second)
        // The changed page was sent once, and its new tag asked for the next time.
        #expect(upstream.statuses == [200, 304, 200, 304])
        #expect(upstream.lastFields["if-none-match"] == "\"b\"")
    }

    @Test("a time of change is asked for where there is no tag")
    func lastModified() async throws {
        let upstream = try Upstream()
        var answer = Upstream.Answer.json(Cities.json([1]))
        let time = "Tue, 15 Nov 1994 12:45:26 GMT"
        answer.fields.append((.lastModified, time))
        upstream.answer("/", answer)
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        try await source.refresh()
        #expect(upstream.lastFields["if-modified-since"] == nil)
        try await source.refresh()
        #expect(upstream.lastFields["if-modified-since"] == time)
    }

    @Test("every page is asked for with its own tag, and one that has changed brings all anew")
    func pages() async throws {
        let upstream = try Upstream()
        func answer(_ last: [Int], _ tag: String) {
            upstream.answer("/", Cities.tagged([1], "\"1\"", link: "</2>; rel=next"))
            upstream.answer("/2", Cities.tagged([2], "\"2\"", link: "</3>; rel=next"))
            upstream.answer("/3", Cities.tagged(last, tag))
        }
        answer([3], "\"3\"")
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let first = try await source.refresh()
        #expect(try await source.refresh() == first)
        #expect(upstream.statuses == [200, 200, 200, 304, 304, 304])
        answer([3, 4], "\"4\"")
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id) == [1, 2, 3, 4])
        #expect(upstream.statuses.dropFirst(6) == [304, 304, 200, 200, 200, 200])
        #expect(upstream.targets.suffix(3) == ["/", "/2", "/3"])
    }

    @Test("a list with a page that has no tag is read whole")
    func untagged() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.tagged([1], "\"1\"", link: "</2>; rel=next"))
        upstream.answer("/2", Cities.json([2]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        try await source.refresh()
        try await source.refresh()
        #expect(upstream.statuses == [200, 200, 200, 200])
    }

    @Test("what was stale is good again when it turns out to be unchanged")
    func recovery() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.tagged([1], "\"1\""))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let first = try await source.refresh()
        upstream.answer("/", .status(.internalServerError))
        #expect(await source.error() != nil)
        #expect(source.snapshot.isStale)
        upstream.answer("/", Cities.tagged([1], "\"1\""))
        #expect(try await source.refresh() == first)
        #expect(!source.snapshot.isStale)
        #expect(upstream.statuses == [200, 500, 304])
    }

    @Test("a tag is sent only to where it came from")
    func redirect() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .redirect(to: "/a", .found))
        upstream.answer("/a", Cities.tagged([1], "\"1\""))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let first = try await source.refresh()
        #expect(try await source.refresh() == first)
        #expect(upstream.statuses == [302, 200, 302, 304])
        // Another place may call other rows by the same tag.
        upstream.answer("/", .redirect(to: "/b", .found))
        upstream.answer("/b", Cities.tagged([2], "\"1\""))
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id) == [2])
        #expect(upstream.statuses.suffix(2) == [302, 200])
    }
}

extension Cities {
    static func tagged(_ ids: [Int], _ tag: String, link: String? = nil) -> Upstream.Answer {
        var answer = Upstream.Answer.json(json(ids), link: link)
        answer.fields.append((.etag, tag))
        return answer
    }

    static func counting(_ count: Locked<Int>) -> RemoteFormat<City> {
        RemoteFormat(
            decode: { rows in
                count.withLock { $0 += 1 }
                let page = RemotePage(number: 1, format: .json, rows: rows, isWhole: true)
                return try RemoteFormat<City>.json.decode([page])
            },
            encode: { _ in [] }
        )
    }
}
