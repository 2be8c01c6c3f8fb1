package import Database
import Listings

/// The imported lists of a database: the tables `roster_lists` and `roster_columns`.
package enum ListCatalog {
    struct Source: Hashable {
        /// With the options of the import, because other options require another import.
        let path: String
        let stamp: SourceFile.Stamp
    }

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
        let list = try connection.prepare(
            "SELECT table_name, id_type, row_count, epoch, counter, format, missing_indexes"
                + " FROM roster_lists WHERE name = ?"
        )
        try list.bind(1, name)
        guard try list.step() else { return nil }
        let format = list.integer(5)
        guard format == DatabaseFormat.current else { throw .unknownFormat(format) }
        let found = try columns(of: name, in: connection)
        return ListMetadata(
            name: name,
            table: list.text(0),
            idType: ColumnType(rawValue: list.text(1)) ?? .text,
            columns: found.columns,
            keyed: found.keyed,
            version: version(list, 3),
            rowCount: Int(list.integer(2)),
            missingIndexes: Int(list.integer(6)),
            wordIndex: try present(WordIndex.name(of: list.text(0)), in: connection),
            trigramIndex: try present(TrigramIndex.name(of: list.text(0)), in: connection)
        )
    }

    private static func present(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> String? {
        try connection.hasTexts(named: name) ? name : nil
    }

    private static func columns(
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> (columns: [Column], keyed: Set<Int>) {
        let found = try connection.prepare(
            "SELECT id, label, type, storage, file_name"
                + " FROM roster_columns WHERE list = ? ORDER BY position"
        )
        try found.bind(1, name)
        var columns: [Column] = []
        var keyed: Set<Int> = []
        while try found.step() {
            let storage = ColumnStorage(rawValue: found.text(3)) ?? .typed
            if storage != .typed { keyed.insert(columns.count) }
            let form = ColumnForm(found.text(2))
            columns.append(
                Column(
                    found.text(0),
                    label: found.text(1),
                    type: form.type,
                    isMixed: storage == .mixed
                )
                .named(inFiles: found.text(4)).formatted(as: form.format)
                .spelled(as: form.spelling)
            )
        }
        return (columns, keyed)
    }

    enum ColumnStorage: String {
        case typed
        /// The values are stored in their own spelling (``KeyedValue``), and all have the column's
        /// type.
        case keyed
        case mixed
    }

    /// Throws ``SQLiteError/unknownFormat(_:)`` for the catalog of another version.
    static func exists(in connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        // Another program's table can have this name, too.
        let found = try connection.statement(
            """
            SELECT count(*) FILTER (WHERE name IN ('table_name', 'counter')),
                count(*) FILTER (WHERE name = 'format')
            FROM pragma_table_info('roster_lists')
            """
        )
        defer { found.reset() }
        guard try found.step(), found.integer(0) == 2 else { return false }
        guard found.integer(1) == 1 else { throw .unknownFormat(0) }
        return true
    }

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
              source TEXT NOT NULL,
              source_bytes INTEGER NOT NULL,
              source_modified INTEGER NOT NULL,
              format INTEGER NOT NULL,
              is_written INTEGER NOT NULL DEFAULT 0,
              missing_indexes INTEGER NOT NULL DEFAULT 0
            );
            CREATE TABLE IF NOT EXISTS roster_columns (
              list TEXT NOT NULL REFERENCES roster_lists(name) ON DELETE CASCADE,
              position INTEGER NOT NULL,
              id TEXT NOT NULL,
              label TEXT NOT NULL,
              type TEXT NOT NULL,
              storage TEXT NOT NULL,
              file_name TEXT NOT NULL,
              PRIMARY KEY (list, position)
            ) WITHOUT ROWID;
            """
        )
    }
}

extension ListCatalog {
    static func isCurrent(
        _ name: String,
        source: Source,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        guard try exists(in: connection) else { return false }
        let found = try connection.prepare(
            """
            SELECT 1 FROM roster_lists WHERE name = ? AND source = ? AND source_bytes = ?
              AND source_modified = ? AND NOT is_written
            """
        )
        try found.bind(1, name)
        try found.bind(2, source.path)
        try found.bind(3, source.stamp.bytes)
        try found.bind(4, source.stamp.modified)
        return try found.step()
    }

    package static func isWritten(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        guard try exists(in: connection) else { return false }
        let found = try connection.prepare(
            "SELECT 1 FROM roster_lists WHERE name = ? AND is_written"
        )
        try found.bind(1, name)
        return try found.step()
    }

    /// Called in the transaction of the change; nil if the list no longer exists.
    static func advance(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> ListVersion? {
        let change = try connection.statement(
            "UPDATE roster_lists SET counter = counter + 1, is_written = 1 WHERE name = ?1"
        )
        try change.bind(1, name)
        try change.run()
        return try version(of: name, in: connection)
    }

    /// The rows are those of the file in this state.
    static func setSource(
        _ stamp: SourceFile.Stamp,
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) {
        let change = try connection.statement(
            "UPDATE roster_lists SET source_bytes = ?2, source_modified = ?3, is_written = 0"
                + " WHERE name = ?1"
        )
        try change.bind(1, name)
        try change.bind(2, stamp.bytes)
        try change.bind(3, stamp.modified)
        try change.run()
    }

    static func hasSource(
        _ stamp: SourceFile.Stamp,
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        let found = try connection.statement(
            "SELECT 1 FROM roster_lists WHERE name = ?1 AND source_bytes = ?2"
                + " AND source_modified = ?3"
        )
        defer { found.reset() }
        try found.bind(1, name)
        try found.bind(2, stamp.bytes)
        try found.bind(3, stamp.modified)
        return try found.step()
    }

    /// Whether the list had few rows and therefore has no indexes.
    static func isSmall(
        _ name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        let list = try connection.statement(
            "SELECT 1 FROM roster_lists WHERE name = ?1 AND missing_indexes > 0 AND row_count < ?2"
        )
        defer { list.reset() }
        try list.bind(1, name)
        try list.bind(2, Int64(TableIndexes.minimumRows))
        return try list.step()
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

    static func version(
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> ListVersion? {
        let statement = try connection.statement(
            "SELECT epoch, counter FROM roster_lists WHERE name = ?1"
        )
        defer { statement.reset() }
        try statement.bind(1, name)
        return try statement.step() ? version(statement, 0) : nil
    }

    private static func version(_ record: Statement, _ column: Int) -> ListVersion {
        ListVersion(
            epoch: UInt64(bitPattern: record.integer(column)),
            counter: UInt64(bitPattern: record.integer(column + 1))
        )
    }

    static func types(
        of name: String,
        in connection: DatabaseConnection
    ) throws(SQLiteError) -> [String: ColumnType] {
        let found = try connection.statement("SELECT id, type FROM roster_columns WHERE list = ?1")
        defer { found.reset() }
        try found.bind(1, name)
        var types: [String: ColumnType] = [:]
        while try found.step() {
            types[found.text(0)] = ColumnForm(found.text(1)).type
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
        while try found.step() {
            let other = found.text(0)
            if other != name || !isListed { return other }
        }
        return nil
    }

    static func enter(
        _ list: ListMetadata,
        source: Source,
        in connection: DatabaseConnection
    ) throws(SQLiteError) {
        let removal = try connection.prepare("DELETE FROM roster_lists WHERE name = ?")
        try removal.bind(1, list.name)
        try removal.run()
        let entry = try connection.prepare(
            """
            INSERT INTO roster_lists (name, table_name, id_type, row_count, epoch, counter, source,
              source_bytes, source_modified, format) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
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
        try entry.bind(10, DatabaseFormat.current)
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
            try columns.bind(5, ColumnForm(of: column).text)
            let storage: ColumnStorage =
                column.isMixed ? .mixed : list.keyed.contains(position) ? .keyed : .typed
            try columns.bind(6, storage.rawValue)
            try columns.bind(7, column.fileName)
            try columns.run()
        }
        try DatabaseFormat.mark(connection)
    }
}
