import Database
import Listings

/// The columns with the sort keys of texts that SQLite cannot sort by itself; see ``TextKey``.
enum OrderColumns {
    static func triggerName(of table: String) -> String { "roster_\(table)_order" }

    /// Creates the triggers that make the sort keys of rows that another program writes.
    ///
    /// The program needs the functions of Roster. Without them, its statement fails, and no row is
    /// written without its keys.
    static func createTriggers(
        for table: TableDescription,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        let steps = steps(of: table, prefix: "new.")
        guard !steps.isEmpty else { return }
        let key = table.quotedKey[0]
        let change = """
            UPDATE \(table.quotedName) SET \(assignments(steps)) WHERE \(key) = new.\(key);
            """
        for event in ["INSERT", "UPDATE"] {
            guard let name = SQLName.quoted("\(triggerName(of: table.name))_\(event)") else {
                continue
            }
            try connection.execute(
                "CREATE TRIGGER IF NOT EXISTS \(name) AFTER \(event) ON \(table.quotedName)"
                    + " WHEN \(isStale(steps, prefix: "new.")) BEGIN \(change) END"
            )
        }
    }

    /// Also adds the missing columns.
    ///
    /// The table has no triggers. A transaction is open.
    ///
    /// - Complexity: O(rows).
    static func fill(
        _ table: TableDescription,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        let steps = steps(of: table, prefix: "")
        guard !steps.isEmpty else { return }
        for column in table.columns {
            guard let name = column.orderName, let quoted = column.quotedOrder,
                try !connection.hasColumn(name, in: table.name)
            else { continue }
            try connection.execute("ALTER TABLE \(table.quotedName) ADD COLUMN \(quoted)")
        }
        try connection.execute(
            "UPDATE \(table.quotedName) SET \(assignments(steps))"
                + " WHERE \(isStale(steps, prefix: ""))"
        )
    }

    private struct Step {
        let name: String
        let key: String
    }

    private static func steps(of table: TableDescription, prefix: String) -> [Step] {
        table.columns.indices.compactMap { position in
            let column = table.columns[position]
            return column.quotedOrder.map { name in
                Step(
                    name: name,
                    key: SQLiteDialect.orderKey(
                        of: prefix + table.quotedColumns[position],
                        isKeyed: column.isKeyed
                    )
                )
            }
        }
    }

    private static func isStale(_ steps: [Step], prefix: String) -> String {
        steps.map { "\(prefix)\($0.name) IS NOT \($0.key)" }.joined(separator: " OR ")
    }

    private static func assignments(_ steps: [Step]) -> String {
        steps.map { "\($0.name) = \($0.key)" }.joined(separator: ", ")
    }
}

/// The rules for ordering texts and splitting them into words, as far as a database stores results.
///
/// The catalog of lists contains the number with which the results were made. A read-only connection
/// ignores results of another number, and a writer makes them again.
enum TextRules {
    /// The version, to be increased whenever results of ``TextCollation``, ``TextKey`` or
    /// ``TextSearch`` change.
    static let number: Int64 = 3
}
