import Database
import Listings

/// How SQLite spells what lists are read by.
struct SQLiteDialect: Dialect {
    let nativeNulls = SortKey.Nulls.first

    func place(_ number: Int) -> String { "?\(number)" }

    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Comparand {
        let name = table.quotedColumns[column]
        guard table.isStored else { return Comparand(name + " COLLATE BINARY") }
        return Comparand(type.isText ? name + " COLLATE roster" : name)
    }

    func comparand(initialOf column: Int, of table: TableDescription) -> Comparand {
        Comparand(initial(of: column, of: table) + " COLLATE roster")
    }

    func initial(of column: Int, of table: TableDescription) -> String {
        "roster_initial(\(table.quotedColumns[column]))"
    }

    func comparand(keyPart: Int, of table: TableDescription) -> Comparand {
        Comparand(table.quotedKey[keyPart] + (table.isStored ? "" : " COLLATE BINARY"))
    }

    /// A foreign key may be unique in an order of its own, in which a larger or smaller letter is
    /// the same: the index finds the row, the bytes decide.
    func identity(keyPart: Int, of table: TableDescription, place: Int) -> String {
        let name = table.quotedKey[keyPart]
        let plain = "\(name) = ?\(place)"
        return table.isStored ? plain : plain + " AND \(name) COLLATE BINARY = ?\(place)"
    }

    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool { true }

    /// The engine looks at the clock only while it runs its program, which counting a table without
    /// a limit is not.
    func count(of table: TableDescription) -> String {
        "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedName) LIMIT -1)"
    }
}
