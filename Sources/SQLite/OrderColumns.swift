import Database

/// The triggers that make the sort keys of rows that another program writes; see ``TextKey``.
enum OrderColumns {
    /// Without the functions of Roster, the statement of the program fails, so that no row is written
    /// without its keys.
    static func createTriggers(
        for table: TableDescription,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        var stale: [String] = []
        var assignments: [String] = []
        for (position, column) in table.columns.enumerated() {
            guard let name = column.quotedOrder else { continue }
            let value = "new." + table.quotedColumns[position]
            let key = SQLiteDialect.orderKey(of: value, isKeyed: column.isKeyed)
            stale.append("new.\(name) IS NOT \(key)")
            assignments.append("\(name) = \(key)")
        }
        guard !stale.isEmpty else { return }
        let key = table.quotedKey[0]
        for event in ["INSERT", "UPDATE"] {
            guard let name = SQLName.quoted("roster_\(table.name)_order_\(event)") else { continue }
            try connection.execute(
                """
                CREATE TRIGGER IF NOT EXISTS \(name) AFTER \(event) ON \(table.quotedName)
                WHEN \(stale.joined(separator: " OR ")) BEGIN
                  UPDATE \(table.quotedName) SET \(assignments.joined(separator: ", "))
                    WHERE \(key) = new.\(key);
                END
                """
            )
        }
    }
}
