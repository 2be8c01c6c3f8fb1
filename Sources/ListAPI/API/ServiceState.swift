import HTTP
import ListDiff
package import Listings
import Rendering

/// The lists, settings, renderers and counters that one thread handles requests with.
///
/// An event loop has one, and so does each worker. All requests of the thread share it.
final class ServiceState {
    var endpoints: [String: ServedList] = [:]
    var names: [String]
    /// The generation of the lists; see ``ServedLists``.
    var listGeneration = 0
    /// The foreign keys between the lists.
    private(set) var relations: ListRelations
    /// The lists that a worker of another list has opened for labels and related rows.
    private var relatedLists: [String: ServedList] = [:]
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
    /// Whether the current request writes in one transaction with others.
    var isInGroup = false
    /// The workers for requests that may wait; nil on a worker, and where the loop handles all.
    private(set) var workers: ServiceWorkers?
    /// The cached OpenAPI descriptions, valid for the current lists.
    var descriptions: [DescribedRights: StaticContent] = [:]
    /// The cached pages of the documentation, valid for the current public files.
    var documentation = LRUCache<DocumentationKey, StaticContent>(capacity: 32)
    /// The counters of the thread.
    let metrics: ServiceMetrics
    /// The access rules that this thread adopted last.
    var accessPolicy: (generation: Int, policy: AccessPolicy)?
    /// The router of the thread's handler, which knows the open routes of the program.
    var router: Router<Route>?
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
        relations = ListRelations(state.lists, options.relations)
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

    /// Hands requests that may wait to workers from now on.
    func share(_ workers: ServiceWorkers) {
        self.workers = workers
        subscriptions.workers = workers
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

    /// Whether an event loop may read every list.
    var isImmediate: Bool { closedLists.isEmpty && endpoints.values.allSatisfy(\.isImmediate) }

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
        documentation.removeAll()
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

/// The adoption of list definitions that change while the server runs.
extension ServiceState {
    /// Adopts the current lists if they have changed; otherwise it only compares two numbers.
    ///
    /// An unchanged list keeps its reader. The statistics of changed lists are dropped.
    func adoptLists() {
        adoptReload()
        if let board = options.lists, board.generation != listGeneration {
            adopt(board.current)
        } else if !closedLists.isEmpty, nextOpening <= .now {
            for (name, list) in closedLists {
                endpoints[name] = LockWaiting.$isAllowed.withValue(options.thread == .ofWorker) {
                    try? open(list, number(ofList: name))
                }
                if endpoints[name] != nil { closedLists[name] = nil }
            }
            nextOpening = .now + .seconds(1)
            descriptions = [:]
        }
    }

    /// Opens a list that could not be opened before.
    ///
    /// - Throws: The error of the list.
    func openClosedList(_ name: String) throws(SourceError) {
        guard let list = closedLists[name] else { return }
        endpoints[name] = try open(list, number(ofList: name))
        closedLists[name] = nil
        descriptions = [:]
    }

    /// Begins a request of a list on a thread that may wait for it.
    func begin(_ list: String) { endpoints[list]?.begin() }

    private func number(ofList name: String) -> Int { options.lists?.current.numbers[name] ?? 0 }

    private func adopt(_ now: ServedLists.State) {
        var adopted: [String: ServedList] = [:]
        closedLists = [:]
        relations = ListRelations(now.lists, options.relations)
        relatedLists = [:]
        for list in now.lists where options.onlyList.map({ $0 == list.name }) ?? true {
            let number = now.numbers[list.name] ?? 0
            if let known = endpoints[list.name], known.number == number {
                adopted[list.name] = known
                continue
            }
            do {
                adopted[list.name] = try open(list, number)
            } catch {
                closedLists[list.name] = list
                Diagnostics.write("list '\(list.name)' cannot be opened: \(error)", .error)
            }
        }
        for (name, old) in endpoints where adopted[name] !== old { old.isRetired = true }
        for (name, list) in adopted { list.isRelated = relations.relates(name) }
        names = now.lists.map(\.name).filter { adopted[$0] != nil || closedLists[$0] != nil }
        endpoints = adopted
        listGeneration = now.generation
        descriptions = [:]
    }

    /// Reopens every list, because the options decide how lists are read and shown.
    func reopenLists() {
        relatedLists = [:]
        for (name, old) in endpoints {
            do {
                let mayWait = options.thread == .ofWorker
                endpoints[name] = try LockWaiting.$isAllowed.withValue(mayWait) {
                    try open(old.definition, old.number)
                }
                old.isRetired = true
            } catch {
                Diagnostics.write("list '\(name)' cannot be opened: \(error)", .error)
            }
        }
        descriptions = [:]
    }

    /// Opens a list of a generation.
    func open(_ list: ListDefinition, _ number: Int) throws(SourceError) -> ServedList {
        let endpoint = try ServedList(list, options)
        endpoint.number = number
        // A list added later has no counters of its own.
        endpoint.metrics = metrics.lists.firstIndex { $0.name == list.name }
        endpoint.isRelated = relations.relates(list.name)
        endpoint.related = { [weak self] name throws(SourceError) in try self?.related(name) }
        return endpoint
    }

    /// Returns a list to read labels or related rows from; nil if it is not open.
    ///
    /// A worker of one list opens others when it needs them.
    func related(_ name: String) throws(SourceError) -> ServedList? {
        if let endpoint = endpoints[name] ?? relatedLists[name] { return endpoint }
        guard options.onlyList != nil, let list = relations.lists[name] else { return nil }
        let endpoint = try open(list, number(ofList: name))
        relatedLists[name] = endpoint
        return endpoint
    }

    /// Looks for new lists, which happens once in a while.
    ///
    /// - Returns: Whether it has looked.
    func lookForLists() -> Bool {
        guard let board = options.lists, board.takeLook() else { return false }
        board.refresh()
        return true
    }

    // MARK: - Access

    /// Returns the access policy for the lists of this thread.
    func policy(of store: AccessPolicyStore) -> AccessPolicy {
        adoptLists()
        var policy = cachedPolicy(of: store)
        while policy.generation != listGeneration {
            adoptLists()
            policy = cachedPolicy(of: store)
        }
        return policy
    }

    private func cachedPolicy(of store: AccessPolicyStore) -> AccessPolicy {
        let generation = store.generation
        if let accessPolicy, accessPolicy.generation == generation { return accessPolicy.policy }
        let policy = store.current
        accessPolicy = (generation, policy)
        return policy
    }

    /// Returns a caller with permissions for the current lists.
    ///
    /// A caller whose token was removed has no permissions.
    func renewed(_ caller: Caller?) -> Caller? {
        adoptLists()
        guard let caller, let store = options.access, caller.generation != listGeneration else {
            return caller
        }
        let policy = policy(of: store)
        guard let name = caller.name else { return policy.anonymous }
        return policy.caller(named: name)
            ?? Caller(name: name, mayOperate: false, views: [:], generation: listGeneration)
    }

    // MARK: - Offloaded requests

    /// Returns a worker's rendered page with the endpoint of this thread.
    ///
    /// Returns nil where this thread has another definition of the list.
    func own(_ shown: CacheableResponse) -> CacheableResponse? {
        guard let endpoint = own(shown.endpoint) else { return nil }
        var trace = shown.trace
        trace.list = endpoint.metrics ?? endpoints[endpoint.definition.name]?.metrics
        return CacheableResponse(
            tag: shown.tag,
            endpoint: endpoint,
            version: shown.version,
            trace: trace
        )
    }

    /// Continues an export that a worker has started.
    ///
    /// - Returns: Whether that is possible; false where the list has another definition here.
    func adopt(_ export: ExportStream) -> Bool {
        guard let endpoint = own(export.endpoint) else { return false }
        export.move(to: endpoint, workers)
        return true
    }

    private func own(_ other: ServedList) -> ServedList? {
        let endpoint = endpoints[other.definition.name]
        guard endpoint?.number == other.number else { return nil }
        return other.segment.map { endpoint?.endpoint(ofSegment: $0) } ?? endpoint
    }
}

/// Lists whose definitions may change, such as those of a database.
package protocol ChangingLists: Sendable {
    /// The current definitions.
    var definitions: [ListDefinition] { get }

    /// Describes the lists again if their schema has changed.
    ///
    /// - Parameters:
    ///   - taken: The names of all other lists, which these may not have.
    ///   - isForced: Whether the lists are described again in any case.
    /// - Returns: The changes.
    /// - Throws: ``Failure`` when the lists cannot be described; the former definitions stay.
    mutating func refresh(besides taken: Set<String>, isForced: Bool) throws(Failure) -> ListChanges
}

/// The changes of the definitions of lists.
package struct ListChanges: Sendable {
    /// The names of lists that are new or changed.
    package var others: Set<String>
    /// The names of lists that are gone.
    package var gone: Set<String>
    /// The messages for the operator.
    package var messages: [String]

    /// Creates the description of changes; none by default.
    package init(
        others: Set<String> = [],
        gone: Set<String> = [],
        messages: [String] = []
    ) {
        self.others = others
        self.gone = gone
        self.messages = messages
    }
}
