import Database
import Listings
import SQLite
import Testing

@Suite("Reading while somebody writes")
struct ConcurrentWriterTests {
    private let folder = TemporaryFolder()

    private func source(
        _ origin: TableDescription.Origin,
        _ location: DatabaseLocation
    ) throws -> TableSource {
        let columns = [Column("value", type: .integer)]
        let table = try #require(
            TableDescription(
                name: "t",
                key: [.init("id", .integer)],
                columns: [.init("value")],
                origin: origin
            )
        )
        var registry = ControllerRegistry()
        return TableSource(
            location: location,
            table: table,
            schema: try ListSchema(columns: columns, idType: .integer),
            registration: try registry.register(RecordController(list: "t", columns: columns))
        )
    }

    /// Makes the list, of three rows; its database lives as long as the connection, if it is in memory.
    private static func makeList(at location: DatabaseLocation) throws -> DatabaseConnection {
        let writer = try DatabaseConnection(location, access: .readWrite)
        try writer.execute(
            """
            CREATE TABLE roster_lists (name, epoch, counter);
            INSERT INTO roster_lists VALUES ('t', 1, 0);
            \(ListFixture.catalog(of: "t", [Column("value", type: .integer)]))
            CREATE TABLE t (id INTEGER PRIMARY KEY, value INTEGER);
            INSERT INTO t VALUES (1, 0), (2, 0), (3, 0);
            """
        )
        return writer
    }

    private static func write(_ location: DatabaseLocation, rounds: Int) throws {
        let writer = try DatabaseConnection(location, access: .readWrite)
        try writer.execute("PRAGMA synchronous = OFF")
        for _ in 0..<rounds {
            try writer.transaction(.writing) { () throws(SQLiteError) in
                try writer.execute("UPDATE roster_lists SET counter = counter + 1")
                try writer.execute("UPDATE t SET value = (SELECT counter FROM roster_lists)")
            }
        }
    }

    /// Reads until the last value is there, or has not come for a long time.
    private static func read(
        _ source: TableSource,
        until last: Int64
    ) throws -> [(version: ListVersion, values: [CellValue])] {
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: source.schema)
        var found: [(version: ListVersion, values: [CellValue])] = []
        for _ in 0..<1_000_000 where found.last?.values.last != .integer(last) {
            try reader.read(ListQuery(shape: .flow(limit: 3)), into: &page)
            found.append((page.version, (0..<3).map { page.value(row: $0, column: 0) }))
        }
        return found
    }

    @Test(
        "version and rows belong to one state",
        arguments: [TableDescription.Origin.stored(list: "t"), .foreignTable]
    )
    func oneState(origin: TableDescription.Origin) async throws {
        let location = folder.file("w.db")
        _ = try Self.makeList(at: location)
        let source = try source(origin, location)
        let rounds = 200
        async let written: Void = Self.write(location, rounds: rounds)
        async let read = Self.read(source, until: Int64(rounds))
        let (_, found) = try await (written, read)
        #expect(found.last?.values.last == .integer(Int64(rounds)))
        var valueOfVersion: [ListVersion: CellValue] = [:]
        for (version, values) in found {
            let value = try #require(values.first)
            #expect(values == [value, value, value])
            #expect(valueOfVersion[version, default: value] == value)
            valueOfVersion[version] = value
            if origin != .foreignTable {
                #expect(value == .integer(Int64(version.counter)))
            }
        }
    }

    @Test("in memory, where a writer keeps readers out, they wait for it")
    func inMemory() async throws {
        let location = DatabaseLocation.uniqueMemory()
        let writer = try Self.makeList(at: location)
        try writer.execute("BEGIN IMMEDIATE")
        let source = try source(.stored(list: "t"), location)
        async let read = Self.read(source, until: 7)
        // Longer than readers wait for the writers of a file.
        let end = ContinuousClock.now + .milliseconds(400)
        while .now < end { try writer.execute("UPDATE t SET value = value + 1") }
        try writer.execute("UPDATE t SET value = 7; COMMIT")
        #expect(try await read.map(\.values.first) == [.integer(7)])
    }
}
