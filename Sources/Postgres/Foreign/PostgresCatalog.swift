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

    /// The cost of a look at a view, as the planner estimates it, from which on it is not taken: about
    /// that of grouping half a million rows.
    package static let costOfLook = 100_000.0

    /// Looks through a database.
    ///
    /// Which lists there are does not depend on time: a look that ends too late is an error.
    ///
    /// - Parameters:
    ///   - database: Where the tables are.
    ///   - cost: The cost from which on a look at a view is not taken.
    /// - Throws: ``PostgresError`` when it cannot be read at all.
    package init(
        _ database: PostgresDatabase,
        cost: Double = PostgresCatalog.costOfLook
    ) throws(PostgresError) {
        let idle = database.takeIdle()
        let connection = if let idle { idle } else { try database.connect() }
        let look = CatalogLook(connection, timeouts: database.timeouts, cost: cost)
        var lists: [ForeignList] = []
        var facts: [String: TableFacts] = [:]
        var refusals: [TableRefusal] = []
        for relation in try look.relations() {
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
        database.giveBack(connection)
    }
}
