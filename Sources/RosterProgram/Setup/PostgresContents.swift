import Database
import ListAPI
import Listings
import Locks
import Postgres

/// The lists of a PostgreSQL database: its tables and views.
struct PostgresContents {
    let database: PostgresDatabase
    /// The tables and views that are served as lists, by name.
    let lists: [ExternalList]
    /// The foreign keys between them.
    let relations: [ListRelation]
    /// The facts for writing, by the name of the list; read-only lists have none.
    let facts: [String: TableInfo]
    /// Whether the database stores the responses of requests with a key.
    let keepsAnswers: Bool
    /// The reasons why tables and views are not served, or cannot be written to.
    let notices: [String]
    let selected: SelectedTables
    /// The schema version before the database was inspected.
    let schema: UInt64
    /// The schema version of each list, by its name.
    let schemas: [String: UInt64]

    /// Inspects a database.
    ///
    /// - Parameters:
    ///   - source: The database.
    ///   - configuration: The configuration of the service.
    ///   - known: The database, if it was inspected before; it may then have no list.
    /// - Throws: ``Failure`` when it cannot be read, has no list, or has several for one given
    ///   name.
    init(
        _ source: SourceArgument,
        _ configuration: Configuration,
        known: PostgresDatabase? = nil
    ) throws(Failure) {
        let passwordFile = configuration.passwordFile
        guard let address = PostgresAddress(source.path, passwordFile: passwordFile) else {
            throw Failure(.unknownSource(source.shown))
        }
        var timeouts = PostgresDatabase.Timeouts()
        timeouts.lock = configuration.limits.writeWait
        database = known ?? PostgresDatabase(address, timeouts: timeouts)
        let catalog: PostgresCatalog
        var remedy: String?
        do {
            catalog = try PostgresCatalog(
                database,
                selection: configuration.tables.of(source)
            )
            if configuration.writing.isAllowed, !catalog.facts.isEmpty {
                remedy = try database.prepareAnswers()
            }
        } catch {
            throw Failure(.unavailable, "\(source.shown): \(error.reason)")
        }
        let tables = try ForeignTables(
            catalog.lists,
            catalog.refusals,
            catalog.selected,
            of: source,
            mayBeEmpty: known != nil
        )
        schema = catalog.schema
        schemas = catalog.schemas
        selected = catalog.selected
        lists = tables.lists
        relations = catalog.relations
        facts = configuration.writing.isAllowed ? catalog.facts : [:]
        keepsAnswers = remedy == nil
        var notices = tables.notices
        if let remedy {
            notices.append("\(source.shown): Idempotency-Key is refused: \(remedy)")
        }
        if configuration.writing.isAllowed {
            notices += lists.filter { $0.numbered == nil && catalog.facts[$0.name] == nil }
                .map { "\(source.shown): '\($0.name)' can only be read" }
        }
        if database.isPooled {
            notices.append(
                "\(source.shown): connected through a pooler; statements are planned each time, "
                    + "and changes are noticed only by reading the version"
            )
        }
        notices += lists.filter(\.table.isVolatile).map {
            "\(source.shown): '\($0.name)' is never cached: its rows can change without a trace, "
                + "by a foreign table or a function such as now()"
        }
        self.notices = notices
    }
}

/// The form of a PostgreSQL table: users, or records.
struct PostgresShape {
    private let list: ExternalList
    /// The columns of users, if the list has users.
    private let users: UserColumns?
    private let columns: [Column]
    private let wish: GroupingOption
    /// The description of the list in a file.
    private let described: DescribedList?

    /// Determines the form of a table.
    init(_ list: ExternalList, groupings: [GroupArgument], described: DescribedList?) {
        self.list = list
        self.described = described
        users = list.name == "users" ? UserColumns(list.columns) : nil
        columns = users.map { UserController(further: $0.further).columns } ?? list.columns.shown
        wish = GroupingOption(list: list.name, columns: columns, groupings)
    }

    /// The groupings of the command line that apply to the list.
    var usedGroupings: [GroupArgument] { wish.used }

    /// Returns the definition of the table as a list.
    ///
    /// - Throws: ``Failure`` when a column's name is reserved.
    func definition(
        in contents: PostgresContents,
        mark: SharedNumber
    ) throws(Failure) -> ListDefinition {
        do {
            return ListDefinition(list.name, source: try source(in: contents, mark))
                .described(by: described)
        } catch {
            throw Failure(.badData, "table '\(list.name)' cannot be shown: \(error)")
        }
    }

    private func source(
        in contents: PostgresContents,
        _ mark: SharedNumber
    ) throws -> TableSource {
        var schema = try schema
        var table = users.map { list.table.choosing($0.order) } ?? list.table
        let all = contents.facts[list.name]
        var facts = users.map { all?.choosing($0.order) } ?? all
        if let described {
            let order = described.order(of: schema.columns)
            table = table.choosing(order)
            facts = facts?.choosing(order)
            schema = described.applied(to: schema)
        }
        var registry = ControllerRegistry()
        let controller = RecordController(
            list: list.name,
            columns: schema.columns,
            areUsers: users != nil
        )
        return TableSource(
            database: contents.database,
            table: table,
            schema: schema,
            registration: try registry.register(controller),
            mark: mark,
            writing: writing(facts, schema, in: contents)
        )
    }

    /// The table with the columns of the list.
    private var table: TableDescription {
        users.map { list.table.choosing($0.order) } ?? list.table
    }

    private var schema: ListSchema {
        get throws(ListingError) {
            let idType = list.table.idType
            guard let users else {
                return try ListSchema(
                    columns: columns,
                    idType: idType,
                    defaultGrouping: wish.grouping
                )
            }
            let controller = UserController(further: users.further)
            return try UserList.schema(for: controller, idType: idType, grouping: wish.grouping)
        }
    }

    /// Returns the rules of writes; nil for a read-only list.
    private func writing(
        _ facts: TableInfo?,
        _ schema: ListSchema,
        in contents: PostgresContents
    ) -> PostgresWriting? {
        facts.map { facts in
            let required = (users == nil ? [] : UserList.requiredColumns)
                .filter { schema.index(of: $0) != nil }
            let filled = facts.required.map { schema.columns[$0].id }
            return PostgresWriting(
                RowRules(
                    schema,
                    required: required + filled,
                    keyColumns: table.keyColumns,
                    madeColumns: facts.made
                ),
                facts: facts,
                keepsAnswers: contents.keepsAnswers
            )
        }
    }
}
