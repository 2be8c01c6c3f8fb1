package import Database
import Listings

/// The tables and views of a PostgreSQL database that are found without naming a schema: those that
/// make a list, and why others do not.
package struct PostgresCatalog: Sendable {
    /// The lists, by name.
    package let lists: [ForeignList]
    /// What writing takes, by the name of the list; none of a table that is only read.
    package let facts: [String: TableFacts]
    /// What makes no list, by name.
    package let refusals: [TableRefusal]
    /// The number of the schema before it was looked through.
    package let schema: UInt64
    /// That of each list, by its name.
    package let schemas: [String: UInt64]

    /// The cost of a look at a view, as the planner estimates it, from which on it is not taken: about
    /// that of grouping half a million rows.
    package static let costOfLook = 100_000.0

    /// Looks through a database.
    ///
    /// Which lists there are does not depend on time: a look that ends too late is an error.
    ///
    /// - Parameters:
    ///   - database: The database of the tables.
    ///   - cost: The cost from which on a look at a view is not taken.
    /// - Throws: ``PostgresError`` when it cannot be read at all.
    package init(
        _ database: PostgresDatabase,
        cost: Double = PostgresCatalog.costOfLook
    ) throws(PostgresError) {
        self = try Self.withLook(at: database, cost: cost) { (look) throws(PostgresError) in
            try PostgresCatalog(look)
        }
    }

    private init(_ look: CatalogLook) throws(PostgresError) {
        schema = try look.schema()
        var schemas: [String: UInt64] = [:]
        var lists: [ForeignList] = []
        var facts: [String: TableFacts] = [:]
        var refusals: [TableRefusal] = []
        for relation in try look.relations() {
            schemas[relation.name] = try look.schema(of: relation)
            switch try look.outcome(relation) {
            case .success(let found):
                lists.append(found.list)
                facts[found.list.name] = found.facts
            case .failure(let reason):
                refusals.append(TableRefusal(name: relation.name, reason: reason))
            }
        }
        self.lists = lists
        self.facts = facts
        self.refusals = refusals
        self.schemas = schemas
    }

    /// The number of a database's schema, which each change of it moves.
    ///
    /// - Throws: ``PostgresError`` when it cannot be read.
    package static func schema(of database: PostgresDatabase) throws(PostgresError) -> UInt64 {
        try withLook(at: database, cost: 0) { (look) throws(PostgresError) in try look.schema() }
    }

    /// Looks by a session with the server; one that broke while it was idle is replaced.
    private static func withLook<R>(
        at database: PostgresDatabase,
        cost: Double,
        _ body: (CatalogLook) throws(PostgresError) -> R
    ) throws(PostgresError) -> R {
        func look(_ connection: PostgresConnection) throws(PostgresError) -> R {
            let look = CatalogLook(connection, timeouts: database.timeouts, cost: cost)
            let result = try body(look)
            database.giveBack(connection)
            return result
        }
        while let idle = database.takeIdle() {
            do throws(PostgresError) {
                return try look(idle)
            } catch {
                guard error.isFatal else { throw error }
            }
        }
        return try look(try database.connect())
    }
}
