import Bytes
package import HTTP
import HTTPServer
import Listings
import Rendering
import System

package final class Middleware: HTTPTimerHandler, HTTPPeerHandler {
    package struct Settings: Sendable {
        /// Nil allows all hosts.
        package var allowedHosts: AllowedHosts?
        /// Nil allows only the service's own origin.
        package var crossOrigin: CrossOrigin?
        package var notesAnswers = false
        package var rateLimits: RateLimits?
        package var trustedProxies = TrustedProxies()
        /// The path below which clients reach the service, where no proxy names another one.
        package var basePath = BasePath.root

        package init() {}
    }

    let api: APIHandler
    let loop: LoopState
    var settings: Settings
    var isDirect: Bool
    private let compressor = ResponseCompressor()
    /// The last allowed host, because most requests are for the same one.
    var knownHost = ByteBuffer(minimumCapacity: 16)
    var allowedHead: UInt64?
    var cache: ResponseCache
    /// Whether the loop waits for lists itself, because there are no workers.
    private let mayWait: Bool
    private let hasAccessControl: Bool
    private lazy var waited = Waited(self)

    var cachedResponses: Int { cache.responseCount }
    var cachedBytes: Int { cache.byteCount }
    /// The peer that sends the next request; nil where it is not needed.
    package var peer: HTTPPeer?
    var sender = ForwardedClient()

    package init(
        _ api: APIHandler,
        _ settings: Settings = Settings(),
        workers: ServiceWorkers? = nil
    ) {
        self.api = api
        loop = api.loop
        self.settings = settings
        isDirect = settings.trustedProxies.isEmpty && settings.basePath.isRoot
        cache = ResponseCache(maximumBytes: loop.service.options.pageCacheBytes)
        mayWait = workers == nil
        hasAccessControl = loop.service.options.access != nil
        if let workers { loop.share(workers) }
    }

    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        try respond(to: request, .counted, with: &response)
    }

    private enum Charge {
        case counted
        case announced
        case admitted
        case identified(IdentifiedCaller, canWait: Bool)

        var isAdmitted: Bool {
            switch self {
            case .counted, .announced: false
            case .admitted, .identified: true
            }
        }

        var canWait: Bool {
            switch self {
            case .counted, .announced: true
            case .admitted: false
            case .identified(_, let canWait): canWait
            }
        }
    }

    private final class Waited: HTTPHandler {
        unowned let middleware: Middleware

        init(_ middleware: Middleware) { self.middleware = middleware }

        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            try middleware.respond(to: request, .admitted, with: &response)
        }
    }

    private func respond(
        to request: borrowing HTTPRequest,
        _ charge: Charge,
        with response: inout HTTPResponse
    ) throws {
        adoptService()
        let start = MonotonicTime.now
        let finding = findBeforeCall(request)
        if case .current(let cached)? = finding {
            return send(cached, request, with: &response, since: start)
        }
        var call = begin(request, response)
        if let offloading = respond(to: &call, charge, finding) {
            response = offload(call, offloading.cached)
        } else {
            response = call.response
        }
    }

    /// Looks into the cache for a request that needs no check but that of its host; nil for others.
    private func findBeforeCall(_ request: borrowing HTTPRequest) -> ResponseCache.Finding? {
        guard isDirect, !hasAccessControl, settings.rateLimits == nil, isAllowed(request) else {
            return nil
        }
        return cache.find(request, from: 0, mayWait: mayWait)
    }

    /// Sends without a call, because copying the request takes an eighth of the instructions.
    private func send(
        _ cached: ResponseCache.Response,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse,
        since start: MonotonicTime
    ) {
        if peer != nil || sender.client != nil { sender = ForwardedClient(peer) }
        cache.send(cached, request, from: 0, with: &response)
        finish(
            &response,
            to: request,
            loop.id(of: request),
            cached.source.trace,
            caller: nil,
            nanoseconds: start.age
        )
    }

    private struct Offloading {
        let cached: ResponseCache.Response?
    }

    private func begin(
        _ request: borrowing HTTPRequest,
        _ response: consuming HTTPResponse
    ) -> Call {
        do throws(ForwardedClient.Fault) {
            let external = try findSender(of: request)
            // Copying a request takes a tenth of a small response.
            if loop.service.options.history != nil,
                let history = HistoryHandler.request(
                    for: external.map(request.addressed) ?? copy request
                )
            {
                var call = loop.call(history.request, filling: response)
                call.listOfHistory = history.list
                return call
            }
            guard let external else { return loop.call(copy request, filling: response) }
            return loop.call(request.addressed(at: external), filling: response)
        } catch {
            var call = loop.call(copy request, below: settings.basePath, filling: response)
            let detail: Text = "\(error.field), as the proxy sent it, is not \(error.allowed)."
            call.refuse(Problem(.malformedRequest, detail))
            return call
        }
    }

    private func respond(
        to call: inout Call,
        _ charge: Charge,
        _ finding: ResponseCache.Finding?
    ) -> Offloading? {
        call.canWait = charge.canWait
        guard !refuse(&call, charge) else {
            if settings.notesAnswers { _ = call.findRoute() }
            finish(&call)
            return nil
        }
        // The program identifies the caller first.
        guard call.response.deferral == nil else { return nil }
        var prepared: PreparedRequest?
        switch finding ?? cache.find(call.request, from: call.callerScope, mayWait: mayWait) {
        case .current(let cached):
            send(cached, &call)
            return nil
        case .unsettled(let cached): return Offloading(cached: cached)
        case .prepared(let request): prepared = request
        case .missing: break
        }
        if needsWorker(&call) { return Offloading(cached: nil) }
        RequestDispatcher.respond(to: &call, preparedAs: prepared)
        finishUnlessWaiting(&call)
        return nil
    }

    func finishUnlessWaiting(_ call: inout Call) {
        if let poll = call.response.deferral as? LongPoll {
            // The final response also passes through the middleware.
            poll.handler = waited
        } else {
            finish(&call)
        }
    }

    func send(_ cached: ResponseCache.Response, _ call: inout Call) {
        let waiting = call.trace.waiting
        call.trace = cached.source.trace
        call.trace.waiting = waiting
        cache.send(cached, call.request, from: call.callerScope, with: &call.response)
        addFieldsOfCaller(to: &call)
    }

    package func begin(waker: HTTPStreamWaker) { api.begin(waker: waker) }

    package func tick(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        api.tick(at: now)
    }

    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        adoptService()
        var call = begin(request, response)
        let decision = admit(&call)
        response = call.response
        return decision
    }

    private func admit(_ call: inout Call) -> HTTPBodyDecision {
        if !refuse(&call, .announced) {
            if call.response.deferral != nil {
                call.response.reset()
                return .read
            }
            let decision = api.admitBody(of: &call)
            guard case .respond = decision else { return decision }
        } else if settings.notesAnswers {
            _ = call.findRoute()
        }
        // The body is not read, so that this is the final response.
        _ = takesTooMany(call.request, .counted)
        finish(&call)
        return .respond
    }

    package func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        var call = loop.call(.empty, below: settings.basePath, filling: response)
        call.refuse(refusal)
        call.response.addField(.xRequestID) { call.id.write(to: &$0) }
        loop.metrics.others.add(refusal.status, .page(.json), nanoseconds: 0)
        if let kind = call.problem { loop.metrics.add(kind) }
        response = call.response
    }

    private func refuse(_ call: inout Call, _ charge: Charge) -> Bool {
        // The proxy has sent an invalid field.
        guard call.problem == nil else { return true }
        do {
            try check(&call, charge)
            return false
        } catch {
            call.refuse(error)
            return true
        }
    }

    private func check(_ call: inout Call, _ charge: Charge) throws {
        // The response to /-/live says nothing that a page of another host may not read.
        if !isAllowed(call.request), let hosts = settings.allowedHosts,
            !Address.isLive(call.request.path)
        {
            throw Problem(.misdirected, hosts.refusal)
        }
        if let wait = takesTooMany(call.request, charge), !Address.isProbe(call.request.path) {
            let detail: Text = "More requests came from this address than may in a second."
            throw Problem(.tooManyRequests, detail, fields: [("Retry-After", "\(wait)")])
        }
        if hasAccessControl, let store = call.service.options.access,
            let policy = call.service.policy
        {
            if let identification = call.service.options.identification {
                switch try identify(&call, charge, identification, store) {
                case .deferred(let deferral):
                    call.response.deferral = deferral
                    return
                case .found(let caller): try call.admit(as: caller, policy)
                }
            } else {
                try call.admit(user: sender.user, policy)
            }
        }
        try call.checkHistory()
        guard !ResponseCompressor.refusesAnswer(toWriting: call.request) else {
            throw Problem(
                .notAcceptable,
                "The response to this method has no content coding, which the request does not "
                    + "accept. Nothing was done."
            )
        }
    }

    private enum Identity {
        case found(Caller?)
        case deferred(DeferredIdentification)
    }

    private func identify(
        _ call: inout Call,
        _ charge: Charge,
        _ identification: @escaping CallerIdentification,
        _ store: AccessPolicyStore
    ) throws -> Identity {
        if case .identified(let result, _) = charge {
            do {
                return .found(try result.get())
            } catch SourceError.outOfTime {
                throw Problem.slowProgram
            }
        }
        call.caller = call.service.policy?.anonymous
        guard !CrossOrigin.isPreflight(call.request), call.requiredRight() != .nothing else {
            return .found(nil)
        }
        guard let workers = loop.workers else {
            return .found(try identification(call.request, nil).map(store.caller))
        }
        guard let turn = IdentificationTurn(of: sender.client, workers.identifications) else {
            let detail: Text = "Too many requests are in progress."
            throw Problem(.tooManyRequests, detail, fields: [("Retry-After", "1")])
        }
        return .deferred(
            DeferredIdentification(call.request, on: workers) { request in
                try identification(request, turn).map(store.caller)
            } proceed: { [unowned self, canWait = charge.canWait] request, caller, response in
                try respond(to: request, .identified(caller, canWait: canWait), with: &response)
            }
        )
    }

    private func isAllowed(_ request: borrowing HTTPRequest) -> Bool {
        if let head = request.headNumber, head == allowedHead { return true }
        guard let hosts = settings.allowedHosts else { return true }
        if knownHost.isEmpty || !request.isAuthority(knownHost) {
            let authority = request.authority
            guard hosts.contains(authority) else { return false }
            knownHost.removeAll()
            if let authority { knownHost.append(authority) }
        }
        allowedHead = request.headNumber
        return true
    }

    /// Returns the seconds until the sender may send a request again; nil if it may now.
    private func takesTooMany(_ request: borrowing HTTPRequest, _ charge: Charge) -> Int? {
        guard !charge.isAdmitted, let limits = settings.rateLimits,
            let client = sender.client
        else { return nil }
        let counts = if case .counted = charge { true } else { false }
        return limits.take(client, at: .now, counting: counts)
    }

    private func guardPrivacy(of response: inout HTTPResponse, for caller: Caller?) {
        guard hasAccessControl, caller?.name != nil,
            response.field(.cacheControl) == "no-cache"
        else { return }
        response.replaceField(.cacheControl, "private, no-cache")
    }

    func finish(_ call: inout Call) {
        if compressor.code(&call.response, for: call.request) == .notAcceptable {
            call.response.reset()
            let detail: Text = "The request does not accept the content coding of this response."
            call.refuse(Problem(.notAcceptable, detail))
        }
        guardPrivacy(of: &call.response, for: call.caller)
        if call.cacheable != nil || call.prepared != nil { cache.insert(call, loop.lists) }
        call.trace.addTimes(to: &call.response)
        addFieldsOfCaller(to: &call)
    }

    private func addFieldsOfCaller(to call: inout Call) {
        if let kind = call.problem { loop.metrics.add(kind) }
        finish(
            &call.response,
            to: call.request,
            call.id,
            call.trace,
            caller: call.caller?.name,
            nanoseconds: call.start.age
        )
    }

    private func finish(
        _ response: inout HTTPResponse,
        to request: borrowing HTTPRequest,
        _ id: RequestID,
        _ trace: RequestTrace,
        caller: String?,
        nanoseconds: Int
    ) {
        if hasAccessControl {
            response.addField(.vary, "Authorization" as StaticString)
            if loop.service.options.identification != nil {
                response.addField(.vary, "Cookie" as StaticString)
            }
        }
        if let crossOrigin = settings.crossOrigin {
            crossOrigin.addFields(for: request, to: &response)
            if CrossOrigin.isPreflight(request) {
                CrossOrigin.addPreflightFields(to: &response)
            }
        }
        response.addField(.xRequestID) { id.write(to: &$0) }
        loop.metrics.add(trace, response.status, nanoseconds: nanoseconds)
        guard settings.notesAnswers else { return }
        response.note = AccessLogMetadata(
            trace,
            loop.metrics,
            loop.service.options.routes,
            caller: caller,
            client: sender.address,
            traceID: TraceParent(request)?.traceID
        )
    }

    /// Nil where no proxy or base path changes the URL.
    func findSender(
        of request: borrowing HTTPRequest
    ) throws(ForwardedClient.Fault) -> ExternalAddress? {
        guard !isDirect else {
            if peer != nil || sender.client != nil { sender = ForwardedClient(peer) }
            return nil
        }
        sender = try ForwardedClient(request, peer, settings.trustedProxies)
        return sender.externalAddress(settings.basePath)
    }

    func adoptService() {
        guard !loop.service.isCurrent else { return }
        let former = loop.service.generation
        loop.lists.adopt()
        // Entries would keep removed lists open.
        cache = ResponseCache(maximumBytes: loop.service.options.pageCacheBytes)
        guard loop.service.generation.reload != former.reload, let new = loop.service.middleware
        else { return }
        let hosts = settings.allowedHosts
        settings = new
        // The reload does not know the hosts of a server that listens on loopback only.
        settings.allowedHosts = new.allowedHosts ?? hosts
        isDirect = settings.trustedProxies.isEmpty && settings.basePath.isRoot
        allowedHead = nil
        knownHost.removeAll()
    }
}
