import Database
import ListAPI
import Listings

/// The form in which the rows of a source are shown: users, or records.
struct ListForm {
    private let name: String
    private let idType: ColumnType
    let users: UserColumns?
    let columns: [Column]
    private var grouping: Grouping?
    /// The groupings of the command line that apply; those that name the list win.
    private(set) var usedGroupings: [GroupArgument] = []

    init(
        _ name: String,
        _ columns: [Column],
        idType: ColumnType,
        users: UserColumns?,
        groupings: [GroupArgument]
    ) {
        (self.name, self.idType, self.users) = (name, idType, users)
        let shown = users.map { UserController(further: $0.further).columns } ?? columns.shown
        self.columns = shown
        let own = groupings.filter { $0.list == name }
        for argument in own + groupings.filter({ $0.list == nil }) {
            guard let column = shown.firstIndex(where: { $0.id == argument.column }),
                shown[column].isGroupable, !argument.isInitial || shown[column].type.isText
            else { continue }
            usedGroupings.append(argument)
            let part: Grouping.Part = argument.isInitial ? .initial : .value
            if grouping == nil { grouping = Grouping(column: column, part: part) }
        }
    }

    /// Creates the form of a list whose name decides whether it has users.
    init(
        _ name: String,
        _ columns: [Column],
        idType: ColumnType,
        groupings: [GroupArgument]
    ) {
        let users = name == "users" ? UserColumns(columns) : nil
        self.init(name, columns, idType: idType, users: users, groupings: groupings)
    }

    func schema() throws(ListingError) -> ListSchema {
        guard let users else {
            return try ListSchema(columns: columns, idType: idType, defaultGrouping: grouping)
        }
        return try UserList.schema(
            for: UserController(further: users.further),
            idType: idType,
            grouping: grouping
        )
    }

    func requiredColumns(in schema: ListSchema) -> [String] {
        users == nil ? [] : UserList.requiredColumns.filter { schema.index(of: $0) != nil }
    }

    func registration(_ columns: [Column]) throws(ListingError) -> Registration<Record> {
        var registry = ControllerRegistry()
        let controller =
            users == nil
            ? RecordController(list: name, columns: columns)
            : RecordController(kind: UserController().kind, columns: columns)
        return try registry.register(controller)
    }
}

extension [Column] {
    /// The columns of a list of records.
    ///
    /// The first column always has room, and the next ones have lower priorities. Columns whose
    /// values repeat are groupable.
    fileprivate var shown: [Column] {
        enumerated().map { position, column in
            column.shown(priority: position == 0 ? 1 : position < 4 ? 2 : 3)
        }
    }
}

extension Column {
    /// Returns the column with a priority; it is groupable unless its values rarely repeat.
    func shown(priority: Int) -> Column {
        let repeats =
            switch type.form {
            case .text, .integer, .boolean, .date, .json: !type.isAddress
            case .real, .timestamp, .bytes: false
            }
        return prioritized(priority, isGroupable: repeats && isSortable)
    }
}
