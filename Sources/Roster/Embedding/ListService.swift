import Database
import ListAPI
import Listings
import Locks
import System
import TableFiles

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
        do {
            try SourceArgument.check(list.name)
        } catch {
            throw .invalidListName(list.name)
        }
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
        defer { StandardError.flush(within: Diagnostics.lastWait) }
        do {
            let environment = ProcessEnvironment.variables()
            var configuration = try Configuration(arguments: [], environment: environment)
            guard configuration.database == nil, configuration.groupings.isEmpty,
                configuration.sourceFields.isEmpty, configuration.sourceFieldsFile == nil,
                configuration.importOptions.text.isEmpty
            else {
                throw ListServiceError.cannotServe(
                    "ROSTER_DATABASE, ROSTER_GROUP_BY, ROSTER_MISSING, ROSTER_TYPES and "
                        + "ROSTER_SOURCE_FIELDS are settings of the program roster"
                )
            }
            if let host { configuration.host = host }
            if let port { configuration.port = port }
            let serving = ServeCommand(configuration, title: title) { () throws(Failure) in
                do throws(ConfigurationError) {
                    return try Configuration(arguments: [], environment: environment)
                } catch {
                    throw Failure(error)
                }
            }
            try serving.run {
                ServiceContents(lists: lists, controllers: controllers.summaries)
            }
        } catch let error as ListServiceError {
            throw error
        } catch let error as ConfigurationError {
            throw .cannotServe(Failure(error).text)
        } catch let failure as Failure {
            throw .cannotServe(failure.text)
        } catch {
            throw .cannotServe("\(error)")
        }
    }

    /// Reads the first page of each segment of a list, to find errors before the first request.
    ///
    /// Pages that cannot be read are ignored, because requests report their errors.
    func check(_ list: ListDefinition) throws(ListServiceError) {
        let sources = list.segments?.all.map(\.source) ?? [list.source]
        for source in sources {
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
    /// The lists cannot be served; the text is the reason, for people.
    case cannotServe(String)
}
