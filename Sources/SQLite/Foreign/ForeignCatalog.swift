package import Database
package import Listings

/// The tables and views of a foreign database: those served as lists, and the reasons for refusing
/// others.
package struct ForeignCatalog: Sendable {
    package typealias List = ExternalList
    package typealias Refusal = TableRefusal
    package typealias Reason = TableRefusal.Reason

    /// Sorted by the names of the tables and views.
    package let lists: [List]
    /// By the names of the lists.
    package private(set) var checks: [String: DescriptionCheck] = [:]
    package let relations: [ListRelation]
    package let stored: [StoredList]
    package let refusals: [Refusal]
    package let selected: SelectedTables
    /// Read before the search.
    package let schema: UInt64

    /// Whether the database is read as immutable; see ``DatabaseConnection``.
    package let isImmutable: Bool

    package struct StoredList: Sendable {
        package let name: String
        package let list: ListMetadata
    }

    /// Searches a database without writing to it.
    ///
    /// SQLite's own tables and Roster's tables are skipped. The search of a table is limited by
    /// instructions, never by time, so that every replica finds the same lists.
    package init(
        _ location: DatabaseLocation,
        selection: TableSelection = TableSelection(),
        steps: Int = ExternalTable.stepsOfLook
    ) throws(SQLiteError) {
        let connection = try DatabaseConnection(location, access: .readOnly)
        schema = try connection.schemaNumber()
        isImmutable = connection.isImmutable
        let imported = try ListCatalog.lists(in: connection)
        let entries = try TableEntry.all(in: connection)
        selected = selection.choose(
            from: imported.map { TableSelection.Candidate([$0.name]) }
                + entries.map { TableSelection.Candidate([$0.name], isInternal: $0.isInternal) },
            imported: imported.count
        )
        var lists: [List] = []
        var stored: [StoredList] = []
        var refusals: [Refusal] = []
        for choice in selected.choices {
            guard choice.position >= imported.count else {
                stored.append(StoredList(name: choice.list, list: imported[choice.position]))
                continue
            }
            let entry = entries[choice.position - imported.count]
            do {
                let check = DescriptionCheck(entry, key: choice.key, steps: steps)
                lists.append(try check.describe(choice.list, connection))
                checks[choice.list] = check
            } catch {
                refusals.append(Refusal(name: entry.name, reason: error))
            }
        }
        self.lists = lists
        relations = try Self.foreignKeys(in: connection).relations(among: lists)
        self.stored = stored
        self.refusals = refusals
    }

    /// Sorted by table and declaration.
    private static func foreignKeys(
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> [ForeignKey] {
        let statement = try connection.statement(
            """
            SELECT t.name, k."from", k."table", k."to"
            FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS k
            WHERE t.schema = 'main' AND t.type = 'table'
            GROUP BY t.name, k.id HAVING count(*) = 1 ORDER BY t.name, k.id DESC
            """
        )
        defer { statement.reset() }
        var keys: [ForeignKey] = []
        while try statement.step() {
            guard let table = SQLName.quoted(statement.text(0)),
                let target = SQLName.quoted(statement.text(2))
            else { continue }
            let key = ForeignKey(
                table: table,
                column: statement.text(1),
                target: target,
                // Null stands for the primary key.
                key: statement.text(3).isEmpty ? nil : statement.text(3)
            )
            keys.append(key)
        }
        return keys
    }

    /// The number of a database's schema, which every schema change increases.
    package static func schema(of location: DatabaseLocation) throws(SQLiteError) -> UInt64 {
        try DatabaseConnection(location, access: .readOnly).schemaNumber()
    }
}
