import Database
import Foundation
import Listings
import SQLite
import Synchronization
import TestSupport
import Testing

@Suite("Walking through a list while somebody writes")
struct WalkWhileWritingTests {
    private let folder = TemporaryFolder()

    /// Whether the walks are over.
    private final class End: Sendable {
        private let mutex = Mutex(false)

        var isReached: Bool {
            get { mutex.withLock { $0 } }
            set { mutex.withLock { $0 = newValue } }
        }
    }

    /// Walks of a list; more of them by `ROSTER_WALKS`.
    private static let walks =
        ProcessInfo.processInfo.environment["ROSTER_WALKS"].flatMap(Int.init) ?? 4

    @Test(
        "every row that is left alone is met once, in order, both ways",
        arguments: ListFixture.Kind.allCases,
        [UInt64(1), 2]
    )
    func walk(kind: ListFixture.Kind, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &+ 5000)
        let idType: ColumnType = seed == 1 ? .integer : .text
        let list = try ListFixture(kind, rows: 50, idType: idType, using: &random, in: folder)
        let concurrentWriter = list.concurrentWriter
        let end = End()
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                var random = SeededGenerator(seed: seed)
                return try concurrentWriter.writeAtRandom(using: &random) { end.isReached }
            }
            defer { end.isReached = true }
            for _ in 0..<Self.walks {
                var query = randomQuery(list.reference, peeks: false, using: &random)
                query.sections = nil
                try expectEveryRow(query, list)
            }
            end.isReached = true
            #expect(try #require(try await group.next()) > 0)
        }
    }

    private func expectEveryRow(_ query: ListQuery, _ list: ListFixture) throws {
        let expected = list.reference.ordered(query).map(\.id.idText)
        let steady = Set(expected)
        var page = Page(list: "people", schema: list.schema)
        func read(_ start: ListQuery.Start) throws -> [String] {
            var query = query
            query.start = start
            try list.reader.read(query, into: &page)
            return ids(page).flatMap { $0 }.filter(steady.contains)
        }
        var last = try read(.beginning)
        var met = last
        while true {
            let next = page.next
            guard let next else { break }
            last = try read(.after(next))
            met += last
        }
        #expect(met == expected, "forwards, \(query)")
        met = last
        while true {
            let previous = page.previous
            guard let previous else { break }
            var rows = try read(.before(previous))
            // The first page is filled up from the beginning, beyond the place it was asked for.
            let isFirst = page.previous == nil
            if isFirst { rows.removeAll(where: met.contains) }
            met = rows + met
        }
        #expect(met == expected, "backwards, \(query)")
    }
}
