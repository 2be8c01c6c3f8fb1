package import HTTPServer
package import Listings
package import Rendering

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
    package var importFolder = "/tmp"
    let metrics = MetricsRegistry()
    package var serverTotals: @Sendable () -> HTTPServerTotals = { HTTPServerTotals() }
    package var operations = OperationsEndpoint.besideLists
    package var rowControllers: [String] = []
    package var access: AccessPolicyStore?
    package var identification: CallerIdentification?
    package var routes: [ProgramRoute] = []
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
    /// The place of lists that clients make; nil where they make none.
    package var creation: (any ListCreation)?
    /// Nil if changes are not recorded.
    package var history: (any ChangeHistory)?
    package var optionalLists: Set<String> = []
    package var relations = RelationOptions()

    package init() {}
}

package enum OperationsEndpoint: Hashable, Sendable {
    case besideLists
    case elsewhere
    /// This service, which shows no lists.
    case alone
}

package enum WritePolicy: Hashable, Sendable {
    case nobody
    /// All clients may write, or those that ``ServiceOptions/access`` permits.
    case everybody(requiresCondition: Bool)

    package var isAllowed: Bool { self != .nobody }

    var requiresCondition: Bool { self == .everybody(requiresCondition: true) }
}
