import Database
import ListAPI
import Listings
import Locks
import Postgres

struct PostgresContents {
    let database: PostgresDatabase
    let lists: [ExternalList]
    let relations: [ListRelation]
    /// The facts for writing, by the name of the list; read-only lists have none.
    let facts: [String: TableInfo]
    private let unwritable: [String: UnwritableReason]
    let keepsAnswers: Bool
    let notices: [String]
    let selected: SelectedTables
    let schema: UInt64
    let schemas: [String: UInt64]

    init(
        _ source: SourceArgument,
        _ configuration: Configuration,
        known: PostgresDatabase? = nil
    ) throws(Failure) {
        let passwordFile = configuration.passwordFile
        guard let address = PostgresAddress(source.path, passwordFile: passwordFile) else {
            throw .unknownSource(source.shown)
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
        unwritable = catalog.unwritable
        keepsAnswers = remedy == nil
        var notices = tables.notices
        if let remedy {
            notices.append("\(source.shown): Idempotency-Key is refused: \(remedy)")
        }
        if configuration.writing.isAllowed {
            notices += tables.notices(of: catalog.unwritable, in: source)
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

extension PostgresContents {
    func definition(
        of list: ExternalList,
        _ form: ListForm,
        mark: SharedNumber,
        described: DescribedList?
    ) throws(Failure) -> ListDefinition {
        do throws(ListingError) {
            let source = try source(of: list, form, mark, described)
            var definition = ListDefinition(list.name, source: source).described(by: described)
            definition.about.readOnlyReason = unwritable[list.name]?.reason
            return definition
        } catch {
            throw Failure(.badData, "table '\(list.name)' cannot be shown: \(error)")
        }
    }

    private func source(
        of list: ExternalList,
        _ form: ListForm,
        _ mark: SharedNumber,
        _ described: DescribedList?
    ) throws(ListingError) -> TableSource {
        var schema = try form.schema()
        var (table, facts) = (list.table, facts[list.name])
        if let order = form.users?.order {
            (table, facts) = (table.choosing(order), facts?.choosing(order))
        }
        if let described {
            let order = described.order(of: schema.columns)
            (table, facts) = (table.choosing(order), facts?.choosing(order))
            schema = described.applied(to: schema)
        }
        schema.keyColumns = table.keyColumns
        return TableSource(
            database: database,
            table: table,
            schema: schema,
            registration: try form.registration(schema.columns),
            mark: mark,
            writing: facts.map { facts in
                PostgresWriting(
                    facts.rules(
                        schema,
                        requiring: form.requiredColumns(in: schema),
                        keyColumns: table.keyColumns
                    ),
                    facts: facts,
                    keepsAnswers: keepsAnswers
                )
            }
        )
    }
}
