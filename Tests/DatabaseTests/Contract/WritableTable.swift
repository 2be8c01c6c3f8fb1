import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

/// A table of PostgreSQL that rows are written to, as the program would serve it.
struct WritableTable: WrittenList {
    let scratch: ScratchSchema
    let name: String
    let source: TableSource

    init(
        _ definition: String,
        named name: String,
        in scratch: ScratchSchema,
        database: PostgresDatabase? = nil
    ) throws {
        try scratch.run(definition)
        try self.init(opening: name, in: scratch, database: database)
    }

    init(opening name: String, in scratch: ScratchSchema, database: PostgresDatabase? = nil) throws
    {
        self.scratch = scratch
        self.name = name
        let database = try database ?? .patient(scratch.cluster.address(schema: scratch.name))
        let catalog = try PostgresCatalog(database)
        let list = try #require(catalog.lists.first { $0.name == name })
        let facts = try #require(catalog.facts[name])
        let keepsAnswers = try database.prepareAnswers() == nil
        let schema = try ListSchema(columns: list.columns, idType: list.table.idType)
        let required = facts.required.map { list.columns[$0].id }
        var registry = ControllerRegistry()
        source = TableSource(
            database: database,
            table: list.table,
            schema: schema,
            registration: try registry.register(
                RecordController(list: name, columns: list.columns)
            ),
            writing: PostgresWriting(
                RowRules(schema, required: required, keyColumns: list.table.keyColumns),
                facts: facts,
                keepsAnswers: keepsAnswers
            )
        )
    }

    func reopened() throws -> WritableTable { try WritableTable(opening: name, in: scratch) }
}
