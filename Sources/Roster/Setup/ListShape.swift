import Database
import Listings
import SQLite
import Users

/// How an imported list is shown: as users, or as records.
struct ListShape {
    private let list: StoredList
    /// The columns of users, where the list is one of users.
    private let users: UserColumns?
    /// What the operator should know.
    let notice: String?
    /// The table in the order of the schema; nil when its name cannot be used in SQL.
    let table: TableDescription?
    /// What the list has; nil when a column's name is reserved.
    let schema: ListSchema?
    /// The groupings of the command line that this list took.
    private(set) var usedGroupings: [GroupArgument] = []

    /// Decides how a list is shown.
    ///
    /// - Parameters:
    ///   - list: The list as it stands in the database.
    ///   - groupings: What the command line says of sections.
    init(_ list: StoredList, groupings: [GroupArgument]) {
        self.list = list
        let users = list.name == "users" ? UserColumns(list.columns) : nil
        self.users = users
        notice =
            list.name == "users" && users == nil
            ? "users: no text columns \(UserList.requiredColumns.joined(separator: ", ")); "
                + "shown as plain records" : nil
        let columns = users.map { $0.order.map { list.columns[$0] } } ?? list.columns
        table = TableDescription(
            list: list.name,
            table: list.table,
            idType: list.idType,
            columns: columns,
            keyed: Set(
                columns.indices.filter { position in
                    list.columns.firstIndex { $0.id == columns[position].id }
                        .map(list.keyed.contains) ?? false
                }
            ),
            wordIndex: list.wordIndex
        )
        let shown = users.map { UserController(further: $0.further).columns } ?? columns.shown
        let wish = GroupingWish(list: list.name, columns: shown, groupings)
        usedGroupings = wish.used
        schema = Self.schema(list, users, shown, wish.grouping)
    }

    private static func schema(
        _ list: StoredList,
        _ users: UserColumns?,
        _ columns: [Column],
        _ grouping: Grouping?
    ) -> ListSchema? {
        // Names were made usable when the list was imported; nil is for a database that somebody
        // else has written to.
        guard let users else {
            return try? ListSchema(
                columns: columns,
                idType: list.idType,
                defaultGrouping: grouping
            )
        }
        return try? UserList.schema(
            for: UserController(further: users.further),
            idType: list.idType,
            grouping: grouping
        )
    }

    /// The list as it is served.
    ///
    /// - Parameters:
    ///   - location: Where the database is.
    ///   - keeper: Keeps a database in memory alive.
    ///   - gate: Where writers of the database queue; nil for one that is only read.
    /// - Returns: The list.
    /// - Throws: ``Failure`` when a name of the database is unusable.
    func definition(
        at location: DatabaseLocation,
        keeper: MemoryDatabase?,
        gate: WriteGate?
    ) throws(Failure) -> ListDefinition {
        guard let table, let schema else {
            throw Failure(.badData, "the list '\(list.name)' in the database has unusable names")
        }
        var registry = ControllerRegistry()
        let rules = RowRules(schema, required: users == nil ? [] : UserList.requiredColumns)
        let writing = gate.map { TableWriting(rules, through: $0) }
        do {
            let controller = RecordController(
                list: list.name,
                columns: schema.columns,
                areUsers: users != nil
            )
            let source = TableSource(
                location: location,
                table: table,
                schema: schema,
                registration: try registry.register(controller),
                keeper: keeper,
                writing: writing
            )
            return ListDefinition(list.name, source: source)
        } catch {
            throw Failure(.software, "the list '\(list.name)' cannot be shown: \(error)")
        }
    }
}

extension RecordController {
    /// Shows the records of a list; those of users as rows of the kind that users have.
    init(list: String, columns: [Column], areUsers: Bool) {
        if areUsers {
            self.init(kind: UserController().kind, columns: columns)
        } else {
            self.init(list: list, columns: columns)
        }
    }
}

extension [Column] {
    /// The columns as lists of records show them: the first one always, the next ones where there
    /// is room, and sections made of everything that repeats.
    var shown: [Column] {
        enumerated().map { position, column in
            column.shown(priority: position == 0 ? 1 : position < 4 ? 2 : 3)
        }
    }
}

extension Column {
    /// The column with a priority; it makes sections unless its values hardly repeat.
    func shown(priority: Int) -> Column {
        let repeats =
            switch type {
            case .text, .integer, .boolean, .date, .json: true
            case .email, .link, .real, .timestamp, .bytes: false
            }
        return Column(
            id,
            label: label,
            type: type,
            priority: priority,
            isSortable: isSortable,
            isGroupable: repeats && isSortable,
            isFilterable: isFilterable,
            isMixed: isMixed
        )
    }
}
