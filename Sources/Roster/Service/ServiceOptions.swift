package import HTTPServer
package import Listings
package import Rendering

/// How a service behaves, whatever its lists are.
package struct ServiceOptions: Sendable {
    /// The title of the page that leads to all lists.
    package var title = "Lists"
    /// What draws rows, headers and footers that have a template.
    package var templates = TemplateSet()
    /// Whether a page with a row that cannot be shown is refused (500), rather than shown with an
    /// error in its place.
    package var isStrict = false
    /// What becomes of texts in CSV that a spreadsheet would take for formulas.
    package var formulas = CSVWriter.Formulas.kept
    /// What people are told on the pages that actions lead them to.
    let notices = NoticeBoard()
    /// Tells the loops when a list was written to.
    let bell = ChangeBell()
    /// The imports into lists.
    let imports = ImportBoard()
    /// The folder that keeps the content of imports.
    package var importFolder = "/tmp"
    /// What the loops count.
    let board = MeasureBoard()
    /// What the server counts.
    package var serverTotals: @Sendable () -> HTTPServerTotals = { HTTPServerTotals() }
    /// What the service tells its operator, and where.
    package var operations = OperationsPlace.besideLists
    /// What draws which rows, line by line, for the operator.
    package var rowControllers: [String] = []
    /// Who may do what; nil asks nobody who they are.
    package var access: AccessBoard?
    /// Whether clients are held to so many requests a second, which the description tells.
    package var limitsRate = false
    /// Who may write.
    package var writing = WritePolicy.nobody
    /// What signs the cursors; a checksum instead where there is no secret.
    package var cursorKeys = CursorKeys()
    /// The memory that answers kept by one event loop may take, in bytes; 0 keeps none.
    package var pageCacheBytes = 0
    /// The time that reading may take.
    package var readingTimes = ReadingTimes()
    /// The origins whose pages may use the service; nil for none but the own.
    package var crossOrigin: CrossOrigin?
    /// The lists, where others define some of them; nil for lists that stay as they are.
    package var lists: ListBoard?
    /// The lists whose sources may be down while the server is ready.
    package var optionalLists: Set<String> = []
    /// The one list that the service shows; nil for all.
    package var onlyList: String?
    /// Who waits for the thread that the service is on.
    package var thread = ServiceThread.ofLoop

    /// Creates the options of nothing said.
    package init() {}
}

/// Where the operator is told what is measured and what is served.
package enum OperationsPlace: Hashable, Sendable {
    /// At the addresses of the lists.
    case besideLists
    /// Somewhere else: not by this service.
    case elsewhere
    /// By this service, which shows no list.
    case alone
}

/// What a service answers on.
package enum ServiceThread: Hashable, Sendable {
    /// The thread of an event loop, or one's own.
    case ofLoop
    /// One that answers for loops what takes long.
    case ofWorker
}

/// Who may write to the lists that can be written to.
package enum WritePolicy: Hashable, Sendable {
    /// Nobody: all lists are only read.
    case nobody
    /// Everybody who can reach the server, or whom ``ServiceOptions/access`` lets.
    ///
    /// - requiresCondition: Whether a row is changed only for those who say which state of it they
    ///   know.
    case everybody(requiresCondition: Bool)

    /// Whether anybody may write.
    var isAllowed: Bool { self != .nobody }

    /// Whether a row is changed only for those who say which state of it they know.
    var requiresCondition: Bool { self == .everybody(requiresCondition: true) }
}
