import Database
import Foundation
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Files of format 1")
struct FormerFormatTests {
    private let folder = TemporaryFolder()

    /// A copy of a file that Roster 0.1 made: five people in format 1.
    private func file() throws -> DatabaseLocation {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/format-1.db")
        let copy = "\(folder.path)/people.db"
        try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
        return .file(copy)
    }

    private func table(_ list: ListMetadata) throws -> TableDescription {
        try #require(
            TableDescription(
                list: list.name,
                table: list.table,
                idType: list.idType,
                columns: list.columns,
                hasOrderColumns: list.hasOrderColumns,
                wordIndex: list.wordIndex
            )
        )
    }

    private func list(_ location: DatabaseLocation) throws -> ListMetadata {
        let reader = try DatabaseConnection(location, access: .readOnly)
        return try #require(try ListCatalog.lists(in: reader).first)
    }

    /// The names that a query finds in their order, and whether they had to be sorted.
    private func names(
        _ location: DatabaseLocation,
        q: String? = nil
    ) throws -> (names: [String], areSorted: Bool) {
        let list = try list(location)
        let schema = try ListSchema(columns: list.columns, idType: list.idType)
        var query = ListQuery(sort: [SortKey(.column(1))], shape: .flow(limit: 10))
        query.search = q.flatMap(TextSearch.init)
        query.counting = .exact
        var registry = ControllerRegistry()
        let source = TableSource(
            location: location,
            table: try table(list),
            schema: schema,
            registration: try registry.register(
                RecordController(list: "people", columns: schema.columns)
            )
        )
        let areSorted = try source.explain(query).contains { $0.contains("TEMP B-TREE") }
        var page = Page(list: "people", schema: schema)
        try source.makeReader().read(query, into: &page)
        return ((0..<page.rowCount).map { page.value(row: $0, column: 1).plainText }, areSorted)
    }

    private func renew(_ location: DatabaseLocation) throws -> DatabaseConnection {
        let writer = try DatabaseConnection(location, access: .readWrite)
        try DatabaseFormat.migrate(writer)
        for list in try ListCatalog.lists(in: writer) where !list.hasOrderColumns {
            let renewed = try #require(
                TableDescription(
                    list: list.name,
                    table: list.table,
                    idType: list.idType,
                    columns: list.columns,
                    hasOrderColumns: true
                )
            )
            let schema = try ListSchema(columns: list.columns, idType: list.idType)
            try TableIndexes.renew(for: renewed, schema: schema, on: writer)
        }
        return writer
    }

    @Test("a reader sorts their rows and searches them without their indexes")
    func reading() throws {
        let location = try file()
        let all = try names(location)
        #expect(all.names == ["Ada", "Zoë", "Иван", "Йод", "東京都"])
        #expect(all.areSorted)
        #expect(try names(location, q: "京都").names == ["東京都"])
    }

    @Test("a writer makes their sort keys and indexes once, and every program can check them")
    func renewal() throws {
        let location = try file()
        let before = try list(location)
        #expect(!before.hasOrderColumns)
        let writer = try renew(location)
        let after = try list(location)
        #expect(after.hasOrderColumns)
        #expect(after.version.counter == before.version.counter + 1)
        _ = try renew(location)
        #expect(try list(location).version == after.version)
        let left = try writer.prepare(
            "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%COLLATE%' OR name LIKE '%words2%'"
        )
        #expect(try left.step() && left.integer(0) == 0)
        left.reset()

        let all = try names(location)
        #expect(all.names == ["Ada", "Zoë", "Иван", "Йод", "東京都"])
        #expect(!all.areSorted)
        try writer.execute("UPDATE people SET name = '港区役所' WHERE name = 'Ada'")
        #expect(try names(location, q: "区役").names == ["港区役所"])
        #expect(try names(location).names == ["Zoë", "Иван", "Йод", "東京都", "港区役所"])
    }
}
