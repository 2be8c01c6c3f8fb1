import Bytes
package import HTTP
import HTTPServer
import Listings
import Rendering
import System

/// The HTTP front of a service: it names requests, checks access, and caches and codes responses.
package final class Middleware: HTTPTimerHandler, HTTPPeerHandler {
    let api: APIHandler
    let loop: LoopState
    var settings: Settings
    /// Whether no proxy changes the meaning of a request.
    var isDirect: Bool
    private let compressor = ResponseCompressor()
    /// The last allowed host, because most requests are for the same one.
    var knownHost = ByteBuffer(minimumCapacity: 16)
    /// The number of the last request head with an allowed host.
    var allowedHead: UInt64?
    var cache: ResponseCache
    /// Whether the loop waits for lists itself, because there are no workers.
    private let mayWait: Bool
    /// Whether callers have rights.
    private let hasAccessControl: Bool
    private lazy var waited = Waited(self)

    /// The number of responses in the cache.
    var cachedResponses: Int { cache.responseCount }
    /// The memory of the cache, in bytes.
    var cachedBytes: Int { cache.byteCount }
    /// The peer that sends the next request; nil where it is not needed.
    package var peer: HTTPPeer?
    /// The sender of the current request.
    var sender = ForwardedClient()

    /// Creates a gateway for the service of one loop.
    ///
    /// - Parameters:
    ///   - api: The handler of requests.
    ///   - settings: The settings of the gateway.
    ///   - workers: The workers for requests that may wait; nil runs everything on the loop.
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

    /// Fills the response to a request.
    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        try respond(to: request, .counted, with: &response)
    }

    /// The treatment of a request by the rate limiter.
    private enum Charge {
        /// A new request.
        case counted
        /// A request that is counted after its body arrives.
        case announced
        /// A request that was admitted before.
        case admitted
        /// A counted request, whose caller the program has identified.
        case identified(IdentifiedCaller, canWait: Bool)

        /// Whether the request was counted before.
        var isAdmitted: Bool {
            switch self {
            case .counted, .announced: false
            case .admitted, .identified: true
            }
        }

        /// Whether the response may be deferred until a page changes.
        var canWait: Bool {
            switch self {
            case .counted, .announced: true
            case .admitted: false
            case .identified(_, let canWait): canWait
            }
        }
    }

    /// A handler for requests that were admitted on arrival and have waited since.
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
        do {
            guard let external = try findSender(of: request) else {
                return try answer(request, charge, with: &response)
            }
            try answer(request.addressed(at: external), charge, with: &response)
        } catch let fault as ForwardedClient.Fault {
            refuse(fault, request, with: &response)
        }
    }

    private func answer(
        _ request: borrowing HTTPRequest,
        _ charge: Charge,
        with response: inout HTTPResponse
    ) throws {
        let start = MonotonicTime.now
        var context = RequestContext(loop, for: request, id: RequestID.sent(with: request))
        context.canWait = charge.canWait
        guard !refuse(request, charge, in: &context, with: &response) else {
            if settings.notesAnswers { api.noteRoute(of: request, in: &context) }
            return finish(&response, to: request, in: &context, since: start)
        }
        // The program identifies the caller first.
        guard response.deferral == nil else { return }
        var prepared: PreparedRequest?
        switch cache.find(request, from: context.callerScope, mayWait: mayWait) {
        case .current(let cached):
            return send(cached, request, in: &context, with: &response, since: start)
        case .unsettled(let cached):
            return offload(request, in: context, since: start, cached, with: &response)
        case .prepared(let request): prepared = request
        case .missing: break
        }
        if needsWorker(request, in: &context) {
            return offload(request, in: context, since: start, nil, with: &response)
        }
        RequestDispatcher.respond(
            to: request,
            preparedAs: prepared,
            in: &context,
            with: &response
        )
        finishUnlessWaiting(&response, to: request, in: &context, since: start)
    }

    func finishUnlessWaiting(
        _ response: inout HTTPResponse,
        to request: borrowing HTTPRequest,
        in context: inout RequestContext,
        since start: MonotonicTime
    ) {
        if let poll = response.deferral as? LongPoll {
            // The final response also passes through the middleware.
            poll.handler = waited
        } else {
            finish(&response, to: request, in: &context, since: start)
        }
    }

    func send(
        _ cached: ResponseCache.Response,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse,
        since start: MonotonicTime
    ) {
        let waiting = context.trace.waiting
        context.trace = cached.source.trace
        context.trace.waiting = waiting
        cache.send(cached, request, from: context.callerScope, with: &response)
        addFieldsOfCaller(request, in: context, to: &response, since: start)
    }

    /// Stores the waker for checks of followed lists.
    package func begin(waker: HTTPStreamWaker) { api.begin(waker: waker) }

    /// Checks whether followed lists have changed.
    package func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        api.look(at: now)
    }

    /// Decides whether the body of a request is read.
    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        adoptService()
        do {
            guard let external = try findSender(of: request) else {
                return try admit(request, with: &response)
            }
            return try admit(request.addressed(at: external), with: &response)
        } catch let fault as ForwardedClient.Fault {
            refuse(fault, request, with: &response)
            return .respond
        }
    }

    private func admit(
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        let start = MonotonicTime.now
        var context = RequestContext(loop, for: request, id: RequestID.sent(with: request))
        if !refuse(request, .announced, in: &context, with: &response) {
            if response.deferral != nil {
                response.reset()
                return .read
            }
            let decision = try api.admitBody(of: request, in: &context, with: &response)
            guard case .respond = decision else { return decision }
        } else if settings.notesAnswers {
            api.noteRoute(of: request, in: &context)
        }
        // The body is not read, so that this is the final response.
        _ = takesTooMany(request, .counted)
        finish(&response, to: request, in: &context, since: start)
        return .respond
    }

    /// Fills the response to a request that the HTTP server has refused.
    package func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        var context = RequestContext(loop, below: settings.basePath, id: nil)
        context.refuse(refusal, with: &response)
        response.addField(.xRequestID, context.id)
        loop.metrics.others.add(refusal.status, .page(.json), nanoseconds: 0)
        if let kind = context.problem { loop.metrics.add(kind) }
    }

    /// Whether the gateway has refused the request.
    private func refuse(
        _ request: borrowing HTTPRequest,
        _ charge: Charge,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) -> Bool {
        do {
            try check(request, charge, in: &context, with: &response)
            return false
        } catch {
            context.refuse(error, request, with: &response)
            return true
        }
    }

    /// Refuses a request of another host, too many requests, and a caller without permission.
    private func check(
        _ request: borrowing HTTPRequest,
        _ charge: Charge,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        // The response to /-/live says nothing that a page of another host may not read.
        if !isAllowed(request), let hosts = settings.allowedHosts, !Address.isLive(request.path) {
            throw Problem(.misdirected, hosts.refusal)
        }
        if let wait = takesTooMany(request, charge), !Address.isProbe(request.path) {
            let detail = "More requests came from this address than may in a second."
            throw Problem(.tooManyRequests, detail, fields: [("Retry-After", "\(wait)")])
        }
        if hasAccessControl, let store = context.service.options.access,
            let policy = context.service.policy
        {
            if let identification = context.service.options.identification {
                switch try identify(request, charge, identification, store, in: &context) {
                case .deferred(let deferral):
                    response.deferral = deferral
                    return
                case .found(let caller): try context.admit(request, as: caller, policy)
                }
            } else {
                try context.admit(request, user: sender.user, policy)
            }
        }
        guard !ResponseCompressor.refusesAnswer(toWriting: request) else {
            throw Problem(
                .notAcceptable,
                "The response to this method has no content coding, which the request does not "
                    + "accept. Nothing was done."
            )
        }
    }

    /// The result of a program's identification of a caller.
    private enum Identity {
        case found(Caller?)
        /// A worker must call the program.
        case deferred(DeferredIdentification)
    }

    private func identify(
        _ request: borrowing HTTPRequest,
        _ charge: Charge,
        _ identification: CallerIdentification,
        _ store: AccessPolicyStore,
        in context: inout RequestContext
    ) throws -> Identity {
        if case .identified(let result, _) = charge {
            do {
                return .found(try result.get())
            } catch SourceError.outOfTime {
                throw Problem.slowProgram
            }
        }
        context.caller = context.service.policy?.anonymous
        guard !CrossOrigin.isPreflight(request), context.need(of: request) != .nothing else {
            return .found(nil)
        }
        guard let workers = loop.workers else {
            return .found(try identification.caller(of: copy request, nil, store))
        }
        guard let turn = IdentificationTurn(of: sender.client, workers.identifications) else {
            let detail = "Too many requests are in progress."
            throw Problem(.tooManyRequests, detail, fields: [("Retry-After", "1")])
        }
        return .deferred(
            DeferredIdentification(request, on: workers) { request in
                try identification.caller(of: request, turn, store)
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

    /// Prevents shared caches from storing a response for a named caller.
    private func guardPrivacy(of response: inout HTTPResponse, for caller: Caller?) {
        guard hasAccessControl, caller?.name != nil,
            response.field(.cacheControl) == "no-cache"
        else { return }
        response.replaceField(.cacheControl, "private, no-cache")
    }

    func finish(
        _ response: inout HTTPResponse,
        to request: borrowing HTTPRequest,
        in context: inout RequestContext,
        since start: MonotonicTime
    ) {
        if compressor.code(&response, for: request) == .notAcceptable {
            response.reset()
            let detail = "The request does not accept the content coding of this response."
            context.refuse(Problem(.notAcceptable, detail), request, with: &response)
        }
        guardPrivacy(of: &response, for: context.caller)
        if context.cacheable != nil || context.prepared != nil {
            cache.insert(
                response,
                of: context.cacheable,
                loop.lists,
                context.prepared,
                for: request,
                from: context.callerScope
            )
        }
        context.trace.addTimes(to: &response)
        addFieldsOfCaller(request, in: context, to: &response, since: start)
    }

    /// Adds the fields that depend on the caller, and counts the response.
    private func addFieldsOfCaller(
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext,
        to response: inout HTTPResponse,
        since start: MonotonicTime
    ) {
        if hasAccessControl {
            response.addField(.vary, "Authorization" as StaticString)
            if context.service.options.identification != nil {
                response.addField(.vary, "Cookie" as StaticString)
            }
        }
        if let crossOrigin = settings.crossOrigin {
            crossOrigin.addFields(for: request, to: &response)
            if CrossOrigin.isPreflight(request) {
                CrossOrigin.addPreflightFields(to: &response)
            }
        }
        response.addField(.xRequestID) { context.writeID(to: &$0) }
        loop.metrics.add(context.trace, response.status, nanoseconds: start.age)
        if let kind = context.problem { loop.metrics.add(kind) }
        guard settings.notesAnswers else { return }
        response.note = AccessLogMetadata(
            context.trace,
            loop.metrics,
            context.service.options.routes,
            caller: context.caller?.name,
            client: sender.address,
            traceID: TraceParent(request)?.traceID
        )
    }
}

extension Middleware {
    /// The settings of a gateway.
    package struct Settings: Sendable {
        /// The hosts that the server serves.
        ///
        /// Default nil: all.
        package var allowedHosts: AllowedHosts?
        /// The origins whose pages may read responses.
        ///
        /// Default nil: only the service's own.
        package var crossOrigin: CrossOrigin?
        /// Whether responses carry a note for the access log.
        ///
        /// Default false.
        package var notesAnswers = false
        /// The limits of requests a second for each client.
        ///
        /// Default nil: no limit.
        package var rateLimits: RateLimits?
        /// The proxies whose fields about their clients are trusted.
        ///
        /// Default none.
        package var trustedProxies = TrustedProxies()
        /// The path below which clients reach the service, where no proxy names another one.
        ///
        /// Default `/`.
        package var basePath = BasePath.root

        package init() {}
    }
}

/// The senders of requests, and the settings that a reload replaces.
extension Middleware {
    /// Determines the sender of a request and the URL that its client used.
    ///
    /// - Returns: The URL parts as the client sees them; nil where no proxy or base path changes
    ///   them.
    /// - Throws: `ForwardedClient.Fault` for an invalid field of a trusted proxy.
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

    /// Refuses a request with an invalid field of a trusted proxy.
    func refuse(
        _ fault: ForwardedClient.Fault,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        let start = MonotonicTime.now
        let id = RequestID.sent(with: request)
        var context = RequestContext(loop, below: settings.basePath, id: id)
        let detail = "\(fault.field), as the proxy sent it, is not \(fault.allowed)."
        context.refuse(Problem(.malformedRequest, detail), request, with: &response)
        finish(&response, to: request, in: &context, since: start)
    }

    /// Adopts the service of new requests, after a reload with its settings.
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

/// The ID of a request in the response, in problems and in the log.
enum RequestID {
    /// Creates a random prefix for a loop's request IDs.
    ///
    /// It makes them differ from those of other loops and of earlier runs.
    static func makePrefix() -> [UInt8] {
        var prefix = ByteBuffer(minimumCapacity: 16)
        prefix.append("req-" as StaticString)
        prefix.append(hexadecimal: UInt64.random(in: 1...UInt64(UInt32.max)))
        prefix.append(UInt8(ascii: "-"))
        return prefix.array()
    }

    /// Returns the ID that a client or proxy sent.
    ///
    /// Returns nil without one, and for one that is not 1 to 64 letters, digits, `.`, `_` and `-`.
    static func sent(with request: borrowing HTTPRequest) -> String? {
        guard let value = request.field(.xRequestID), (1...64).contains(value.utf8.count),
            value.utf8.allSatisfy(isAllowed)
        else { return nil }
        return value
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
