package import HTTPServer
package import Listings
package import Rendering

/// The options of a service, independent of its lists.
package struct ServiceOptions: Sendable {
    package var title = ListDirectory.defaultTitle
    package var templates = TemplateSet()
    /// Whether a row that cannot be shown fails its page (500), instead of showing an error there.
    package var isStrict = false
    /// The treatment of texts in CSV that a spreadsheet would take for formulas.
    package var formulas = CSVWriter.Formulas.kept
    let notices = FlashMessages()
    let changeSignal = ChangeSignal()
    package let imports = ImportQueue()
    /// The folder for the content of imports.
    package var importFolder = "/tmp"
    let board = MetricsRegistry()
    package var serverTotals: @Sendable () -> HTTPServerTotals = { HTTPServerTotals() }
    package var operations = OperationsEndpoint.besideLists
    /// The names of the row controllers and their rows, line by line, for the operator.
    package var rowControllers: [String] = []
    /// The access rules; nil without access control.
    package var access: AccessPolicyStore?
    package var identification: CallerIdentification?
    package var routes: [ProgramRoute] = []
    /// Whether clients have a rate limit, which the OpenAPI description mentions.
    package var limitsRate = false
    package var writing = WritePolicy.nobody
    /// The keys that sign cursors; a checksum without a secret.
    package var cursorKeys = CursorKeys()
    /// The maximum number of bytes of cached responses for each event loop; 0 disables the cache.
    package var pageCacheBytes = 0
    package var readingTimes = ReadingTimes()
    package var crossOrigin: CrossOrigin?
    package var imageHosts = ImageHosts.empty
    /// The lists, if their definitions may change; nil for fixed lists.
    package var lists: ServedLists?
    /// The lists that may be unavailable while the server is ready.
    package var optionalLists: Set<String> = []
    package var relations = RelationOptions()

    package init() {}
}

/// The service that offers the metrics and the setup of the lists.
package enum OperationsEndpoint: Hashable, Sendable {
    case besideLists
    case elsewhere
    /// This service, which shows no lists.
    case alone
}

package enum WritePolicy: Hashable, Sendable {
    /// All lists are read-only.
    case nobody
    /// All clients may write, or those that ``ServiceOptions/access`` permits.
    case everybody(requiresCondition: Bool)

    package var isAllowed: Bool { self != .nobody }

    /// Whether writes to a row must name the state that they change.
    var requiresCondition: Bool { self == .everybody(requiresCondition: true) }
}
