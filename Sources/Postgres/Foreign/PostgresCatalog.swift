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

    /// The longest look at one table.
    static let lookBudget = Duration.milliseconds(500)

    /// Looks through a database.
    ///
    /// - Throws: ``PostgresError`` when it cannot be read at all.
    package init(_ database: PostgresDatabase) throws(PostgresError) {
        let idle = database.takeIdle()
        let connection = if let idle { idle } else { try database.connect() }
        let look = CatalogLook(connection, timeouts: database.timeouts)
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
