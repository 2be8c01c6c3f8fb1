package import Database
import Listings

/// The imported lists of a database: the tables `roster_lists` and `roster_columns`.
package enum ListCatalog {
    /// The version of the import.
    ///
    /// A different version makes files be imported again.
    static let importer: Int64 = 5
    /// The value stored instead of the importer version after rows have been written.
    static let written: Int64 = 0

    struct Source: Hashable {
        let path: String
        let stamp: SourceFile.Stamp
    }

    /// All imported lists by name, or none if nothing was ever imported.
    package static func lists(
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> [ListMetadata] {
        guard try exists(in: connection) else { return [] }
        let names = try connection.prepare("SELECT name FROM roster_lists ORDER BY name")
        var lists: [ListMetadata] = []
        while try names.step() {
            if let list = try list(named: names.text(0), in: connection) { lists.append(list) }
        }
        return lists
    }

    package static func list(
        named name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> ListMetadata? {
        guard try exists(in: connection) else { return nil }
        let added =
            try connection.hasColumn("text_rules", in: "roster_lists")
            ? "text_rules, missing_indexes" : "NULL, NULL"
        let list = try connection.prepare(
            "SELECT table_name, id_type, row_count, epoch, counter, \(added) FROM roster_lists"
                + " WHERE name = ?"
        )
        try list.bind(1, name)
        guard try list.step() else { return nil }
        let found = try columns(of: name, in: connection)
        return ListMetadata(
            name: name,
            table: list.text(0),
            idType: ColumnType(rawValue: list.text(1)) ?? .text,
            columns: found.columns,
            keyed: found.keyed,
            version: ListVersion(
                epoch: UInt64(bitPattern: list.integer(3)),
                counter: UInt64(bitPattern: list.integer(4))
            ),
            rowCount: Int(list.integer(2)),
            hasOrderColumns: list.integer(5) == TextRules.number,
            missingIndexes: Int(list.integer(6)),
            wordIndex: try present(WordIndex.name(of: list.text(0)), in: connection),
            trigramIndex: try present(TrigramIndex.name(of: list.text(0)), in: connection)
        )
    }

    private static func present(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> String? {
        try connection.hasObject(named: name) ? name : nil
    }

    private static func columns(
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> (columns: [Column], keyed: Set<Int>) {
        // Databases of older versions lack these columns. Their lists have typed values, and ids
        // instead of the names in files.
        let storage = try connection.hasColumn("storage", in: "roster_columns") ? "storage" : "NULL"
        let fileName =
            try connection.hasColumn("file_name", in: "roster_columns") ? "file_name" : "NULL"
        let found = try connection.prepare(
            "SELECT id, label, type, \(storage), coalesce(\(fileName), id)"
                + " FROM roster_columns WHERE list = ? ORDER BY position"
        )
        try found.bind(1, name)
        var columns: [Column] = []
        var keyed: Set<Int> = []
        while try found.step() {
            let type = ColumnType(rawValue: found.text(2)) ?? .text
            let storage = ColumnStorage(rawValue: found.text(3)) ?? .typed
            if storage != .typed { keyed.insert(columns.count) }
            columns.append(
                Column(
                    found.text(0),
                    label: found.text(1),
                    type: type,
                    isMixed: storage == .mixed
                )
                .named(inFiles: found.text(4))
            )
        }
        return (columns, keyed)
    }

    enum ColumnStorage: String {
        case typed
        /// The values are stored in their own spelling (``KeyedValue``), and all have the column's
        /// type.
        case keyed
        /// The values are stored in their own spelling and have several types.
        case mixed
    }

    static func exists(in connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        // Another program's table can have this name, too.
        let found = try connection.prepare(
            """
            SELECT count(*) = 6 FROM pragma_table_info('roster_lists')
            WHERE name IN ('name', 'table_name', 'id_type', 'row_count', 'epoch', 'counter')
            """
        )
        defer { found.reset() }
        return try found.step() && found.integer(0) == 1
    }
}

extension ListCatalog {
    static func create(in connection: DatabaseConnection) throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS roster_lists (
              name TEXT NOT NULL PRIMARY KEY,
              table_name TEXT NOT NULL,
              id_type TEXT NOT NULL,
              row_count INTEGER NOT NULL,
              epoch INTEGER NOT NULL,
              counter INTEGER NOT NULL,
              source TEXT,
              source_bytes INTEGER,
              source_modified INTEGER,
              importer INTEGER,
              text_rules INTEGER,
              missing_indexes INTEGER
            );
            CREATE TABLE IF NOT EXISTS roster_columns (
              list TEXT NOT NULL REFERENCES roster_lists(name) ON DELETE CASCADE,
              position INTEGER NOT NULL,
              id TEXT NOT NULL,
              label TEXT NOT NULL,
              type TEXT NOT NULL,
              storage TEXT,
              file_name TEXT,
              PRIMARY KEY (list, position)
            ) WITHOUT ROWID;
            """
        )
        for column in ["storage", "file_name"]
        where try !connection.hasColumn(column, in: "roster_columns") {
            try connection.execute("ALTER TABLE roster_columns ADD COLUMN \(column) TEXT")
        }
        guard try !connection.hasColumn("text_rules", in: "roster_lists") else { return }
        try connection.execute(
            """
            ALTER TABLE roster_lists ADD COLUMN text_rules INTEGER;
            ALTER TABLE roster_lists ADD COLUMN missing_indexes INTEGER;
            """
        )
    }

    static func isCurrent(
        _ name: String,
        source: Source,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        guard try exists(in: connection) else { return false }
        let found = try connection.prepare(
            """
            SELECT 1 FROM roster_lists WHERE name = ? AND source = ? AND source_bytes = ?
              AND source_modified = ? AND importer = ?
            """
        )
        try found.bind(1, name)
        try found.bind(2, source.path)
        try found.bind(3, source.stamp.bytes)
        try found.bind(4, source.stamp.modified)
        try found.bind(5, importer)
        defer { found.reset() }
        return try found.step()
    }

    package static func isWritten(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        guard try exists(in: connection) else { return false }
        let found = try connection.prepare(
            "SELECT 1 FROM roster_lists WHERE name = ? AND importer = ?"
        )
        try found.bind(1, name)
        try found.bind(2, written)
        defer { found.reset() }
        return try found.step()
    }

    /// Called in the transaction of the change.
    ///
    /// Nil if the list no longer exists.
    static func advance(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> ListVersion? {
        let change = try connection.statement(
            "UPDATE roster_lists SET counter = counter + 1, importer = ?2 WHERE name = ?1"
        )
        try change.bind(1, name)
        try change.bind(2, written)
        try change.run()
        return try version(of: name, in: connection)
    }

    /// Advances the version of a list after the order of its rows was stored by other ``TextRules``.
    static func reorder(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) {
        let change = try connection.prepare(
            "UPDATE roster_lists SET counter = counter + 1, text_rules = ?2, missing_indexes = 0"
                + " WHERE name = ?1"
        )
        try change.bind(1, name)
        try change.bind(2, TextRules.number)
        try change.run()
    }

    static func setMissingIndexes(
        _ count: Int,
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) {
        let change = try connection.prepare(
            "UPDATE roster_lists SET missing_indexes = ?2 WHERE name = ?1"
        )
        try change.bind(1, name)
        try change.bind(2, Int64(count))
        try change.run()
    }

    /// 0 if the list does not exist.
    static func rowCount(
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> Int {
        guard try exists(in: connection) else { return 0 }
        let found = try connection.prepare("SELECT row_count FROM roster_lists WHERE name = ?1")
        try found.bind(1, name)
        return try found.step() ? Int(found.integer(0)) : 0
    }

    /// Nil if the list does not exist.
    static func version(
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> ListVersion? {
        let statement = try connection.statement(
            "SELECT epoch, counter FROM roster_lists WHERE name = ?1"
        )
        defer { statement.reset() }
        try statement.bind(1, name)
        guard try statement.step() else { return nil }
        return ListVersion(
            epoch: UInt64(bitPattern: statement.integer(0)),
            counter: UInt64(bitPattern: statement.integer(1))
        )
    }

    /// By the names of the columns.
    static func types(
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> [String: ColumnType] {
        let found = try connection.statement("SELECT id, type FROM roster_columns WHERE list = ?1")
        defer { found.reset() }
        try found.bind(1, name)
        var types: [String: ColumnType] = [:]
        while try found.step() {
            types[found.text(0)] = ColumnType(rawValue: found.text(1)) ?? .text
        }
        return types
    }

    static func obstacle(
        to name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> String? {
        let isListed = try list(named: name, in: connection) != nil
        let found = try connection.prepare(
            "SELECT name FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE"
        )
        try found.bind(1, name)
        defer { found.reset() }
        while try found.step() {
            let other = found.text(0)
            if other != name || !isListed { return other }
        }
        return nil
    }

    /// Replaces the list with this name, and marks the format of the file.
    static func enter(
        _ list: ListMetadata,
        source: Source,
        in connection: DatabaseConnection
    ) throws(SQLiteError) {
        try remove(list.name, in: connection)
        let entry = try connection.prepare(
            "INSERT INTO roster_lists VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
        )
        try entry.bind(1, list.name)
        try entry.bind(2, list.table)
        try entry.bind(3, list.idType.rawValue)
        try entry.bind(4, Int64(list.rowCount))
        try entry.bind(5, Int64(bitPattern: list.version.epoch))
        try entry.bind(6, Int64(bitPattern: list.version.counter))
        try entry.bind(7, source.path)
        try entry.bind(8, source.stamp.bytes)
        try entry.bind(9, source.stamp.modified)
        try entry.bind(10, importer)
        try entry.bind(11, TextRules.number)
        try entry.run()
        let columns = try connection.prepare(
            "INSERT INTO roster_columns (list, position, id, label, type, storage, file_name)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        for (position, column) in list.columns.enumerated() {
            try columns.bind(1, list.name)
            try columns.bind(2, Int64(position))
            try columns.bind(3, column.id)
            try columns.bind(4, column.label)
            try columns.bind(5, column.type.rawValue)
            let storage: ColumnStorage =
                column.isMixed ? .mixed : list.keyed.contains(position) ? .keyed : .typed
            try columns.bind(6, storage.rawValue)
            try columns.bind(7, column.fileName)
            try columns.run()
        }
        try DatabaseFormat.mark(connection)
    }

    private static func remove(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) {
        let removal = try connection.prepare("DELETE FROM roster_lists WHERE name = ?")
        try removal.bind(1, name)
        try removal.run()
    }
}
