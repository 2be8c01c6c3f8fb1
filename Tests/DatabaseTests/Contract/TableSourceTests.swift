import Database
import Foundation
import Listings
import Locks
import SQLite
import TestSupport
import Testing

@Suite("Lists of tables")
struct TableSourceTests {
    private let folder = TemporaryFolder()

    private func fixture(_ kind: ListFixture.Kind, rows: Int = 30) throws -> ListFixture {
        var random = SeededGenerator(seed: 11 + UInt64(rows))
        return try ListFixture(kind, rows: rows, idType: .integer, using: &random, in: folder)
    }

    private func read(_ query: ListQuery, _ list: ListFixture) throws -> Page {
        var page = Page(list: "people", schema: list.schema)
        try list.reader.read(query, into: &page)
        return page
    }

    @Test(
        "a section without rows is unknown, by its name in addresses",
        arguments: ListFixture.Kind.everywhere
    )
    func unknownSection(kind: ListFixture.Kind) throws {
        let list = try fixture(kind)
        for (grouping, key, name) in [
            (Grouping(column: 1), .value(.text("Atlantis")), "Atlantis"),
            (Grouping(column: 1, part: .initial), .value(.text("X")), "X"),
            (Grouping(column: 1), .whole, "all"), (nil, .value(.null), "~"),
        ] as [(Grouping?, SectionKey, String)] {
            for shape in [ListQuery.Shape.flow(limit: 3), .peek(limit: 3, rows: 1)] {
                let query = ListQuery(grouping: grouping, sections: [key], shape: shape)
                let error = #expect(throws: SourceError.self) { _ = try read(query, list) }
                #expect(error == .unknownSection(name))
            }
        }
    }

    @Test("the whole list is a section that can be asked for")
    func wholeSection() throws {
        let list = try fixture(.stored)
        let page = try read(ListQuery(sections: [.whole], shape: .flow(limit: 50)), list)
        #expect(page.rowCount == 30)
    }

    @Test("a row is found by its id, in its section", arguments: ListFixture.Kind.everywhere)
    func row(kind: ListFixture.Kind) throws {
        let list = try fixture(kind)
        var page = Page(list: "people", schema: list.schema)
        for grouping in [nil, Grouping(column: 1), Grouping(column: 0, part: .initial)] {
            let query = ListQuery(grouping: grouping, shape: .flow(limit: 1))
            for row in list.reference.rows {
                #expect(try list.reader.readRow(row.id.idText, grouping: grouping, into: &page))
                #expect(page.rowCount == 1)
                #expect(page.id(ofRow: 0) == row.id.idText)
                #expect(page.revision(ofRow: 0) == (kind == .memory ? nil : 1))
                #expect(page.sections.map(\.info.key) == [list.reference.section(row, query)])
                for column in row.values.indices {
                    #expect(page.value(row: 0, column: column) == row.values[column])
                }
            }
        }
        let first = try #require(list.reference.rows.first).id.idText
        for id in ["99999", "", "x", "0" + first, "+" + first, first + " ", "1 OR 1=1"] {
            #expect(try !list.reader.readRow(id, grouping: nil, into: &page), "\(id)")
        }
    }

    @Test("a stored list's version is the one it keeps")
    func storedVersion() throws {
        var list = try fixture(.stored)
        let before = try list.reader.version()
        #expect(try list.reader.version() == before)
        var page = try read(ListQuery(shape: .flow(limit: 1)), list)
        #expect(page.version == before)
        try list.delete(at: 0)
        let after = try list.reader.version()
        #expect(after.epoch == 7)
        #expect(after.counter == before.counter + 1)
        page = try read(ListQuery(shape: .flow(limit: 1)), list)
        #expect(page.version == after)
        #expect(page.total == Count(29))
    }

    @Test("a foreign list's version differs after every write, and not without one")
    func foreignVersion() throws {
        var list = try fixture(.foreign)
        var versions: Set<ListVersion> = []
        for _ in 0..<20 {
            versions.insert(try list.reader.version())
            try list.delete(at: 0)
        }
        #expect(versions.count == 20)
        try settle(list)
        let settled = try list.reader.version()
        #expect(try list.reader.version() == settled)
        let page = try read(ListQuery(shape: .flow(limit: 1)), list)
        #expect(page.version == settled)
        #expect(try list.source.makeReader().version() == settled)
        #expect(settled.isLasting)
    }

    @Test("a commit makes another version, also where no file tells of it")
    func commitWithoutTrace() throws {
        let list = try fixture(.foreign)
        // A log that is written again from its beginning does not grow.
        try list.writer.execute("CREATE TABLE filling AS SELECT zeroblob(1000000) AS zeros")
        try list.writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
        try list.writer.execute("DROP TABLE filling")
        try settle(list)
        var versions: Set<ListVersion> = []
        for _ in 0..<5 {
            let version = try list.reader.version()
            #expect(version.isLasting)
            #expect(try list.reader.version() == version)
            let page = try read(ListQuery(shape: .flow(limit: 1)), list)
            #expect(page.version == version)
            versions.insert(version)
            try list.writer.execute(
                "DELETE FROM people WHERE rowid IN (SELECT max(rowid) FROM people)"
            )
            try settle(list)
        }
        #expect(versions.count == 5)
    }

    private func settle(_ list: ListFixture) throws {
        guard case .file(let path) = list.writer.location else { return }
        for suffix in ["", "-wal"] {
            let file = String(decoding: path, as: UTF8.self) + suffix
            guard FileManager.default.fileExists(atPath: file) else { continue }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
                ofItemAtPath: file
            )
        }
    }

    @Test("a file that takes the place of another is read", arguments: ListFixture.Kind.files)
    func replacedFile(kind: ListFixture.Kind) throws {
        let list = try fixture(kind)
        let other = try fixture(kind, rows: 3)
        _ = try read(ListQuery(shape: .flow(limit: 1)), list)
        try other.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        guard case .file(let from) = other.writer.location,
            case .file(let to) = list.writer.location
        else { return }
        try list.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let paths = [from, to].map { String(decoding: $0, as: UTF8.self) }
        try FileManager.default.removeItem(atPath: paths[1])
        try FileManager.default.moveItem(atPath: paths[0], toPath: paths[1])
        let page = try read(ListQuery(shape: .flow(limit: 50)), list)
        let count = page.rowCount
        #expect(count == 3)
    }

    @Test("counts are kept for a version, and made anew for the next")
    func countsOfVersion() throws {
        let list = try fixture(.stored)
        let query = ListQuery(grouping: Grouping(column: 1), shape: .flow(limit: 50))
        let before = try read(query, list)
        let counts = before.sections.map(\.count)
        #expect(counts.allSatisfy { $0 != nil })
        try list.writer.execute("DELETE FROM people WHERE id IN (SELECT id FROM people LIMIT 10)")
        let same = try read(query, list)
        var total = same.total
        #expect(total == Count(30))
        try list.writer.execute("UPDATE roster_lists SET counter = counter + 1")
        let after = try read(query, list)
        total = after.total
        #expect(total == Count(20))
        #expect(after.sections.map { $0.count?.value } == after.sections.map(\.rows.count))
    }

    @Test("reading ends when the client leaves, and the next one has its rows")
    func cancellation() throws {
        let list = try fixture(.stored)
        let query = ListQuery(grouping: Grouping(column: 1), shape: .flow(limit: 5))
        let cancellation = RequestCancellation()
        cancellation.cancel()
        for _ in 0..<2 {
            RequestCancellation.$current.withValue(cancellation) {
                #expect(throws: SourceError.self) { _ = try read(query, list) }
            }
            let page = try read(query, list)
            let (count, total) = (page.rowCount, page.total)
            #expect(count == 5 && total == Count(30))
        }
    }

    @Test("rows do not wait for counts, and reading does not go on for ever")
    func budgets() throws {
        let list = try fixture(.storedWithoutIndexes, rows: 0)
        try list.writer.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
            INSERT INTO people (id, city) SELECT i, i % 3 FROM n;
            """
        )
        var registry = ControllerRegistry()
        let registration = try registry.register(
            RecordController(list: "people", columns: list.schema.columns)
        )
        func source(_ budgets: ReadingBudgets) -> TableSource {
            TableSource(
                location: list.writer.location,
                table: list.table,
                schema: list.schema,
                registration: registration,
                budgets: budgets
            )
        }
        let query = ListQuery(grouping: Grouping(column: 1), shape: .flow(limit: 5))
        var page = Page(list: "people", schema: list.schema)
        let hasty = try source(ReadingBudgets(counts: .zero)).makeReader()
        for _ in 0..<5 {
            try hasty.read(query, into: &page)
            #expect(page.rowCount == 5)
            #expect(page.total == nil)
            #expect(page.sections.map(\.count) == [nil])
        }
        let patient = try source(ReadingBudgets(counts: .seconds(60))).makeReader()
        var counted = query
        counted.counting = .exact
        try patient.read(counted, into: &page)
        #expect(page.total == Count(30000))
        #expect(page.sections.map(\.count) == [Count(10000)])
        let rushed = try source(ReadingBudgets(rows: .zero)).makeReader()
        let error = #expect(throws: SourceError.self) { try rushed.read(query, into: &page) }
        #expect(error == .outOfTime)
    }

    @Test("a list in memory lives as long as its source")
    func memory() throws {
        let schema = try ListSchema(columns: [Column("a")], idType: .integer)
        let table = try #require(
            TableDescription(list: "x", table: "x", idType: .integer, columns: schema.columns)
        )
        var registry = ControllerRegistry()
        let registration = try registry.register(
            RecordController(list: "x", columns: [Column("a")])
        )
        func source() throws -> TableSource {
            let keeper = try MemoryDatabase()
            let writer = try DatabaseConnection(keeper.location, access: .readWrite)
            try writer.execute(
                """
                CREATE TABLE roster_lists (name, epoch, counter);
                INSERT INTO roster_lists VALUES ('x', 1, 1);
                \(ListFixture.catalog(of: "x", schema.columns))
                CREATE TABLE x (id INTEGER PRIMARY KEY, roster_revision, a);
                INSERT INTO x VALUES (1, 4, 'one');
                """
            )
            return TableSource(
                location: keeper.location,
                table: table,
                schema: schema,
                registration: registration,
                keeper: keeper
            )
        }
        let list = try source()
        var page = Page(list: "x", schema: schema)
        for _ in 0..<2 {
            try list.makeReader().read(ListQuery(shape: .flow(limit: 5)), into: &page)
            #expect(page.rowCount == 1)
            #expect(page.value(row: 0, column: 0) == .text("one"))
            #expect(page.revision(ofRow: 0) == 4)
        }
    }

    @Test("a list that is gone, or a cursor of another order, is an error and no crash")
    func gone() throws {
        let list = try fixture(.stored)
        for (section, row) in [
            (.whole, [.integer(1)]), (.value(.null), []), (.value(.null), [.null, .null]),
            (.whole, nil),
        ] as [(SectionKey, [CellValue]?)] {
            let cursor = Cursor(signature: 1, section: section, row: row.map(Cursor.Row.init))
            for start in [ListQuery.Start.after(cursor), .before(cursor)] {
                let query = ListQuery(
                    grouping: Grouping(column: 1),
                    shape: .flow(limit: 3),
                    start: start
                )
                #expect(throws: SourceError.self) { _ = try read(query, list) }
            }
        }
        try list.writer.execute("DELETE FROM roster_lists")
        #expect(throws: SourceError.self) { try list.reader.version() }
        #expect(throws: SourceError.self) {
            _ = try read(ListQuery(shape: .flow(limit: 3)), list)
        }
        try list.writer.execute("INSERT INTO roster_lists VALUES ('people', 1, 1)")
        #expect(throws: Never.self) { _ = try read(ListQuery(shape: .flow(limit: 3)), list) }
    }

    @Test("a file in write-ahead mode is read where nothing can be written beside it")
    func immutable() throws {
        let path = folder.path + "/sealed.db"
        do {
            let writer = try DatabaseConnection(.file(path), access: .readWrite)
            try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (5)")
        }
        // The engine follows no link there, so it cannot make its file, as on a read-only mount.
        try FileManager.default.createSymbolicLink(
            atPath: path + "-shm",
            withDestinationPath: "/nowhere/at/all"
        )
        let reader = try DatabaseConnection(.file(path), access: .readOnly)
        #expect(reader.isImmutable)
        let statement = try reader.statement("SELECT a FROM t")
        #expect(try statement.step())
        #expect(statement.integer(0) == 5)
        #expect(throws: SQLiteError.self) {
            try DatabaseConnection(.file(path), access: .readWrite)
        }
    }
}
