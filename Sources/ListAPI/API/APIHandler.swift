package import HTTP
package import Listings

/// The request handler of an event loop without access control, caches and compression.
package final class APIHandler: HTTPHandler {
    let loop: LoopState
    private lazy var waited = Waited(self)

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

    package init(_ store: ServiceStore) { loop = LoopState(store) }

    private final class Waited: HTTPHandler {
        unowned let handler: APIHandler

        init(_ handler: APIHandler) { self.handler = handler }

        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            var call = handler.loop.call(copy request, filling: response)
            call.canWait = false
            RequestDispatcher.respond(to: &call)
            response = call.response
        }
    }

    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        loop.lists.adopt()
        var call = loop.call(copy request, filling: response)
        RequestDispatcher.respond(to: &call)
        response = call.response
        (response.deferral as? LongPoll)?.handler = waited
    }

    package func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        var call = loop.call(.empty, below: .root, filling: response)
        call.refuse(refusal)
        response = call.response
    }

    // MARK: - Content

    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        loop.lists.adopt()
        var call = loop.call(copy request, filling: response)
        let decision = admitBody(of: &call)
        response = call.response
        return decision
    }

    /// Only writes and actions read the body; all other requests get their response at once.
    func admitBody(of call: inout Call) -> HTTPBodyDecision {
        if case .found(let route, _) = call.findRoute(),
            route == .importing || ImportHandler.isPreview(call)
        {
            if let sink = ImportHandler.sink(in: &call) { return .hand(to: sink) }
            call.isWithoutContent = true
        } else if case .found(.directory, _) = call.findRoute(), call.request.method == .post {
            if let decision = CreationHandler.admission(of: &call) { return decision }
            call.isWithoutContent = true
        } else if takesContent(&call) {
            return .read
        }
        call.canWait = false
        RequestDispatcher.respond(to: &call)
        return .respond
    }

    private func takesContent(_ call: inout Call) -> Bool {
        guard !call.request.method.ignoresBody,
            case .found(let route, let captures) = call.findRoute()
        else { return false }
        if case .program = route { return true }
        if route == .draft { return call.mayCreate }
        let name = captures.count == 1 ? FormatSuffix(captures[0]).name : captures[0]
        let list = call.visibleEndpoint(name) ?? call.visibleEndpoint(captures[0])
        guard let list else { return false }
        switch route {
        case .list, .row, .rows: return list.writer != nil
        case .rowAction, .bulkAction:
            return list.reader.abilities.contains(.actions) || FormHandler.methods(in: call) != nil
        default: return false
        }
    }
}

extension APIHandler: HTTPTimerHandler {
    package func begin(waker: HTTPStreamWaker) { loop.subscriptions.waker = waker }

    package func tick(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        loop.lists.adopt()
        return loop.subscriptions.tick(at: now)
    }
}
