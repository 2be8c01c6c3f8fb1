import HTTP
import ListDiff
import Listings
import Rendering

/// The lists, settings, renderers and counters that one thread handles requests with.
///
/// An event loop has one, and so does each worker. All requests of the thread share it.
final class ServiceState {
    var endpoints: [String: ServedList] = [:]
    var names: [String]
    /// The generation of the lists; see ``ServedLists``.
    var listGeneration = 0
    /// The lists that could not be opened, by their names.
    var closedLists: [String: ListDefinition] = [:]
    /// The time of the next attempt to open them.
    var nextOpening = ContinuousClock.now
    var options: ServiceOptions
    /// The parts that a reload replaces; nil without reloads.
    let reloads: ReloadState?
    /// The generation of the adopted reload.
    var reloadGeneration = 0
    let json = JSONPageRenderer()
    private(set) var pages: PageRenderers
    /// The addresses that clients of the last request see.
    private(set) var addresses = Address()
    /// The cache of the last negotiated format.
    var choices = RepresentationChoice()
    var assets: AssetLibrary
    /// The fingerprint of the program and of the files that it renders pages with.
    var fingerprint = ""
    let isDraining: @Sendable () -> Bool
    /// The pages that clients follow.
    let subscriptions: Subscriptions
    /// The time limit of a request on the loop; nil without workers.
    private(set) var slice: TimeSlice?
    /// The workers for requests that exceed the limit.
    private(set) var workers: ServiceWorkers?
    /// The cached OpenAPI descriptions, valid for the current lists.
    var descriptions: [DescribedRights: StaticContent] = [:]
    /// The counters of the thread.
    let metrics: ServiceMetrics
    /// The access rules that this thread adopted last.
    var accessPolicy: (generation: Int, policy: AccessPolicy)?
    /// The prefix of its request ids.
    let requestPrefix = RequestID.makePrefix()
    /// The number of the last request without an id of its own.
    private var requestCount: UInt64 = 0

    /// Opens the lists for one thread.
    ///
    /// - Parameters:
    ///   - lists: The lists, in the order of the directory; their names differ.
    ///   - assets: The public files.
    ///   - options: The options of the service.
    ///   - reloads: The parts that a reload replaces.
    ///   - isDraining: Whether the server is about to stop.
    /// - Throws: ``SourceError`` when a list cannot be opened, now or later.
    init(
        _ lists: [ListDefinition],
        assets: AssetLibrary,
        options: ServiceOptions,
        reloads: ReloadState?,
        isDraining: @escaping @Sendable () -> Bool
    ) throws(SourceError) {
        self.options = options
        self.reloads = reloads
        reloadGeneration = reloads?.generation ?? 0
        var state = ServedLists.State(lists: lists)
        if let board = options.lists { state = board.current }
        if let only = options.onlyList { state.lists.removeAll { $0.name != only } }
        listGeneration = state.generation
        names = state.lists.map(\.name)
        metrics = ServiceMetrics(lists: names)
        if options.operations != .alone, options.thread == .ofLoop { options.board.add(metrics) }
        self.assets = assets
        pages = PageRenderers(assets, options.templates, Address())
        self.isDraining = isDraining
        subscriptions = Subscriptions(options.changeSignal)
        for list in state.lists {
            do {
                endpoints[list.name] = try open(list, state.numbers[list.name] ?? 0)
            } catch {
                guard options.onlyList == nil, error.mayPass || options.thread == .ofWorker else {
                    throw error
                }
                // The other lists are served meanwhile.
                closedLists[list.name] = list
            }
        }
        prepareRenderers()
    }

    /// Limits the reads of every list by slices, and offloads longer reads to workers.
    func share(_ slice: TimeSlice, with workers: ServiceWorkers) {
        self.slice = slice
        self.workers = workers
        subscriptions.workers = workers
        for endpoint in endpoints.values { endpoint.share(slice) }
    }

    /// Uses the addresses below a base path from now on.
    func use(_ addresses: Address) {
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        pages.use(addresses)
    }

    /// Returns the number of a request without an id of its own.
    func nextRequestNumber() -> UInt64 {
        requestCount += 1
        return requestCount
    }

    /// Whether the thread may block, because it is no event loop or has no workers.
    var canBlock: Bool { slice?.isRunning != true }

    /// Whether this service responds at a route.
    func isOffered(_ route: Route) -> Bool {
        switch (options.operations, route) {
        case (.alone, .live), (.alone, .ready), (.alone, .version), (.alone, .problem): true
        case (.alone, _), (.besideLists, .metrics): route == .metrics || route == .lists
        // Only operators may see the lists and their setup.
        case (.besideLists, .lists): options.access != nil
        case (.elsewhere, .metrics), (.elsewhere, .lists): false
        case (.besideLists, _), (.elsewhere, _): true
        }
    }

    /// Prepares the renderers and their fingerprint.
    private func prepareRenderers() {
        // Other programs or templates render differently, so that cached pages become stale.
        let formulas = options.formulas == .neutralised ? "'" : ""
        let templates = FNV1a.of(options.templates.files).description
        fingerprint = [
            RosterVersion.current, PageDigest.format.description, assets.fingerprint, templates,
            formulas,
        ].joined(separator: " ")
        pages = PageRenderers(assets, options.templates, addresses)
    }

    /// Adopts the parts that a reload replaced, and reopens every list.
    ///
    /// Without a reload it only compares two numbers.
    func adoptReload() {
        guard let reloads, reloads.generation != reloadGeneration else { return }
        let new = reloads.current
        reloadGeneration = new.generation
        let (thread, onlyList) = (options.thread, options.onlyList)
        (options, assets) = (new.options, new.assets)
        (options.thread, options.onlyList) = (thread, onlyList)
        prepareRenderers()
        reopenLists()
    }
}

/// The version of the program.
package enum RosterVersion {
    /// The version as `--version` prints it.
    package static let current = "0.1.0"
}
