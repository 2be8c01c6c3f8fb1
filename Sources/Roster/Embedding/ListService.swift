import HTTP
import ListAPI
public import Listings
import Locks
import MemoryLists
import RosterProgram

/// A service for your own lists, as JSON and HTML pages.
///
/// ```swift
/// import Roster
///
/// var service = ListService(title: "Library")
/// try service.list("books", models: books, using: controller, group: "genre", sort: "title")
/// try service.serve()
/// ```
public struct ListService: Sendable {
    /// The title of the start page, which links to all lists.
    public let title: String
    /// The row controllers of the lists, one for each model type.
    ///
    /// ``list(_:title:models:using:group:sort:on:sections:)`` registers here. Register the
    /// controllers of lists for ``add(_:)`` here, too, so that their templates are known.
    public var controllers = ControllerRegistry()
    /// The lists, in the order they were added.
    public private(set) var lists: [ListDefinition] = []

    /// Creates a service without lists.
    ///
    /// - Parameter title: The title of the start page, which links to all lists.
    public init(title: String = "Lists") {
        self.title = title
    }

    /// Adds a list.
    ///
    /// - Throws: ``ListServiceError/invalidListName(_:)`` or ``ListServiceError/repeatedList(_:)``.
    public mutating func add(_ list: ListDefinition) throws(ListServiceError) {
        guard ListName.isAllowed(list.name) else { throw .invalidListName(list.name) }
        guard !lists.contains(where: { $0.name == list.name }) else {
            throw .repeatedList(list.name)
        }
        lists.append(list)
    }

    /// Serves the lists until the process is stopped by SIGTERM or SIGINT, then finishes open
    /// requests.
    ///
    /// Addresses and messages for operators are written to standard error.
    ///
    /// - Parameters:
    ///   - host: The address to listen on; nil uses `ROSTER_HOST`, else 127.0.0.1.
    ///   - port: The port to listen on, 0 for any free one; nil uses `ROSTER_PORT`, else 8080.
    /// - Throws: ``ListServiceError`` when there is no list or the address is unavailable. Also for
    ///   a variable that begins with `ROSTER_` and is invalid or unsupported here.
    public func serve(host: String? = nil, port: UInt16? = nil) throws(ListServiceError) {
        guard !lists.isEmpty else { throw .noLists }
        for list in lists { try check(list) }
        do {
            try EmbeddedProgram.serve(
                lists,
                controllers: controllers.summaries,
                title: title,
                host: host,
                port: port
            )
        } catch {
            throw .cannotServe(error.text)
        }
    }

    /// Compares the columns of each segment of a list with its controllers, and reads the first
    /// page, to find errors before the first request.
    ///
    /// Pages that cannot be read are ignored, because requests report their errors.
    func check(_ list: ListDefinition) throws(ListServiceError) {
        let sources = list.segments?.all.map(\.source) ?? [list.source]
        for source in sources {
            try checkColumns(of: list.name, source)
            let faults = Locked<[ListingError]>([])
            var page = Page(list: list.name, schema: source.schema)
            page.onFailure = { failure in
                guard let error = failure.error as? ListingError else { return }
                faults.withLock { $0.append(error) }
            }
            let query = ListQuery(shape: .flow(limit: source.schema.defaultLimit))
            // The reader reports the page's own errors later.
            try? source.makeReader().read(query, into: &page)
            for case .reservedAction(let name) in faults.withLock({ $0 }) {
                throw .reservedAction(name, list: list.name)
            }
        }
    }
}

/// An error in the setup or start of a service.
public enum ListServiceError: Error, Hashable, Sendable {
    /// The service has no list.
    case noLists
    /// Two lists have the same name.
    case repeatedList(String)
    /// The name of a list is invalid: empty, `-`, `.`, `..`, reserved, or with `/` or control
    /// characters.
    case invalidListName(String)
    /// The `group` or `sort` of a list is invalid.
    case invalidOrder(list: String, parameter: String, detail: String)
    /// Rows of a list offer an action with a reserved name (``RowAction/reservedNames``).
    case reservedAction(String, list: String)
    /// The schema of a list has a column that no registered controller fills. They fill the
    /// columns `filled`.
    case unfilledColumn(String, list: String, filled: [String])
    /// The schema of a list lacks a column that the controller of a model fills.
    case missingColumn(Column, list: String, model: String)
    /// A column of a list's schema has another type than the column of the model's controller.
    case differingColumn(Column, list: String, model: String, type: ColumnType)
    /// The lists cannot be served; the text is the reason, for people.
    case cannotServe(String)
}

extension ListService {
    /// Adds a list of models and registers their controller.
    ///
    /// To change the models while they are served, store the returned data source.
    ///
    /// - Parameters:
    ///   - name: The name in URLs: `books` is served at `/books`.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: The models, with distinct IDs.
    ///   - controller: The row controller of the models.
    ///   - group: The column that groups the list into sections by default, in the syntax of the
    ///     parameter `group`: `genre`, or `title:initial`. Nil makes one section.
    ///   - sort: The default order inside a section, in the syntax of the parameter `sort`:
    ///     `-year,title`. Nil keeps the order of the models, or sorts by ID inside sections.
    ///   - events: The handlers of row events.
    ///   - sections: The handlers of section headers and footers.
    /// - Returns: The data source of the models; the next request sees its updates.
    /// - Throws: ``ListingError`` for a type that already has a controller or for duplicate
    ///   columns. ``DataSourceError`` for duplicate IDs. ``ListServiceError`` for an invalid name,
    ///   group or sort.
    @inlinable
    @discardableResult
    public mutating func list<Controller: RowController>(
        _ name: String,
        title: String? = nil,
        models: [Controller.Model],
        using controller: Controller,
        group: String? = nil,
        sort: String? = nil,
        on events: RowEvents<Controller.Model> = RowEvents(),
        sections: SectionEvents = SectionEvents()
    ) throws -> DataSource {
        try controllers.register(controller, on: events)
        return try list(
            name,
            title: title,
            models: models,
            group: group,
            sort: sort,
            sections: sections
        )
    }

    /// Adds a list of models whose controller is registered in ``controllers``.
    ///
    /// - Parameters: As those of ``list(_:title:models:using:group:sort:on:sections:)``.
    /// - Returns: The data source of the models.
    /// - Throws: ``ListingError/unregisteredModel(_:)`` with the name of a type without a
    ///   controller, and the errors of the method above.
    @discardableResult
    public mutating func list<Model>(
        _ name: String,
        title: String? = nil,
        models: [Model],
        group: String? = nil,
        sort: String? = nil,
        sections: SectionEvents = SectionEvents()
    ) throws -> DataSource
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        let registration = try controllers.registration(for: Model.self)
        let dataSource = try DataSource(models: models, using: registration)
        let schema = try Self.schema(
            of: name,
            columns: registration.columns,
            idType: Model.ID.self is any BinaryInteger.Type ? .integer : .text,
            group: group,
            sort: sort
        )
        .on(sections: sections)
        let source = DataSourceList(dataSource, schema: schema)
        try add(ListDefinition(name, title: title, source: source))
        return dataSource
    }

    /// Returns the schema of a list whose order is given in query syntax.
    private static func schema(
        of list: String,
        columns: [Column],
        idType: ColumnType,
        group: String?,
        sort: String?
    ) throws -> ListSchema {
        let plain = try ListSchema(columns: columns, idType: idType)
        let items = [("group", group), ("sort", sort)].compactMap { name, value in
            value.map { QueryItems.Item(name: name, value: $0) }
        }
        var parameters = ListParameters(
            items,
            list: list,
            schema: plain,
            accepted: [.rows, .grouping]
        )
        guard let query = parameters.query() else {
            let error = parameters.errorTexts[0]
            throw ListServiceError.invalidOrder(
                list: list,
                parameter: error.parameter,
                detail: error.detail
            )
        }
        return try ListSchema(
            columns: columns,
            idType: idType,
            defaultGrouping: query.grouping,
            defaultSort: query.sort
        )
    }
}
