import Database
import Listings
import SQLite

extension ForeignCatalog.List {
    func source(in location: DatabaseLocation) throws -> (source: TableSource, schema: ListSchema) {
        let schema = try ListSchema(columns: columns, idType: table.idType)
        var registry = ControllerRegistry()
        let source = TableSource(
            location: location,
            table: table,
            schema: schema,
            registration: try registry.register(RecordController(list: name, columns: columns))
        )
        return (source, schema)
    }
}
