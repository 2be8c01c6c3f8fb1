import Database
import ListAPI
import Listings
import Locks
import SQLite

/// The form of an imported list: users, or records.
struct ListPresentation {
    private let list: ListMetadata
    private let users: UserColumns?
    /// The notice for the operator.
    let notice: String?
    /// The table in the order of the schema; nil when its name cannot be used in SQL.
    let table: TableDescription?
    /// The schema of the list; nil when a column's name is reserved.
    let schema: ListSchema?
    /// The groupings of the command line that apply to this list.
    private(set) var usedGroupings: [GroupArgument] = []

    /// Determines the form of a list.
    ///
    /// - Parameters:
    ///   - list: The list in the database.
    ///   - groupings: The groupings of the command line.
    ///   - hasOrderColumns: Whether the table has sort keys; nil for the state of the database.
    init(
        _ list: ListMetadata,
        groupings: [GroupArgument],
        hasOrderColumns: Bool? = nil
    ) {
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
            hasOrderColumns: hasOrderColumns ?? list.hasOrderColumns,
            wordIndex: list.wordIndex,
            trigramIndex: list.trigramIndex
        )
        let shown = users.map { UserController(further: $0.further).columns } ?? columns.shown
        let wish = GroupingOption(list: list.name, columns: shown, groupings)
        usedGroupings = wish.used
        schema = Self.schema(list, users, shown, wish.grouping)
    }

    private static func schema(
        _ list: ListMetadata,
        _ users: UserColumns?,
        _ columns: [Column],
        _ grouping: Grouping?
    ) -> ListSchema? {
        // The import made all names usable; nil stands for a database that another program changed.
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

    /// Returns the definition of the list.
    ///
    /// - Throws: ``Failure`` when a name of the database is unusable.
    func definition(
        at location: DatabaseLocation,
        keeper: MemoryDatabase?,
        gate: WriterQueue?,
        staleness: SharedNumber? = nil,
        secondsToIndexes: SharedNumber? = nil,
        described: DescribedList? = nil
    ) throws(Failure) -> ListDefinition {
        guard var table, var schema else {
            throw Failure(.badData, "the list '\(list.name)' in the database has unusable names")
        }
        if let described {
            table = table.choosing(described.order(of: schema.columns))
            schema = described.applied(to: schema)
        }
        var registry = ControllerRegistry()
        let required = users == nil ? [] : UserList.requiredColumns
        let rules = RowRules(schema, required: required.filter { schema.index(of: $0) != nil })
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
                writing: writing,
                staleness: staleness,
                secondsToIndexes: secondsToIndexes
            )
            var definition = ListDefinition(list.name, source: source).described(by: described)
            definition.about.isInMemory = keeper != nil
            return definition
        } catch {
            throw Failure(.software, "the list '\(list.name)' cannot be shown: \(error)")
        }
    }
}

extension RecordController {
    /// Creates the controller of a list's records; users get the kind of their own controller.
    init(list: String, columns: [Column], areUsers: Bool) {
        if areUsers {
            self.init(kind: UserController().kind, columns: columns)
        } else {
            self.init(list: list, columns: columns)
        }
    }
}

extension [Column] {
    /// The columns of a list of records.
    ///
    /// The first column always has room, and the next ones have lower priorities. Columns whose
    /// values repeat are groupable.
    var shown: [Column] {
        enumerated().map { position, column in
            column.shown(priority: position == 0 ? 1 : position < 4 ? 2 : 3)
        }
    }
}

extension Column {
    /// Returns the column with a priority; it is groupable unless its values rarely repeat.
    func shown(priority: Int) -> Column {
        let repeats =
            switch type {
            case .text, .integer, .boolean, .date, .json: true
            case .email, .link, .real, .timestamp, .bytes: false
            }
        return prioritized(priority, isGroupable: repeats && isSortable)
    }
}

/// The groupings of the command line for one list.
struct GroupingOption {
    /// The grouping; nil when the command line has none for this list.
    private(set) var grouping: Grouping?
    /// The arguments that apply to the list.
    private(set) var used: [GroupArgument] = []

    /// Finds the arguments for a list; those that name the list win over general ones.
    init(list: String, columns: [Column], _ arguments: [GroupArgument]) {
        let own = arguments.filter { $0.list == list }
        for argument in own + arguments.filter({ $0.list == nil }) {
            guard let column = columns.firstIndex(where: { $0.id == argument.column }),
                columns[column].isGroupable, !argument.isInitial || columns[column].type.isText
            else { continue }
            used.append(argument)
            let part: Grouping.Part = argument.isInitial ? .initial : .value
            if grouping == nil { grouping = Grouping(column: column, part: part) }
        }
    }
}
