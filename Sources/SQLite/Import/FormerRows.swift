import Database
import Listings
import TableFiles

/// The rows of a list in memory before an import.
///
/// Rows that do not change keep their revisions, so that conditions of clients still hold.
struct FormerRows {
    private let connection: DatabaseConnection
    private let table: String
    private let names: [String]

    /// Nil if the list is new or has other columns.
    init?(
        of list: String,
        _ plan: ImportPlan,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        guard connection.location.isMemory,
            let old = try ListCatalog.list(named: list, in: connection), old.idType == plan.idType,
            old.columns == plan.listColumns, old.keyed == plan.keyedColumns,
            let table = SQLName.quoted(old.table)
        else { return nil }
        self.connection = connection
        self.table = table
        names = ["\"id\""] + plan.valueColumns.compactMap { SQLName.quoted(plan.columns[$0].id) }
        try connection.execute("CREATE TEMP TABLE roster_before AS SELECT * FROM \(table)")
    }

    func keepRevisions() throws(SQLiteError) {
        // SQLite compares lists of values of any length at once.
        func values(of table: String) -> String {
            "(" + names.map { "\(table).\($0)" }.joined(separator: ", ") + ")"
        }
        try connection.execute(
            """
            UPDATE \(table) SET roster_revision = roster_before.roster_revision
              FROM roster_before
              WHERE roster_before.id = \(table).id
                AND \(values(of: "roster_before")) IS \(values(of: table));
            DROP TABLE temp.roster_before
            """
        )
    }
}
