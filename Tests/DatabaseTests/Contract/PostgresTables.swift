import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

final class PostgresTables {
    let database: PostgresDatabase
    private let writer: PostgresConnection
    private let idType: ColumnType
    private let schema = "s\(UInt64.random(in: 0...UInt64.max))"

    init(idType: ColumnType, hasIndexes: Bool) throws {
        let cluster = try #require(PostgresCluster.shared)
        self.idType = idType
        // Indexes are read, however few rows there are.
        let path = schema + (hasIndexes ? "%20-cenable_seqscan%3Doff" : "")
        let address = try #require(PostgresAddress(cluster.address(schema: path)))
        // Many suites run at once: what matters here is what is answered.
        var timeouts = PostgresDatabase.Timeouts()
        timeouts.connect = .seconds(60)
        timeouts.grace = .seconds(60)
        database = PostgresDatabase(address, timeouts: timeouts)
        writer = try PostgresConnection(address, timeout: .seconds(60))
        try execute("CREATE SCHEMA \(schema)")
        try execute(
            """
            CREATE TABLE people (id \(idType == .integer ? "bigint" : "text") PRIMARY KEY,
                roster_revision int NOT NULL DEFAULT 1, name text, city varchar(50), age int,
                score double precision, active boolean, born date)
            """
        )
        guard hasIndexes else { return }
        for steps in [
            #"city COLLATE "C", name COLLATE "C", age DESC, id"#, #"name COLLATE "C", id"#,
            "age, id", "active, id", "born DESC, id",
        ] {
            try execute("CREATE INDEX ON people (\(steps))")
        }
        try makeWordIndex(try description())
    }

    private func makeWordIndex(_ table: TableDescription) throws {
        let texts = try #require(PostgresDialect().indexedTexts([0, 1], table))
        let function = CaseFoldingSQL.function
        try execute(
            """
            \(function.statement) DO $do$ BEGIN
                IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
                    CREATE INDEX ON people USING gin
                        (\(function.name)(\(texts)) public.gin_trgm_ops);
                END IF;
            END $do$
            """
        )
    }

    func execute(_ sql: String) throws {
        try writer.execute(sql, until: .now + .seconds(60))
    }

    /// The table as the catalog would describe it, with its revisions.
    func description() throws -> TableDescription {
        let types = ["text", "varchar", "int4", "float8", "bool", "date"]
        return try #require(
            TableDescription(
                name: "people",
                key: [.init("id", idType, engineType: idType == .integer ? "int8" : "text")],
                columns: zip(ListFixture.columns, types).map { column, type in
                    TableDescription.StoredColumn(column.id, engineType: type)
                },
                revision: "roster_revision",
                origin: .foreignTable
            )
        )
    }

    func insert(_ row: ReferenceRow) throws {
        _ = try writer.run(
            "INSERT INTO people VALUES ($1, 1, $2, $3, $4, $5, $6, $7)",
            try ([row.id] + row.values).map { try $0.parameter() },
            until: .now + .seconds(60)
        )
    }

    func delete(_ id: CellValue) throws {
        _ = try writer.run(
            "DELETE FROM people WHERE id = $1",
            [try id.parameter()],
            until: .now + .seconds(60)
        )
    }
}
