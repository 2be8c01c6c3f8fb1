import Bytes
import Database
import Listings
import SQLite
import TableFiles
import Testing

/// A list of people in a database, and who writes and reads it.
struct WritingFixture {
    let location: DatabaseLocation
    let source: TableSource
    let gate: WriterQueue

    /// Imports a few people into a new database.
    init(
        at location: DatabaseLocation,
        csv: String = "name,age,born,mail\nAda,36,1815-12-10,ada@example.org\nBob,,,\n",
        required: [String] = ["name"],
        gate: WriterQueue = WriterQueue()
    ) throws {
        let connection = try DatabaseConnection(location, access: .readWrite)
        try ListImporter(connection).importText(csv, .csv, as: "people")
        try self.init(opening: location, required: required, gate: gate)
    }

    /// Opens the people that were imported.
    init(
        opening location: DatabaseLocation,
        required: [String] = ["name"],
        gate: WriterQueue = WriterQueue()
    ) throws {
        self.location = location
        self.gate = gate
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
            writing: TableWriting(RowRules(schema, required: required), through: gate)
        )
    }

    func makeWriter() throws -> any ListWriter { try #require(try source.makeWriter()) }

    /// The position of a column.
    func column(_ id: String) throws -> Int { try #require(source.schema.index(of: id)) }

    /// All rows as texts, their ids first, and the version they belong to.
    func rows() throws -> (rows: [[String]], version: ListVersion) {
        let reader = try source.makeReader()
        var page = Page(list: "people", schema: source.schema)
        try reader.read(ListQuery(shape: .flow(limit: 500)), into: &page)
        var rows: [[String]] = []
        for row in 0..<page.rowCount {
            rows.append(
                [page.id(ofRow: row)]
                    + source.schema.columns.indices.filter { $0 != source.schema.idColumn }
                    .map { page.value(row: row, column: $0).plainText }
            )
        }
        return (rows, page.version)
    }
}

extension ListWriter {
    /// Performs changes; answers with what became of each.
    func write(
        _ changes: [RowChange],
        of fixture: WritingFixture,
        manner: WriteBatch.Manner = .allOrNothing
    ) throws -> [Result<ChangedRow, RowRefusal>] {
        var page = Page(list: "people", schema: fixture.source.schema)
        var all: [Result<ChangedRow, RowRefusal>] = []
        _ = try write(WriteBatch(changes, manner: manner), into: &page) { _, results in
            all = results
            return []
        }
        return all
    }

    /// Performs a change; answers with what became of it.
    func write(_ change: RowChange, of fixture: WritingFixture) throws -> ChangedRow {
        try write([change], of: fixture)[0].get()
    }
}
