import Database

/// Triggers that advance the version of a list and the revision of a row at every write by any
/// program.
enum RowTriggers {
    /// Called after the list is entered, in the same transaction; they are dropped with the table.
    static func create(
        for list: ListMetadata,
        in connection: DatabaseConnection
    ) throws(SQLiteError) {
        let entry = try connection.prepare("SELECT rowid FROM roster_lists WHERE name = ?1")
        try entry.bind(1, list.name)
        guard let table = SQLName.quoted(list.table), try entry.step() else { return }
        let number = entry.integer(0)
        entry.reset()
        let advance = """
            UPDATE roster_lists SET counter = counter + 1, is_written = 1 WHERE rowid = \(number);
            """
        for event in ["INSERT", "UPDATE", "DELETE"] {
            guard let name = SQLName.quoted("roster_\(list.table)_\(event)") else { return }
            // Programs unaware of revisions leave them unchanged.
            let revise =
                event != "UPDATE"
                ? ""
                : """
                UPDATE \(table) SET roster_revision = roster_revision + 1
                  WHERE id = new.id AND new.roster_revision = old.roster_revision;
                """
            try connection.execute(
                "CREATE TRIGGER \(name) AFTER \(event) ON \(table) BEGIN \(advance) \(revise) END"
            )
        }
    }
}
