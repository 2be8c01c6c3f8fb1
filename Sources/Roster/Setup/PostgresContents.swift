import Database
import Listings
import Postgres
import Users

/// The lists of a PostgreSQL database: tables and views of somebody else, which are only read.
struct PostgresContents {
    /// The database.
    let database: PostgresDatabase
    /// The tables and views that make lists, by name.
    let lists: [ForeignList]
    /// The tables and views that make none, and why.
    let notices: [String]

    /// Looks through a database.
    ///
    /// - Throws: ``Failure`` when it cannot be read, holds no list, or is given one name and holds
    ///   several.
    init(_ source: SourceArgument, passwordFile: String?) throws(Failure) {
        guard let address = PostgresAddress(source.path, passwordFile: passwordFile) else {
            throw Failure(.unknownSource(source.path))
        }
        database = PostgresDatabase(address)
        let catalog: PostgresCatalog
        do {
            catalog = try PostgresCatalog(database)
        } catch {
            throw Failure(.unavailable, "\(source.shown): \(error.reason)")
        }
        let tables = try ForeignTables(catalog.lists, catalog.refusals, of: source)
        lists = tables.lists
        notices = tables.notices
    }
}

/// How a table of PostgreSQL is shown: as users, or as records.
struct PostgresShape {
    private let list: ForeignList
    /// The columns of users, where the list is one of users.
    private let users: UserColumns?
    private let columns: [Column]
    private let wish: GroupingWish

    /// Decides how a table is shown.
    init(_ list: ForeignList, groupings: [GroupArgument]) {
        self.list = list
        users = list.name == "users" ? UserColumns(list.columns) : nil
        columns = users.map { UserController(further: $0.further).columns } ?? list.columns.shown
        wish = GroupingWish(list: list.name, columns: columns, groupings)
    }

    /// The groupings of the command line that the list took.
    var usedGroupings: [GroupArgument] { wish.used }

    /// The table as a list.
    ///
    /// - Throws: ``Failure`` when a column's name is reserved.
    func definition(in database: PostgresDatabase) throws(Failure) -> ListDefinition {
        do {
            let source: any ListSource =
                if let users { try self.users(users, in: database) } else {
                    try records(in: database)
                }
            return ListDefinition(list.name, source: source)
        } catch {
            throw Failure(.badData, "table '\(list.name)' cannot be shown: \(error)")
        }
    }

    private func records(in database: PostgresDatabase) throws -> TableSource<Record> {
        var registry = ControllerRegistry()
        let schema = try ListSchema(
            columns: columns,
            idType: list.table.idType,
            defaultGrouping: wish.grouping
        )
        let controller = RecordController(list: list.name, columns: columns)
        return TableSource(
            list: list.name,
            database: database,
            table: list.table,
            schema: schema,
            registration: try registry.register(controller),
            decode: { $0 }
        )
    }

    private func users(
        _ users: UserColumns,
        in database: PostgresDatabase
    ) throws -> TableSource<User> {
        var registry = ControllerRegistry()
        let controller = UserController(further: users.further)
        let table = list.table
        let ordered = TableDescription(
            name: table.name,
            key: table.key,
            columns: users.order.map { table.columns[$0] },
            origin: table.origin
        )
        return TableSource(
            list: list.name,
            database: database,
            table: ordered ?? table,
            schema: try UserList.schema(
                for: controller,
                idType: table.idType,
                grouping: wish.grouping
            ),
            registration: try registry.register(controller),
            decode: { User($0, furtherCount: users.further.count) }
        )
    }
}
