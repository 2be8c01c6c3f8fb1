import Bytes
import Database
import Listings
import SQLite
import TableFiles
import Testing

struct WritingFixture: WrittenList {
    let location: DatabaseLocation
    let source: TableSource
    let gate: WriterQueue
    /// Nil if the rows stay in the database.
    private let file: SavedFile?

    static let people =
        "name,age,born,mail\nAda,36,1815-12-10,ada@example.org\nBob,,,\n"

    init(
        at location: DatabaseLocation,
        csv: String = people,
        required: [String] = ["name"]
    ) throws {
        let connection = try DatabaseConnection(location, access: .readWrite)
        try ListImporter(connection).importText(csv, .csv, as: "people")
        try self.init(opening: location, required: required)
    }

    /// Imports the same people into a database that lives as long as the fixture.
    init(inMemory memory: MemoryDatabase) throws {
        let writer = try DatabaseConnection(memory.location, access: .readWrite)
        try ListImporter(writer).importText(Self.people, .csv, as: "people")
        try self.init(opening: memory.location, keeper: memory)
    }

    /// Imports a file, to which edits are written back.
    init(
        _ file: SavedFile,
        at location: DatabaseLocation,
        afterImport: @escaping @Sendable () -> Void = {}
    ) throws {
        _ = try file.importFile(into: location)
        try self.init(opening: location, file: file, afterImport: afterImport)
    }

    init(
        opening location: DatabaseLocation,
        required: [String] = ["name"],
        keeper: MemoryDatabase? = nil,
        file: SavedFile? = nil,
        afterImport: @escaping @Sendable () -> Void = {}
    ) throws {
        (self.location, self.file) = (location, file)
        gate = WriterQueue()
        let connection = try DatabaseConnection(location, access: .readOnly)
        let list = try #require(try ListCatalog.list(named: "people", in: connection))
        let table = try #require(
            TableDescription(
                list: list.name,
                table: list.table,
                idType: list.idType,
                columns: list.columns
            )
        )
        let schema = try ListSchema(columns: list.columns, idType: list.idType)
        var registry = ControllerRegistry()
        source = TableSource(
            location: location,
            table: table,
            schema: schema,
            registration: try registry.register(
                RecordController(list: "people", columns: list.columns)
            ),
            keeper: keeper,
            writing: TableWriting(
                RowRules(schema, required: required),
                through: gate,
                saver: try file?.saver(of: location, afterImport: afterImport)
            )
        )
    }

    func reopened() throws -> WritingFixture { try WritingFixture(opening: location, file: file) }
}
