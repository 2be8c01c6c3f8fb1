package import HTTP
package import Listings
import Rendering

/// The request handler of one thread: it finds the route of a request, and lets its handler respond.
package final class APIHandler: HTTPHandler {
    let state: ServiceState
    private let router: Router<Route>
    private let directory: DirectoryHandler
    private let pages: PageHandler
    private let rows: RowHandler
    private let writes: WriteHandler
    private let forms: FormHandler
    private let actions: ActionHandler
    private let imports: ImportHandler
    private let refreshes: RefreshHandler
    private let assets: AssetHandler
    private let operations: OperationsHandler
    private let problems: ProblemHandler
    private let documentation: DocumentationHandler
    private let programs: ProgramHandler
    private let methods: OptionsHandler
    private lazy var waited = Waited(self)

    /// Opens the lists for one thread.
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
        state = try ServiceState(
            lists,
            assets: assets,
            options: options,
            reloads: reloads,
            isDraining: isDraining
        )
        router = try Route.router(and: options.routes)
        state.router = router
        directory = DirectoryHandler(state: state)
        pages = PageHandler(state)
        rows = RowHandler(state: state)
        writes = WriteHandler(state)
        forms = FormHandler(state: state)
        actions = ActionHandler(state: state)
        imports = ImportHandler(state: state)
        refreshes = RefreshHandler(state: state)
        self.assets = AssetHandler(state: state)
        operations = OperationsHandler(state: state)
        problems = ProblemHandler(state: state)
        documentation = DocumentationHandler(state: state)
        programs = ProgramHandler(state: state)
        methods = OptionsHandler(state: state)
    }

    /// A handler for requests that have waited for a change.
    private final class Waited: HTTPHandler {
        unowned let handler: APIHandler

        init(_ handler: APIHandler) { self.handler = handler }

        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            var context = RequestContext(handler.state, for: request, id: nil)
            context.canWait = false
            handler.respond(to: request, in: &context, with: &response)
        }
    }

    /// Fills the response to a request without access control.
    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        var context = RequestContext(state, for: request, id: nil)
        respond(to: request, in: &context, with: &response)
        (response.deferral as? LongPoll)?.handler = waited
    }

    /// Fills the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - prepared: The prepared request of the same key; nil without one.
    ///   - context: The context of the request.
    ///   - response: The response to fill.
    func respond(
        to request: borrowing HTTPRequest,
        preparedAs prepared: PreparedRequest? = nil,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) {
        state.adoptLists()
        if state.workers == nil, !context.isOffloaded {
            context.listName(at: request.path).map(state.begin)
        }
        if state.options.access != nil { context.renewCaller() }
        context.redefinition = .none
        if let prepared, prepared.holds(for: context.callerScope) {
            refusing(request, in: &context, with: &response) { request, context, response in
                try pages.respond(again: prepared, request, in: &context, with: &response)
            }
        } else {
            refusing(request, in: &context, with: &response, handle)
        }
        guard context.redefinition == .noticed, let board = state.options.lists else { return }
        // The definition of a list has changed, so that the request is restarted.
        board.refresh()
        context.renewCaller()
        context.redefinition = .settled
        context.problems.removeAll()
        response.reset()
        refusing(request, in: &context, with: &response, handle)
    }

    /// Runs a body that responds, and turns its errors into problems.
    private func refusing(
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse,
        _ body: (borrowing HTTPRequest, inout RequestContext, inout HTTPResponse) throws -> Void
    ) {
        do {
            try body(request, &context, &response)
        } catch let refusal as Refusal {
            let allowed = refusal.allowed
            if !allowed.isEmpty { response.addField(.allow, HTTPMethod.list(allowed)) }
            context.refuse(refusal.problem, request, suffix: refusal.suffix, with: &response)
        } catch {
            context.refuse(context.problem(for: error), request, suffix: nil, with: &response)
        }
    }

    private func handle(
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        context.language = PageLanguage(for: request)
        switch context.match ?? match(request) {
        case .found(let route, let captures):
            try handle(request, at: route, captures, in: &context, with: &response)
            if request.method.isReading { try context.requireMatch(request, of: &response) }
        case .options(let allowed), .methodNotAllowed(let allowed):
            try methods.respond(to: request, allowed, in: &context, with: &response)
        case .notFound:
            guard let list = context.listBeforeSlash(at: request.path) else {
                throw Refusal(problem: context.notFound(request), suffix: nil)
            }
            let query = request.query.map { "?\($0)" } ?? ""
            let address = context.addresses.list(list) + query
            response.status = .permanentRedirect
            response.addField(.location, address)
            // The rights of the caller decide.
            response.addField(.cacheControl, "no-store" as StaticString)
        }
    }

    private func handle(
        _ request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        context.trace.route = route
        defer {
            // A group of writes notifies after its commit.
            if !request.method.isReading, !state.isInGroup { state.options.changeSignal.notify() }
        }
        guard state.isOffered(route) else {
            throw Refusal(problem: context.notFound(request), suffix: nil)
        }
        if route.dependsOnLists, context.listName(at: request.path) == nil,
            state.lookForLists()
        {
            context.renewCaller()
        }
        switch route {
        case .live: operations.show("live", with: &response)
        case .ready: operations.showReadiness(to: context.caller, with: &response)
        case .version: operations.show(RosterVersion.current, with: &response)
        case .metrics: operations.showMetrics(with: &response)
        case .lists: operations.showLists(with: &response)
        case .description:
            try assets.respondWithDescription(to: request, in: &context, with: &response)
        case .asset: assets.respond(captures, request, in: &context, with: &response)
        case .problem: problems.respond(captures[0], request, in: &context, with: &response)
        case .documentation:
            try documentation.respond(to: request, in: &context, with: &response)
        case .program(let position):
            try programs.respond(to: request, at: position, captures, in: &context, with: &response)
        case .directory:
            try directory.respond(to: request, suffix: nil, in: &context, with: &response)
        case .list where FormatSuffix(captures[0]).name.isEmpty:
            guard request.method.isReading else {
                let allowed: [HTTPMethod] = [.get, .head, .options]
                return try methods.respond(to: request, allowed, in: &context, with: &response)
            }
            let format = FormatSuffix(captures[0]).format
            try directory.respond(to: request, suffix: format, in: &context, with: &response)
        case .cell: try rows.respondWithCell(captures, request, in: &context, with: &response)
        case .refresh:
            try refreshes.respond(
                to: request,
                ofList: captures[0],
                in: &context,
                with: &response
            )
        case .importing, .imported:
            try imports.respond(to: request, at: route, captures, in: &context, with: &response)
        case .list, .row, .rows, .view, .section, .rowAction, .bulkAction:
            try handleRows(request, at: route, captures, in: &context, with: &response)
        }
    }

    private func handleRows(
        _ request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        if try forms.respond(to: request, at: route, captures, in: &context, with: &response) {
            return
        }
        // The rows below a row are read at the address of an action.
        if route == .rowAction || route == .bulkAction,
            !request.method.isReading || !ActionResource(route, captures).isChildren
        {
            try actions.respond(to: request, at: route, captures, in: &context, with: &response)
        } else if request.method.isReading {
            try pages.respond(to: request, at: route, captures, in: &context, with: &response)
        } else {
            try writes.respond(to: request, at: route, captures, in: &context, with: &response)
        }
    }

    /// Returns the route of a request.
    func match(_ request: borrowing HTTPRequest) -> Router<Route>.Match {
        router.match(request.method, request.path)
    }

    /// Notes the route of a request that is refused before it is handled, for the log.
    func noteRoute(of request: borrowing HTTPRequest, in context: inout RequestContext) {
        if case .found(let route, _) = router.match(request.method, request.path) {
            context.trace.route = route
        }
    }

    /// Fills the response to a request that the HTTP server has refused.
    package func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        var context = RequestContext(state, id: nil)
        context.refuse(refusal, with: &response)
    }

    // MARK: - Content

    /// Decides whether the body of a request is read.
    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        var context = RequestContext(state, for: request, id: nil)
        return try admitBody(of: request, in: &context, with: &response)
    }

    /// Decides whether the body of a request is read.
    ///
    /// Only writes and actions read it; all other requests get their response at once.
    func admitBody(
        of request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        if case .found(let route, let captures) = router.match(request.method, request.path),
            route == .importing || ImportHandler.isPreview(route, captures, request.method)
        {
            if let sink = imports.sink(request, captures, in: &context) { return .hand(to: sink) }
            context.isWithoutContent = true
        } else if takesContent(request, in: context) {
            return .read
        }
        context.canWait = false
        respond(to: request, in: &context, with: &response)
        return .respond
    }

    private func takesContent(
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext
    ) -> Bool {
        guard !request.method.ignoresBody,
            case .found(let route, let captures) = router.match(request.method, request.path)
        else { return false }
        if case .program = route { return true }
        let name = captures.count == 1 ? FormatSuffix(captures[0]).name : captures[0]
        let list = context.visibleEndpoint(name) ?? context.visibleEndpoint(captures[0])
        guard let list else { return false }
        switch route {
        case .list, .row, .rows: return list.writer != nil
        case .rowAction, .bulkAction:
            return list.reader.actions != nil || forms.methods(at: request.path, in: context) != nil
        default: return false
        }
    }
}

extension APIHandler: HTTPTimerHandler {
    /// Stores the waker for checks of followed lists.
    package func begin(waker: HTTPStreamWaker) { state.subscriptions.waker = waker }

    /// Checks whether followed lists have changed.
    package func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        state.adoptLists()
        return state.subscriptions.look(at: now)
    }
}

extension Route {
    /// Whether new lists matter to its response.
    fileprivate var dependsOnLists: Bool {
        switch self {
        case .live, .ready, .version, .metrics, .lists, .description, .documentation, .asset,
            .problem, .program:
            false
        default: true
        }
    }
}

/// Responds with the methods that an address accepts.
struct OptionsHandler {
    let state: ServiceState

    /// Responds with the methods of an address; those of an action depend on its row.
    func respond(
        to request: borrowing HTTPRequest,
        _ allowed: [HTTPMethod],
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        var methods = try RefreshHandler(state: state).methods(at: request, in: &context)
        if methods == nil {
            methods = try ActionHandler(state: state).methods(at: request, in: &context)
        }
        let possible = methods ?? possible(allowed, at: request.path, in: context)
        // An address that only takes writes has nothing to read where the list is read-only.
        guard possible != [.options] || !request.method.isReading, !possible.isEmpty else {
            let isOfList = request.path.count == 3
            let list = isOfList ? context.visibleEndpoint(request.path.segment(0)) : nil
            let problem =
                list.map { context.nothingHere(in: $0.definition) } ?? context.notFound(request)
            return context.refuse(problem, request, suffix: nil, with: &response)
        }
        guard request.method == .options else {
            throw context.methodNotAllowed(request.method, possible)
        }
        response.addField(.allow, HTTPMethod.list(possible))
        response.status = .noContent
    }

    /// Returns the possible methods of an address: a read-only list has none that write rows.
    private func possible(
        _ methods: [HTTPMethod],
        at path: RequestPath,
        in context: borrowing RequestContext
    ) -> [HTTPMethod] {
        guard let first = path.segments.first,
            !state.options.routes.contains(where: { $0.firstSegment == first })
        else { return methods }
        let name = path.count == 1 ? FormatSuffix(first).name : first
        guard (context.visibleEndpoint(name) ?? context.visibleEndpoint(first))?.writer == nil
        else {
            return methods
        }
        return methods.filter { $0.isReading || $0 == .options }
    }
}

extension HTTPMethod {
    /// Whether a request only reads, and changes nothing.
    var isReading: Bool { self == .get || self == .head }

    /// Returns the value of an Allow field.
    static func list(_ methods: [HTTPMethod]) -> String {
        methods.map(\.name).joined(separator: ", ")
    }
}
