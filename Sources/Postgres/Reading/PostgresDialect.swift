import Database
import Listings

/// How PostgreSQL spells what lists are read by.
struct PostgresDialect: Dialect {
    let nativeNulls = SortKey.Nulls.last

    func place(_ number: Int) -> String { "$\(number)" }

    func selection(column: Int, of table: TableDescription) -> String {
        type(column, table).selection(table.quotedColumns[column])
    }

    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Comparand {
        self.type(column, table).comparand(table.quotedColumns[column])
    }

    func comparand(initialOf column: Int, of table: TableDescription) -> Comparand {
        Comparand(initial(of: column, of: table) + " COLLATE \"C\"", cast: "::text")
    }

    func initial(of column: Int, of table: TableDescription) -> String {
        InitialSQL.expression(type(column, table).selection(table.quotedColumns[column]))
    }

    func comparand(keyPart: Int, of table: TableDescription) -> Comparand {
        EngineType(table.key[keyPart].engineType).comparand(table.quotedKey[keyPart])
    }

    func identity(keyPart: Int, of table: TableDescription, place: Int) -> String {
        // Equality is the same in every deterministic collation; without a word the key's own index
        // is used.
        let key = comparand(keyPart: keyPart, of: table)
        return "\(table.quotedKey[keyPart]) = \(key.parameter(self.place(place)))"
    }

    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool {
        EngineType(table.key[keyPart].engineType) != .uuid
    }

    func count(of table: TableDescription) -> String {
        "SELECT count(*) FROM \(table.quotedName)"
    }

    var knowsSelectivity: Bool { true }

    func shielded(_ expression: String) -> String { expression }

    func folded(column: Int, of table: TableDescription) -> String { refusal() }

    func words(column: Int, of table: TableDescription) -> String { refusal() }

    func letters(_ text: String, _ operation: Filter.Operator, _ place: String) -> String {
        refusal()
    }

    /// The schema of a table has no column that conditions may name.
    private func refusal() -> Never { preconditionFailure("a condition on a table of PostgreSQL") }

    private func type(_ column: Int, _ table: TableDescription) -> EngineType {
        EngineType(table.columns[column].engineType)
    }
}
