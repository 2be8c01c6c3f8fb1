import Database
import Listings

/// A table or view of a foreign database during the search for lists.
package struct ExternalTable {
    typealias Reason = ForeignCatalog.Reason

    /// A table in SQLite's table list.
    struct Entry {
        let name: String
        let kind: Kind
        let hasRowID: Bool
        /// Whether columns contain only values of their declared types.
        let isStrict: Bool

        enum Kind: String {
            case table, view, virtual
        }
    }
    /// A column as SQLite describes it.
    struct DeclaredColumn {
        let name: String
        let type: String
        let isNullable: Bool
        /// The position in the primary key, from 1.
        ///
        /// 0 outside the key.
        let keyNumber: Int

        var isCalledID: Bool { name.lowercased().hasSuffix("id") }
    }

    let entry: Entry
    let connection: DatabaseConnection
    let quotedName: String
    let columns: [DeclaredColumn]

    /// The maximum number of SQLite instructions for reading rows.
    let steps: Int

    /// Enough instructions to group half a million rows by a column.
    package static let stepsOfLook = 10_000_000

    /// The foreign tables and views.
    static func entries(_ connection: DatabaseConnection) throws(SQLiteError) -> [Entry] {
        let own = try ownTables(connection)
        let statement = try connection.statement(
            """
            SELECT name, type, wr, strict FROM pragma_table_list
            WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY name
            """
        )
        var entries: [Entry] = []
        while try statement.step() {
            let name = statement.text(0)
            // Shadow tables store the data of virtual tables and have a different kind.
            guard let kind = Entry.Kind(rawValue: statement.text(1)) else { continue }
            guard own.map({ !$0.contains(name) && !isReserved(name) }) ?? true else { continue }
            entries.append(
                Entry(
                    name: name,
                    kind: kind,
                    hasRowID: statement.integer(2) == 0,
                    isStrict: statement.integer(3) != 0
                )
            )
        }
        return entries
    }

    private static func isReserved(_ name: String) -> Bool {
        name.lowercased().hasPrefix("roster_")
    }

    /// The tables of Roster's lists, or nil if the database has none.
    private static func ownTables(
        _ connection: DatabaseConnection
    ) throws(SQLiteError) -> Set<String>? {
        let isOwn = try connection.statement(
            """
            SELECT count(*) = 2 FROM pragma_table_info('roster_lists')
            WHERE name IN ('table_name', 'counter')
            """
        )
        defer { isOwn.reset() }
        guard try isOwn.step(), isOwn.integer(0) == 1 else { return nil }
        let names = try connection.statement("SELECT table_name FROM roster_lists")
        var tables: Set<String> = []
        while try names.step() { tables.insert(names.text(0)) }
        return tables
    }

    init(_ entry: Entry, _ connection: DatabaseConnection, steps: Int) throws(Reason) {
        guard let quotedName = SQLName.quoted(entry.name) else { throw .noKey }
        self.entry = entry
        self.connection = connection
        self.steps = steps
        self.quotedName = quotedName
        columns = try Self.columns(of: entry, connection)
    }

    private static func columns(
        of entry: Entry,
        _ connection: DatabaseConnection
    ) throws(Reason) -> [DeclaredColumn] {
        do {
            // Hidden columns of virtual tables are parameters.
            let statement = try connection.statement(
                "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1"
            )
            defer { statement.reset() }
            try statement.bind(1, entry.name)
            var columns: [DeclaredColumn] = []
            while try statement.step() {
                columns.append(
                    DeclaredColumn(
                        name: statement.text(0),
                        type: statement.text(1),
                        isNullable: entry.kind != .table || statement.integer(2) == 0,
                        keyNumber: Int(statement.integer(3))
                    )
                )
            }
            return columns
        } catch {
            throw Reason(error)
        }
    }

    /// The list of the table.
    func list() throws(Reason) -> ForeignCatalog.List {
        let facts = try sample()
        let key = try key(facts)
        let table = TableDescription(
            name: entry.name,
            key: key,
            columns: zip(columns, facts).map { column, facts in
                TableDescription.StoredColumn(
                    column.name,
                    isNullable: column.isNullable && !key.contains { $0.name == column.name },
                    engineType: entry.kind == .table ? column.type : nil,
                    timeForm: facts.commonTimeForm
                )
            },
            origin: entry.kind == .table ? .foreignTable : .foreignView
        )
        guard let table else { throw .noKey }
        let ids = PublicColumnName.ids(for: columns.map(\.name), key: table.idColumn)
        return ForeignCatalog.List(
            name: entry.name,
            table: table,
            columns: columns.indices.map { index in
                let column = columns[index]
                let isID = index == table.idColumn
                // An INTEGER PRIMARY KEY contains integers in every table.
                let isRowNumber =
                    column.keyNumber > 0 && column.type.uppercased() == "INTEGER" && entry.hasRowID
                    && !columns.contains { $0.keyNumber > 1 }
                let isMixed = facts[index].isMixed(
                    declared: column.type,
                    inStrictTable: entry.isStrict
                )
                return Column(
                    ids[index],
                    label: Column.label(from: column.name),
                    type: isID ? table.idType : facts[index].type(declared: column.type),
                    isMixed: !isID && !isRowNumber && isMixed
                )
            }
        )
    }
}

extension ForeignCatalog.Reason {
    init(_ error: SQLiteError) {
        if case .engine(_, let code, let message) = error {
            self = .unreadable(message: "\(message) (\(code))")
        } else {
            self = .unreadable(message: "\(error)")
        }
    }
}
