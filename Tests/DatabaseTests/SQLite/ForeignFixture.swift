import Database
import Listings
import Locks
import SQLite
import Testing

/// A table of a SQLite file that another program made, as the program would serve it.
struct ForeignFixture: WrittenList {
    let location: DatabaseLocation
    let name: String
    let source: TableSource

    init(_ definition: String, named name: String, at location: DatabaseLocation) throws {
        guard case .file(let path) = location else { preconditionFailure("another program's") }
        try PlainDatabase(String(decoding: path, as: UTF8.self)).run(definition)
        try self.init(opening: name, at: location)
    }

    init(opening name: String, at location: DatabaseLocation) throws {
        (self.location, self.name) = (location, name)
        let catalog = try ForeignCatalog(location, isWritten: true)
        let list = try #require(catalog.lists.first { $0.name == name })
        let info = try #require(catalog.writing[name])
        let table = list.table.withDigests(info, list.columns)
        let schema = try ListSchema(columns: list.columns, idType: table.idType)
        var registry = ControllerRegistry()
        source = TableSource(
            location: location,
            table: table,
            schema: schema,
            registration: try registry.register(
                RecordController(list: name, columns: list.columns)
            ),
            mark: SharedNumber(catalog.schema),
            writing: TableWriting(
                info.rules(schema, requiring: [], keyColumns: table.keyColumns),
                through: WriterQueue(longestWait: .milliseconds(200)),
                of: info
            )
        )
    }

    func reopened() throws -> ForeignFixture { try ForeignFixture(opening: name, at: location) }

    /// Runs SQL as the other program, and returns the first value.
    @discardableResult
    func run(_ sql: String) throws -> String? {
        guard case .file(let path) = location else { return nil }
        return try PlainDatabase(String(decoding: path, as: UTF8.self)).first(sql)
    }
}
