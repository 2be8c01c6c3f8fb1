package import HTTP
package import Listings

/// The request handler of an event loop without access control, caches and compression.
package final class APIHandler: HTTPHandler {
    let loop: LoopState
    private lazy var waited = Waited(self)

    /// Serves lists on one loop.
    ///
    /// - Parameters:
    ///   - lists: The lists, in the order of the directory; their names differ.
    ///   - assets: The public files.
    ///   - options: The options of the service.
    ///   - isDraining: Whether the server is about to stop.
    /// - Throws: ``SourceError`` when a list cannot be opened, now or later.
    package convenience init(
        _ lists: [ListDefinition],
        assets: AssetLibrary = AssetLibrary(),
        options: ServiceOptions = ServiceOptions(),
        isDraining: @escaping @Sendable () -> Bool
    ) throws {
        let store = try ServiceStore(
            lists,
            assets: assets,
            options: options,
            isDraining: isDraining
        )
        try store.open()
        self.init(store)
    }

    /// Serves the lists of a store on one loop.
    package init(_ store: ServiceStore) { loop = LoopState(store) }

    /// A handler for requests that have waited for a change.
    private final class Waited: HTTPHandler {
        unowned let handler: APIHandler

        init(_ handler: APIHandler) { self.handler = handler }

        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            var context = RequestContext(handler.loop, for: request, id: nil)
            context.canWait = false
            RequestDispatcher.respond(to: request, in: &context, with: &response)
        }
    }

    /// Fills the response to a request without access control.
    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        loop.lists.adopt()
        var context = RequestContext(loop, for: request, id: nil)
        RequestDispatcher.respond(to: request, in: &context, with: &response)
        (response.deferral as? LongPoll)?.handler = waited
    }

    /// Notes the route of a request that is refused before it is handled, for the log.
    func noteRoute(of request: borrowing HTTPRequest, in context: inout RequestContext) {
        if case .found(let route, _) = RequestDispatcher.match(request, in: context) {
            context.trace.route = route
        }
    }

    /// Fills the response to a request that the HTTP server has refused.
    package func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        var context = RequestContext(loop, below: .root, id: nil)
        context.refuse(refusal, with: &response)
    }

    // MARK: - Content

    /// Decides whether the body of a request is read.
    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        loop.lists.adopt()
        var context = RequestContext(loop, for: request, id: nil)
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
        if case .found(let route, let captures) = RequestDispatcher.match(request, in: context),
            route == .importing || ImportHandler.isPreview(route, captures, request.method)
        {
            let imports = ImportHandler(service: context.service)
            if let sink = imports.sink(request, captures, in: &context) { return .hand(to: sink) }
            context.isWithoutContent = true
        } else if takesContent(request, in: context) {
            return .read
        }
        context.canWait = false
        RequestDispatcher.respond(to: request, in: &context, with: &response)
        return .respond
    }

    private func takesContent(
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext
    ) -> Bool {
        guard !request.method.ignoresBody,
            case .found(let route, let captures) = RequestDispatcher.match(request, in: context)
        else { return false }
        if case .program = route { return true }
        let name = captures.count == 1 ? FormatSuffix(captures[0]).name : captures[0]
        let list = context.visibleEndpoint(name) ?? context.visibleEndpoint(captures[0])
        guard let list else { return false }
        switch route {
        case .list, .row, .rows: return list.writer != nil
        case .rowAction, .bulkAction:
            let forms = FormHandler(service: context.service)
            return list.reader.actions != nil || forms.methods(at: request.path, in: context) != nil
        default: return false
        }
    }
}

extension APIHandler: HTTPTimerHandler {
    /// Stores the waker for checks of followed lists.
    package func begin(waker: HTTPStreamWaker) { loop.subscriptions.waker = waker }

    /// Checks whether followed lists have changed.
    package func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        loop.lists.adopt()
        return loop.subscriptions.look(at: now)
    }
}
