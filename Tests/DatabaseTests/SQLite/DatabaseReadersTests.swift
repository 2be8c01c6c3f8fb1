import Database
import Foundation
import Listings
import TestSupport
import Testing

@testable import SQLite

@Suite("The lists of a database share its connections")
struct DatabaseReadersTests {
    private let folder = TemporaryFolder()

    private static let schema = try? ListSchema(columns: [Column("name")])

    private func table(
        _ name: String,
        _ texts: [String],
        on connection: DatabaseConnection
    ) throws -> TableDescription {
        let table = try #require(
            TableDescription(
                list: name,
                table: name,
                idType: .integer,
                columns: [Column("name")],
                wordIndex: WordIndex.name(of: name)
            )
        )
        try connection.execute(
            "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, name TEXT, roster_order_name TEXT)"
        )
        for text in texts {
            try connection.execute("INSERT INTO \(name) (name) VALUES ('\(text)')")
        }
        try WordIndex.index(of: table, schema: try #require(Self.schema))?.create(on: connection)
        return table
    }

    @Test("words that were gathered for one list are not those of another")
    func words() throws {
        let location = folder.file("words.db")
        let writer = try DatabaseConnection(location, access: .readWrite)
        let tables = [
            try table("first", ["oslo", "paris", "oslo"], on: writer),
            try table("second", ["rome", "oslo"], on: writer),
        ]
        let reader = try DatabaseConnection(location, access: .readOnly)
        try reader.registerGathering()
        for table in tables { try WordIndex.openPlaceholders(of: table, on: reader) }
        for (table, count) in zip(tables + tables, [2, 1, 2, 1]) {
            #expect(try reader.gather([[.text("oslo")]], in: table) == count)
        }
    }

    /// The descriptors of this process that are open for a file.
    private func descriptors(of path: String) -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.count { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)"
            )
            return target == path
        }
    }

    @Test("lists that are read one after another use one connection")
    func oneConnection() throws {
        let location = folder.file("many.db")
        guard case .file(let bytes) = location else { return }
        let path = String(decoding: bytes, as: UTF8.self)
        do {
            let writer = try DatabaseConnection(location, access: .readWrite)
            for number in 1...50 {
                try writer.execute(
                    """
                    CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, name TEXT);
                    INSERT INTO t\(number) (name) VALUES ('Ada \(number)');
                    """
                )
            }
        }
        let catalog = try ForeignCatalog(location)
        #expect(catalog.lists.count == 50)
        let readers = DatabaseReaders(location)
        let lists = try catalog.lists.map { list in
            let schema = try ListSchema(columns: list.columns, idType: list.table.idType)
            var registry = ControllerRegistry()
            let source = TableSource(
                location: location,
                table: list.table,
                schema: schema,
                registration: try registry.register(
                    RecordController(list: list.name, columns: list.columns)
                ),
                readers: readers
            )
            return (list.name, schema, try source.makeReader())
        }
        for _ in 1...2 {
            for (name, schema, reader) in lists {
                var page = Page(list: name, schema: schema)
                try reader.read(ListQuery(shape: .flow(limit: 2)), into: &page)
                #expect(page.rowCount == 1)
                #expect(page.json(ofRow: 0).contains("Ada \(name.dropFirst())\""))
            }
        }
        #expect(descriptors(of: path) == 1)
    }
}
