import Database
import Listings
import Postgres
import TestSupport
import Testing

/// A table of a cluster as the program would serve it; the column of the ids is left out unless it is
/// asked for, so that the first column is the first one besides.
struct PostgresList {
    let schema: ListSchema
    let source: TableSource
    let reader: any ListReader

    init(
        _ name: String,
        in database: PostgresDatabase,
        showsIDs: Bool = false,
        budgets: ReadingBudgets = ReadingBudgets(rows: .seconds(60), counts: .seconds(60))
    ) throws {
        let catalog = try PostgresCatalog(database)
        let list = try #require(catalog.lists.first { $0.name == name })
        let shown = list.columns.indices.filter { showsIDs || $0 != list.table.idColumn }
        let columns = shown.map { list.columns[$0] }
        schema = try ListSchema(columns: columns, idType: list.table.idType)
        var registry = ControllerRegistry()
        source = TableSource(
            database: database,
            table: list.table.choosing(shown),
            schema: schema,
            registration: try registry.register(RecordController(list: name, columns: columns)),
            budgets: budgets
        )
        reader = try source.makeReader()
    }

    func read(_ query: ListQuery = ListQuery(shape: .flow(limit: 50))) throws -> Page {
        var page = Page(list: "list", schema: schema)
        try reader.read(query, into: &page)
        return page
    }

    /// The ids of all rows of an order, page after page.
    func walk(_ sort: [SortKey], limit: Int) throws -> [String] {
        var query = ListQuery(sort: sort, shape: .flow(limit: limit))
        var ids: [String] = []
        while true {
            let page = try read(query)
            for row in 0..<page.rowCount { ids.append(page.id(ofRow: row)) }
            let next = page.next
            guard let next else { return ids }
            query.start = .after(next)
        }
    }
}

extension PostgresDatabase {
    /// A database of a cluster, with time enough for a busy machine.
    static func patient(_ address: String, passwordFile: String? = nil) throws -> PostgresDatabase {
        var timeouts = Timeouts()
        timeouts.connect = .seconds(60)
        timeouts.grace = .seconds(60)
        timeouts.firstPause = .zero
        timeouts.longestPause = .zero
        let address = try #require(PostgresAddress(address, passwordFile: passwordFile))
        return PostgresDatabase(address, timeouts: timeouts)
    }
}
