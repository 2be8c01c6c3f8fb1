package import Database
package import Listings

/// The tables and views of a PostgreSQL database: those that become lists, and the reasons for which
/// others do not.
package struct PostgresCatalog: Sendable {
    /// By name.
    package let lists: [ExternalList]
    package let relations: [ListRelation]
    /// By list name.
    ///
    /// Read-only tables have none.
    package let facts: [String: TableInfo]
    /// By name.
    package let refusals: [TableRefusal]
    package let selected: SelectedTables
    /// Taken before the inspection.
    package let schema: UInt64
    /// By list name.
    package let schemas: [String: UInt64]

    /// The planner's estimated cost from which a view is not checked.
    ///
    /// It is about that of grouping half a million rows.
    package static let costOfLook = 100_000.0

    /// The set of lists does not depend on time, because an inspection that times out is an error.
    package init(
        _ database: PostgresDatabase,
        selection: TableSelection = TableSelection(),
        cost: Double = PostgresCatalog.costOfLook
    ) throws(PostgresError) {
        self = try Self.withLook(at: database, cost: cost) { (look) throws(PostgresError) in
            try PostgresCatalog(look, selection)
        }
    }

    private init(
        _ look: CatalogInspector,
        _ selection: TableSelection
    ) throws(PostgresError) {
        schema = try look.schema()
        let relations = try look.relations()
        selected = selection.choose(
            from: relations.map { TableSelection.Candidate($0.names, isInternal: $0.isInternal) }
        )
        var schemas: [String: UInt64] = [:]
        var lists: [ExternalList] = []
        var facts: [String: TableInfo] = [:]
        var refusals: [TableRefusal] = []
        for choice in selected.choices {
            let relation = relations[choice.position]
            schemas[choice.list] = try look.schema(of: relation)
            switch try look.outcome(relation, choice) {
            case .success(let found):
                lists.append(found.list)
                facts[found.list.name] = found.facts
            case .failure(let reason):
                refusals.append(TableRefusal(name: relation.names[0], reason: reason))
            }
        }
        self.lists = lists
        self.relations = try look.foreignKeys(of: relations).relations(among: lists)
        self.facts = facts
        self.refusals = refusals
        self.schemas = schemas
    }

    package static func schema(of database: PostgresDatabase) throws(PostgresError) -> UInt64 {
        try withLook(at: database, cost: 0) { (look) throws(PostgresError) in try look.schema() }
    }

    /// Inspects through a session with the server.
    ///
    /// A session that broke while idle is replaced.
    private static func withLook<R>(
        at database: PostgresDatabase,
        cost: Double,
        _ body: (CatalogInspector) throws(PostgresError) -> R
    ) throws(PostgresError) -> R {
        func look(_ connection: PostgresConnection) throws(PostgresError) -> R {
            let look = CatalogInspector(connection, timeouts: database.timeouts, cost: cost)
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

package struct TableInfo: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        let hasDefault: Bool
        /// Whether the database makes every value itself.
        let isMade: Bool
        let takesValues: Bool
        /// Whether the column is never null and not part of the key.
        let isFilled: Bool
    }

    /// In the order of the list's columns.
    package let columns: [Column]
    package let key: [Column]
    /// Whether a statement that writes a row also returns its revision.
    ///
    /// Partitioned tables cannot, and a trigger may write the row again.
    let returnsRevisions: Bool

    package var required: [Int] {
        columns.indices.filter { position in
            let column = columns[position]
            return column.isFilled && !column.hasDefault && column.takesValues
        }
    }

    package var made: [Int] { columns.indices.filter { columns[$0].isMade } }

    package func choosing(_ positions: [Int]) -> TableInfo {
        TableInfo(
            columns: positions.map { columns[$0] },
            key: key,
            returnsRevisions: returnsRevisions
        )
    }
}

/// An SQL function of one text that indexes use.
///
/// The server inlines its body, so queries do not name it. Without it, the index definition would
/// exceed its size limit. A hash of its body is part of its name, because a changed body would
/// change search results.
struct IndexFunction {
    let name: String
    let statement: String

    /// In the body, `$1` is the text.
    init(_ purpose: String, _ body: String) {
        // FNV-1a, 32 bits (RFC 9923).
        let hash = body.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        name = "roster_\(purpose)_\(String(hash, radix: 16))"
        statement =
            "CREATE OR REPLACE FUNCTION \(name)(text) RETURNS text LANGUAGE sql IMMUTABLE "
            + "PARALLEL SAFE AS $roster$ SELECT \(body) $roster$;"
    }
}
