import HTTP
import Listings
import RemoteLists
import Testing

@Suite("A remote list as a list")
struct ListTests {
    @Test("a page shows the rows of one refresh, and says when they are stale")
    func pages() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([2, 1]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let first = try await source.refresh()
        let list = try Cities.list(of: source)
        let reader = try list.makeReader()
        try expect(reader, list, ids: ["1", "2"], version: first, isStale: false)
        upstream.answer("/", .status(.internalServerError))
        _ = await source.error()
        try expect(reader, list, ids: ["1", "2"], version: first, isStale: true)
        upstream.answer("/", Cities.json([3, 2]))
        let second = try await source.refresh()
        try expect(reader, list, ids: ["2", "3"], version: second, isStale: false)
    }

    @Test("a cursor goes on by value after a refresh")
    func cursorSurvives() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1, 2, 3]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        try await source.refresh()
        let list = try Cities.list(of: source)
        let reader = try list.makeReader()
        var page = Page(list: "cities", schema: list.schema)
        try reader.read(ListQuery(shape: .flow(limit: 2)), into: &page)
        let next = page.next
        let cursor = try #require(next)
        upstream.answer("/", Cities.json([1, 3, 4]))
        try await source.refresh()
        try reader.read(ListQuery(shape: .flow(limit: 2), start: .after(cursor)), into: &page)
        #expect((0..<page.rowCount).map { page.id(ofRow: $0) } == ["3", "4"])
    }

    @Test("one row is read, and is gone when a refresh brings it no more")
    func row() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1, 2]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        try await source.refresh()
        let list = try Cities.list(of: source)
        let reader = try list.makeReader()
        var page = Page(list: "cities", schema: list.schema)
        #expect(try reader.readRow("2", grouping: nil, into: &page))
        #expect(page.value(row: 0, column: 0) == .text("n2"))
        upstream.answer("/", Cities.json([1]))
        try await source.refresh()
        #expect(try !reader.readRow("2", grouping: nil, into: &page))
    }

    @Test("readers of many tasks see whole states while refreshes go on")
    func concurrentReaders() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1, 2, 3]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        try await source.refresh()
        let list = try Cities.list(of: source)
        let states: [[String]] = [["1", "2", "3"], ["4", "5"]]
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    guard let reader = try? list.makeReader() else { return false }
                    var page = Page(list: "cities", schema: list.schema)
                    for _ in 0..<200 {
                        let query = ListQuery(shape: .flow(limit: 10))
                        guard (try? reader.read(query, into: &page)) != nil else { return false }
                        let ids = (0..<page.rowCount).map { page.id(ofRow: $0) }
                        guard states.contains(ids) else { return false }
                        await Task.yield()
                    }
                    return true
                }
            }
            group.addTask {
                for slice in 0..<20 {
                    upstream.answer("/", Cities.json(slice % 2 == 0 ? [4, 5] : [1, 2, 3]))
                    guard await source.error() == nil else { return false }
                }
                return true
            }
            for await isWhole in group { #expect(isWhole) }
        }
        #expect(source.snapshot.version?.counter == 21)
    }

    private func expect(
        _ reader: any ListReader,
        _ list: RemoteList<City>,
        ids: [String],
        version: ListVersion,
        isStale: Bool,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try reader.version() == version, sourceLocation: location)
        #expect(reader.isStale == isStale, sourceLocation: location)
        var page = Page(list: "cities", schema: list.schema)
        try reader.read(ListQuery(shape: .flow(limit: 10)), into: &page)
        let found = (0..<page.rowCount).map { page.id(ofRow: $0) }
        #expect(found == ids, sourceLocation: location)
        #expect(page.version == version, sourceLocation: location)
        #expect(page.isStale == isStale, sourceLocation: location)
    }
}
