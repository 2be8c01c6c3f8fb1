import Bytes
package import HTTP
package import Listings
import Rendering

/// The request handler of one event loop.
package final class Service: HTTPHandler {
    var endpoints: [String: ServedList] = [:]
    var names: [String]
    /// The generation of the lists; see ``ServedLists``.
    var listGeneration = 0
    /// The lists that could not be opened, by their names.
    var closedLists: [String: ListDefinition] = [:]
    /// The time of the next attempt to open them.
    var nextOpening = ContinuousClock.now
    /// The state of definitions that change during a request.
    var redefinition = Redefinition.settled
    var options: ServiceOptions
    /// The parts that a reload replaces; nil without reloads.
    let reloads: ReloadState?
    /// The generation of the adopted reload.
    var reloadGeneration = 0
    let json = JSONPageRenderer()
    var pages: PageRenderers
    /// The addresses of the service, as the client of the request sees them.
    var addresses = Address() {
        didSet {
            guard addresses != oldValue else { return }
            pages.use(addresses)
        }
    }
    /// The language that suits the client of the request best.
    var language = PageLanguage.english
    /// The cache of the last negotiated format.
    var choices = RepresentationChoice()
    let router: Router<Route>
    var assets: AssetLibrary
    /// The fingerprint of the program and of the files that it renders pages with.
    var fingerprint = ""
    let isDraining: @Sendable () -> Bool
    /// The pages that clients follow.
    let followed: Subscriptions
    /// Whether the response may be deferred.
    var mayWait: Bool
    /// Whether a worker found that a client that waits for changes has the current state.
    ///
    /// A worker cannot notice later changes.
    var holdsWhatThereIs = false
    /// The time limit of a request on the loop; nil without workers.
    private(set) var turn: TimeSlice?
    /// The workers for requests that exceed the limit.
    private(set) var workers: ServiceWorkers?
    /// The prefix of its request ids.
    private let requestPrefix = RequestID.makePrefix()
    /// The cached OpenAPI descriptions, valid for the current lists.
    var descriptions: [DescribedRights: StaticContent] = [:]
    /// The number of the last request without an id of its own.
    private var requestCount: UInt64 = 0
    /// The counters of the service.
    let measures: ServiceMetrics
    /// The caller; nil without access control.
    var caller: Caller?
    /// The access rules that this loop adopted last.
    var knownTable: (generation: Int, table: AccessPolicy)?
    /// The trace of the current request.
    var trace = RequestTrace()
    /// The problems that a worker responded with, for the loop to count.
    var toldProblems: [ProblemKind] = []
    /// The id that the request came with, if any.
    private var givenRequestID = ""
    private var hasGivenRequestID = false
    /// The page that was sent, if its response may be sent again.
    var cacheable: CacheableResponse?
    /// The prepared request, if it is valid for the next request of the same key.
    var answered: PreparedRequest?

    /// Opens the lists for one event loop.
    ///
    /// - Parameters:
    ///   - lists: The lists, in the order of the directory; their names differ.
    ///   - assets: The public files.
    ///   - options: The options of the service.
    ///   - reloads: The parts that a reload replaces.
    ///   - isDraining: Whether the server is about to stop.
    /// - Throws: ``SourceError`` when a list cannot be opened, now or later.
    package init(
        _ lists: [ListDefinition],
        assets: AssetLibrary = AssetLibrary(),
        options: ServiceOptions = ServiceOptions(),
        reloads: ReloadState? = nil,
        isDraining: @escaping @Sendable () -> Bool
    ) throws {
        self.options = options
        self.reloads = reloads
        reloadGeneration = reloads?.generation ?? 0
        var state = ServedLists.State(lists: lists)
        if let board = options.lists { state = board.current }
        if let only = options.onlyList { state.lists.removeAll { $0.name != only } }
        listGeneration = state.generation
        names = state.lists.map(\.name)
        measures = ServiceMetrics(lists: names)
        mayWait = options.thread == .ofLoop
        if options.operations != .alone, options.thread == .ofLoop { options.board.add(measures) }
        self.assets = assets
        pages = PageRenderers(assets, options.templates)
        router = try Route.router()
        self.isDraining = isDraining
        followed = Subscriptions(options.bell)
        for list in state.lists {
            do {
                endpoints[list.name] = try endpoint(of: list, state.numbers[list.name] ?? 0)
            } catch {
                guard options.onlyList == nil, error.mayPass || options.thread == .ofWorker else {
                    throw error
                }
                // The other lists are served meanwhile.
                closedLists[list.name] = list
            }
        }
        prepareLook()
    }

    /// Fills the response to a request.
    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        try respond(to: request, preparedAs: nil, with: &response)
    }

    /// Fills the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - prepared: The prepared request of the same key; nil without one.
    ///   - response: The response to fill.
    /// - Throws: An error that the server responds to with status 500.
    func respond(
        to request: borrowing HTTPRequest,
        preparedAs prepared: PreparedRequest?,
        with response: inout HTTPResponse
    ) throws {
        adoptLists()
        if options.access != nil { caller = renewed(caller) }
        redefinition = .none
        defer { redefinition = .settled }
        if let prepared, prepared.holds(for: callerScope) {
            answer(prepared, request, with: &response)
        } else {
            try answer(request, with: &response)
        }
        guard redefinition == .noticed, !isLeft, let board = options.lists else { return }
        // The definition of a list has changed, so that the request is restarted.
        board.refresh()
        caller = renewed(caller)
        redefinition = .settled
        response.reset()
        try answer(request, with: &response)
    }

    private func answer(
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        language = PageLanguage(for: request)
        switch router.match(request.method, request.path) {
        case .found(let route, let captures):
            respond(to: request, route, captures, with: &response)
        case .options(let allowed):
            allow(allowed, request, with: &response)
        case .methodNotAllowed(let allowed):
            allow(allowed, request, with: &response)
        case .notFound:
            refuse(notFound(request), request, suffix: nil, with: &response)
        }
    }

    /// Notes the route of a request that is refused before it is handled, for the log.
    func noteRoute(of request: borrowing HTTPRequest) {
        if case .found(let route, _) = router.match(request.method, request.path) {
            trace.route = route
        }
    }

    /// Responds with the methods of an address; those of an action depend on its row.
    private func allow(
        _ allowed: [HTTPMethod],
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        do {
            let methods =
                try refreshMethods(at: request) ?? actionMethods(at: request)
                ?? possible(allowed, at: request.path)
            guard !methods.isEmpty else {
                let list = request.path.count == 3 ? visibleEndpoint(request.path.segment(0)) : nil
                let problem = list.map { nothingHere(in: $0.definition) } ?? notFound(request)
                return refuse(problem, request, suffix: nil, with: &response)
            }
            response.addField(.allow, Self.list(methods))
            guard request.method != .options else {
                response.status = .noContent
                return
            }
            refuse(methodNotAllowed(request.method), request, suffix: nil, with: &response)
        } catch {
            guard !isLeft else { return }
            refuse(problem(for: error), request, suffix: nil, with: &response)
        }
    }

    /// Responds at a route.
    private func respond(
        to request: borrowing HTTPRequest,
        _ route: Route,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) {
        trace.route = route
        if !request.method.isReading {
            if leaveWriting(request, route) { return }
            // A write must not begin twice, so that it gets no time limit.
            takeTime()
        }
        defer { if !request.method.isReading { options.bell.ring() } }
        guard isOffered(route) else {
            return refuse(notFound(request), request, suffix: nil, with: &response)
        }
        switch route {
        case .directory:
            if looksForLists(request, route) { return }
            showDirectory(request, suffix: nil, with: &response)
        case .live: show("live", with: &response)
        case .ready: showReadiness(with: &response)
        case .version: show(RosterVersion.current, with: &response)
        case .metrics: showMetrics(with: &response)
        case .lists: showLists(with: &response)
        case .description: showDescription(request, with: &response)
        case .asset, .problem, .list, .row, .rows, .importing, .imported, .view, .section,
            .refresh, .rowAction, .cell, .bulkAction:
            if route != .asset, route != .problem, listName(at: request.path) == nil,
                looksForLists(request, route)
            {
                return
            }
            respond(to: request, captured: route, captures, with: &response)
        }
    }

    private func respond(
        to request: borrowing HTTPRequest,
        captured route: Route,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) {
        switch route {
        case .directory, .live, .ready, .version, .metrics, .lists, .description:
            preconditionFailure("\(route) captures nothing")
        case .asset: showAsset(captures, request, with: &response)
        case .problem: showProblem(captures[0], request, with: &response)
        case .list where FormatSuffix(captures[0]).name.isEmpty:
            guard request.method.isReading else {
                return allow([.get, .head, .options], request, with: &response)
            }
            showDirectory(request, suffix: FormatSuffix(captures[0]).format, with: &response)
        case .list, .row, .rows, .importing, .imported, .view, .section, .refresh, .rowAction,
            .cell, .bulkAction:
            do {
                if try answerForm(request, route, captures, with: &response) { return }
                switch route {
                case .rowAction where !isView(request, route, captures),
                    .bulkAction where !isView(request, route, captures):
                    try act(on: request, route, captures, with: &response)
                case .cell: try showCell(captures, request, with: &response)
                case .refresh: try refresh(captures[0], request, with: &response)
                case .importing, .imported:
                    try answerImport(request, route, captures, with: &response)
                default:
                    if request.method.isReading {
                        try respond(to: request, inList: route, captures, with: &response)
                    } else {
                        try write(request, route, captures, with: &response)
                    }
                }
            } catch let refusal as Refusal {
                guard !isLeft else { return }
                refuse(refusal.problem, request, suffix: refusal.suffix, with: &response)
            } catch {
                guard !isLeft else { return }
                refuse(problem(for: error), request, suffix: nil, with: &response)
            }
        }
    }

    /// Whether a request at an action's address only reads: the rows below a row.
    private func isView(
        _ request: borrowing HTTPRequest,
        _ route: Route,
        _ captures: RouteCaptures
    ) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        return ActionResource(route, captures).isChildren
    }

    static let fieldsOfWords = PreencodedFields { response in
        response.addField(.contentType, "text/plain; charset=utf-8" as StaticString)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
    }

    private func show(_ word: String, with response: inout HTTPResponse) {
        response.addFields(Self.fieldsOfWords)
        response.body.append(word)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// The HTML renderer of the client's language.
    var html: HTMLPageRenderer { html(in: language) }

    /// Returns the HTML renderer of a language.
    func html(in language: PageLanguage) -> HTMLPageRenderer { pages[language] }

    /// Begins a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - id: The id that it came with; nil creates a unique one.
    func beginRequest(_ request: borrowing HTTPRequest, named id: String?) {
        let base = request.external?.basePath.text ?? ""
        if base != addresses.base { addresses = Address(under: request.basePath) }
        beginRequest(named: id)
    }

    /// Begins a request below the current base path.
    func beginRequest(named id: String?) {
        hasGivenRequestID = id != nil
        if let id { givenRequestID = id } else { requestCount += 1 }
        if cacheable != nil { cacheable = nil }
        if answered != nil { answered = nil }
        if !toldProblems.isEmpty { toldProblems = [] }
        trace = RequestTrace()
        // A request that is refused before authentication has no caller.
        caller = nil
    }

    // MARK: - Turns

    /// Limits the reads of every list by turns, and offloads longer reads to workers.
    func share(_ turn: TimeSlice, with workers: ServiceWorkers) {
        self.turn = turn
        self.workers = workers
        followed.workers = workers
        for endpoint in endpoints.values { endpoint.share(turn) }
    }

    /// Removes the time limit for the rest of the request.
    func takeTime() { turn?.suspend() }

    /// Whether the request was offloaded, so that the response of this service is not sent.
    var isLeft: Bool { turn?.isOver ?? false }

    /// Whether the current request's content is not read.
    var isWithoutContent = false

    /// Whether a request is only checked; its later handling reports a refusal.
    var isLooking = false

    /// Whether problems are neither counted nor logged, because they are not sent.
    var isSilent: Bool { isLeft || isLooking || redefinition == .noticed }

    /// Returns the id of the request, for its response, the log and problems.
    func requestID() -> String {
        var buffer = ByteBuffer(minimumCapacity: 64)
        writeRequestID(to: &buffer)
        return buffer.text()
    }

    /// Appends the id of the request.
    func writeRequestID(to buffer: inout ByteBuffer) {
        guard !hasGivenRequestID else { return buffer.append(givenRequestID) }
        buffer.append(requestPrefix)
        buffer.append(hexadecimal: requestCount)
    }

    /// Returns the value of an Allow field.
    static func list(_ methods: [HTTPMethod]) -> String {
        methods.map(\.name).joined(separator: ", ")
    }
}

/// The version of the program.
package enum RosterVersion {
    /// The version as `--version` prints it.
    package static let current = "0.1.0"
}
