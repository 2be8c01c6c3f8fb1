package import Database
package import Listings

package struct PostgresCatalog: Sendable {
    package let lists: [ExternalList]
    package let relations: [ListRelation]
    /// Read-only tables have none.
    package let facts: [String: TableInfo]
    package let unwritable: [String: UnwritableReason]
    package let refusals: [TableRefusal]
    package let selected: SelectedTables
    package let schema: UInt64
    package let schemas: [String: UInt64]

    /// It is about that of grouping half a million rows.
    package static let costOfLook = 100_000.0

    /// The set of lists does not depend on time, because an inspection that times out is an error.
    package init(
        _ database: PostgresDatabase,
        selection: TableSelection = TableSelection(),
        cost: Double = PostgresCatalog.costOfLook
    ) throws(PostgresError) {
        self = try Self.withInspector(at: database, cost: cost) {
            (inspector) throws(PostgresError) in
            try PostgresCatalog(inspector, selection)
        }
    }

    private init(
        _ inspector: CatalogInspector,
        _ selection: TableSelection
    ) throws(PostgresError) {
        schema = try inspector.schema()
        let relations = try inspector.relations()
        selected = selection.choose(
            from: relations.map { TableSelection.Candidate($0.names, isInternal: $0.isInternal) }
        )
        var schemas: [String: UInt64] = [:]
        var lists: [ExternalList] = []
        var facts: [String: TableInfo] = [:]
        var unwritable: [String: UnwritableReason] = [:]
        var refusals: [TableRefusal] = []
        for choice in selected.choices {
            let relation = relations[choice.position]
            schemas[choice.list] = try inspector.schema(of: relation)
            do throws(CatalogInspector.Failure) {
                let found = try inspector.list(relation, choice)
                lists.append(found.list)
                do throws(UnwritableReason) {
                    facts[found.list.name] = try found.facts.get()
                } catch {
                    unwritable[found.list.name] = error
                }
            } catch {
                switch error {
                case .refused(let reason):
                    refusals.append(TableRefusal(name: relation.names[0], reason: reason))
                case .engine(let error): throw error
                }
            }
        }
        self.lists = lists
        self.relations = try inspector.foreignKeys(of: relations).relations(among: lists)
        self.facts = facts
        self.unwritable = unwritable
        self.refusals = refusals
        self.schemas = schemas
    }

    package static func schema(of database: PostgresDatabase) throws(PostgresError) -> UInt64 {
        try withInspector(at: database, cost: 0) { (inspector) throws(PostgresError) in
            try inspector.schema()
        }
    }

    private static func withInspector<R>(
        at database: PostgresDatabase,
        cost: Double,
        _ body: (CatalogInspector) throws(PostgresError) -> R
    ) throws(PostgresError) -> R {
        let (connection, result) = try database.borrow { (connection) throws(PostgresError) in
            try body(CatalogInspector(connection, timeouts: database.timeouts, cost: cost))
        }
        database.giveBack(connection)
        return result
    }
}

/// The server inlines its body, so queries do not name it.
///
/// Without it, the index definition would exceed its size limit. A hash of its body is part of its
/// name, because a changed body would change search results.
struct IndexFunction {
    let name: String
    let statement: String

    init(_ purpose: String, _ body: String) {
        // FNV-1a, 32 bits (RFC 9923).
        let hash = body.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        name = "roster_\(purpose)_\(String(hash, radix: 16))"
        statement =
            "CREATE OR REPLACE FUNCTION \(name)(text) RETURNS text LANGUAGE sql IMMUTABLE "
            + "PARALLEL SAFE AS $roster$ SELECT \(body) $roster$;"
    }
}
