import Database
import Foundation
import Listings
import Locks
import Testing

@testable import SQLite

@Suite("The write-ahead log has a bound while reads overlap")
struct WriteAheadLogTests {
    private let folder = TemporaryFolder()
    private static let bound = 64 * 1024 * 1024
    private static let text = String(repeating: "long text ", count: 300)

    private struct Reads: Sendable {
        var begun = 0
        /// The number of reading threads.
        var threads = 2
        var mustEnd = false
        var ended = 0
        var failures: [ReadingError] = []
    }

    /// Reads without end, until the read has to end early.
    private static func readForever(_ source: TableSource, _ reads: Monitor<Reads>) {
        do throws(ReadingError) {
            guard let session = try source.openSession() as? FileSession else { return }
            while !(reads.withLock { $0.mustEnd }) {
                _ = try session.beginReading()
                defer { session.endReading() }
                reads.withLock { $0.begun += 1 }
                do throws(ReadingError) { try countForever(session.connection) } catch .outOfTime {
                    reads.withLock { $0.ended += 1 }
                }
            }
        } catch {
            reads.withLock { $0.failures.append(error) }
        }
    }

    private static func countForever(_ connection: DatabaseConnection?) throws(ReadingError) {
        // The bound has to hold before that time.
        connection?.deadline = .now + .seconds(60)
        let statement = try connection?.prepareReading(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                + " SELECT count(*) FROM n"
        )
        _ = try statement?.values([], as: [.stored(.integer)])
    }

    /// The rows of a list, each with a long text.
    private func list() throws -> WritingFixture {
        let rows = (1...500).map { "Name \($0),\(Self.text)\n" }.joined()
        return try WritingFixture(at: folder.file("log.db"), csv: "name,about\n" + rows)
    }

    /// Changes all rows, about 2 MB.
    private func change(_ fixture: WritingFixture, _ round: Int) throws {
        let column = try fixture.column("about")
        let text = CellValue.text("\(round) \(Self.text)")
        let changes = (1...500).map { RowChange(.merge, id: "\($0)", values: [column: text]) }
        _ = try fixture.makeWriter().write(changes, of: fixture)
    }

    @Test("long reads end, so that the log is emptied")
    func longReads() throws {
        let fixture = try list()
        let reads = Monitor(Reads())
        var largest = 0
        let source = fixture.source
        let size = try #require(source.logBytes)
        for _ in 1...2 {
            Thread.detachNewThread {
                Self.readForever(source, reads)
                reads.withLock { $0.threads -= 1 }
            }
        }
        try #require(reads.wait(for: .seconds(60)) { $0.begun >= 2 })
        for round in 1...40 {
            try change(fixture, round)
            largest = max(largest, size())
        }
        reads.withLock { $0.mustEnd = true }
        // Further writes end the last reads.
        for round in 1...50 where reads.withLock({ $0.threads > 0 }) { try change(fixture, round) }
        #expect(largest > Self.bound / 4 && largest <= Self.bound, "\(largest)")
        reads.withLock { #expect($0.ended >= 2 && $0.failures.isEmpty, "\($0)") }
    }

    @Test("a read that another program does not end delays writes for a moment only")
    func strangeReader() throws {
        let fixture = try list()
        let other = try DatabaseConnection(fixture.location, access: .readOnly)
        try other.begin(.reading)
        try other.execute("SELECT count(*) FROM sqlite_schema")
        for round in 1...20 { try change(fixture, round) }
        let size = try #require(fixture.source.logBytes)
        #expect(size() > Self.bound / 2)
        other.rollback()
        for round in 21...22 { try change(fixture, round) }
        #expect(size() < Self.bound / 4)
        #expect(try fixture.rows().count == 500)
    }
}
