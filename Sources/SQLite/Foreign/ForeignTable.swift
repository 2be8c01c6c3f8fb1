import Database
import Listings

/// One table or view of somebody else's database while it is looked at.
struct ForeignTable {
    typealias Reason = ForeignCatalog.Reason

    /// A table as the engine lists it.
    struct Entry {
        let name: String
        let kind: Kind
        let hasRowID: Bool

        enum Kind: String {
            case table, view, virtual
        }
    }
    /// A column as the engine describes it.
    struct DeclaredColumn {
        let name: String
        let type: String
        let isNullable: Bool
        /// Its number in the primary key, from 1; 0 outside of it.
        let keyNumber: Int
    }

    let entry: Entry
    let connection: DatabaseConnection
    let quotedName: String
    let columns: [DeclaredColumn]

    /// The longest a single look at the rows may take.
    static let lookBudget = Duration.milliseconds(250)

    /// The tables and views that are somebody else's.
    static func entries(_ connection: DatabaseConnection) throws(SQLiteError) -> [Entry] {
        let own = try ownTables(connection)
        let statement = try connection.statement(
            """
            SELECT name, type, wr FROM pragma_table_list
            WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY name
            """
        )
        var entries: [Entry] = []
        while try statement.step() {
            let name = statement.text(0)
            // Shadow tables hold what virtual ones show, and are none of these kinds.
            guard let kind = Entry.Kind(rawValue: statement.text(1)) else { continue }
            guard own.map({ !$0.contains(name) && !isReserved(name) }) ?? true else { continue }
            entries.append(Entry(name: name, kind: kind, hasRowID: statement.integer(2) == 0))
        }
        return entries
    }

    private static func isReserved(_ name: String) -> Bool {
        name.lowercased().hasPrefix("roster_")
    }

    /// The tables of Roster's own lists; nil in a database that has none.
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

    init(_ entry: Entry, _ connection: DatabaseConnection) throws(Reason) {
        guard let quotedName = SQLName.quoted(entry.name) else { throw .noKey }
        self.entry = entry
        self.connection = connection
        self.quotedName = quotedName
        columns = try Self.columns(of: entry, connection)
    }

    private static func columns(
        of entry: Entry,
        _ connection: DatabaseConnection
    ) throws(Reason) -> [DeclaredColumn] {
        do {
            // Hidden columns of virtual tables are their parameters.
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

    /// The list that the table makes.
    func list() throws(Reason) -> ForeignCatalog.List {
        let facts = try sample()
        let key = try key(facts)
        let table = TableDescription(
            name: entry.name,
            key: key,
            columns: columns.map { column in
                TableDescription.StoredColumn(
                    column.name,
                    isNullable: column.isNullable && !key.contains { $0.name == column.name },
                    engineType: entry.kind == .table ? column.type : nil
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
                Column(
                    ids[index],
                    label: Column.label(from: columns[index].name),
                    type: index == table.idColumn
                        ? table.idType : facts[index].type(declared: columns[index].type)
                )
            }
        )
    }

    /// Looks at the first rows.
    private func sample() throws(Reason) -> [ValueFacts] {
        var facts = columns.map { _ in ValueFacts() }
        let names = columns.compactMap { SQLName.quoted($0.name) }
        guard !names.isEmpty, names.count == columns.count else { throw .noKey }
        do {
            let statement = try connection.prepare(
                "SELECT \(names.joined(separator: ", ")) FROM \(quotedName)"
                    + " LIMIT \(ForeignCatalog.sampleSize)"
            )
            try connection.within(Self.lookBudget) { () throws(SQLiteError) in
                while try statement.step() {
                    for index in facts.indices { facts[index].add(statement, index) }
                }
            }
        } catch .outOfTime {
            // A slow view: what was seen until now has to do.
        } catch {
            throw Reason(error)
        }
        return facts
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
