package import Database
package import Listings

package struct ForeignCatalog: Sendable {
    package typealias List = ExternalList
    package typealias Refusal = TableRefusal
    package typealias Reason = TableRefusal.Reason

    package let lists: [List]
    package private(set) var checks: [String: DescriptionCheck] = [:]
    /// The rules for writes to the tables that can be written.
    package private(set) var writing: [String: TableInfo] = [:]
    package private(set) var unwritable: [String: UnwritableReason] = [:]
    package let relations: [ListRelation]
    package let stored: [StoredList]
    package let refusals: [Refusal]
    package let selected: SelectedTables
    package let schema: UInt64

    package let isImmutable: Bool

    package struct StoredList: Sendable {
        package let name: String
        package let list: ListMetadata
    }

    /// SQLite's own tables and Roster's tables are skipped.
    ///
    /// The search of a table is limited by instructions, never by time, so that every replica finds
    /// the same lists. `isWritten` is true if clients may write, so that the statements that write
    /// rows are compiled.
    package init(
        _ location: DatabaseLocation,
        selection: TableSelection = TableSelection(),
        isWritten: Bool = false,
        steps: Int = ExternalTable.stepsOfInspection
    ) throws(SQLiteError) {
        // A transaction that a killed program left is rolled back by a connection that may write.
        let writer = isWritten ? try Self.writer(of: location) : nil
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
                let (list, table) = try check.describe(choice.list, connection)
                lists.append(list)
                checks[choice.list] = check
                do throws(UnwritableReason) {
                    if isWritten, writer == nil { throw .noRight("its file may not be written") }
                    let info = try table.writing(of: list)
                    if let writer { try ExternalTable.check(list.table, info, on: writer) }
                    writing[list.name] = info
                } catch {
                    unwritable[list.name] = error
                }
            } catch {
                refusals.append(Refusal(name: entry.name, reason: error))
            }
        }
        self.lists = lists
        relations = try Self.foreignKeys(in: connection).relations(among: lists)
        self.stored = stored
        self.refusals = refusals
    }

    /// Nil if the file may only be read.
    private static func writer(
        of location: DatabaseLocation
    ) throws(SQLiteError) -> DatabaseConnection? {
        do {
            let connection = try DatabaseConnection(location, access: .writeForeign)
            return connection.isReadOnly ? nil : connection
        } catch  where error.cause == .cannotOpen || error.cause == .readOnly {
            return nil
        }
    }

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

    /// A text that differs if writes to the list have other rules.
    package func rules(of list: String) -> String {
        writing[list].map { "\($0)" } ?? unwritable[list].map { "\($0)" } ?? ""
    }

    package static func schema(of location: DatabaseLocation) throws(SQLiteError) -> UInt64 {
        try DatabaseConnection(location, access: .readOnly).schemaNumber()
    }
}
