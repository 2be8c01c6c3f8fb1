import Bytes
package import HTTP
import HTTPServer
import System

/// The HTTP front of a service: it names requests, checks access, and caches and codes responses.
package final class Gateway: HTTPTimerHandler, HTTPPeerHandler {
    let service: Service
    var settings: Settings
    /// The number of reloads that the gateway has adopted.
    var reloadGeneration: Int
    /// Whether no proxy changes the meaning of a request.
    var isDirect: Bool
    private let workers: ServiceWorkers?
    /// The time that a request may occupy the loop; nil without workers.
    private let turn: TimeSlice?
    private let coder = ResponseCompressor()
    /// The last allowed host, because most requests are for the same one.
    var knownHost = ByteBuffer(minimumCapacity: 16)
    /// The number of the last request head with an allowed host.
    var allowedHead: UInt64?
    var cache: ResponseCache
    /// The generation of the lists that the cached responses are from.
    private var cacheGeneration: Int
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
    ///   - service: The service that handles requests.
    ///   - settings: The settings of the gateway.
    ///   - workers: The workers for requests that exceed a turn; nil runs everything on the loop.
    ///   - turn: The time that a request may occupy the loop if there are workers.
    package init(
        _ service: Service,
        _ settings: Settings = Settings(),
        workers: ServiceWorkers? = nil,
        turn: TimeSlice = TimeSlice()
    ) {
        self.service = service
        self.settings = settings
        reloadGeneration = service.reloadGeneration
        isDirect = settings.trustedProxies.isEmpty && settings.basePath.isRoot
        self.workers = workers
        self.turn = workers == nil ? nil : turn
        cache = ResponseCache(maximumBytes: service.options.pageCacheBytes)
        cacheGeneration = service.listGeneration
        service.addresses = Address(under: settings.basePath)
        if let workers { service.share(turn, with: workers) }
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
    }

    /// A handler for requests that were admitted on arrival and have waited since.
    private final class Waited: HTTPHandler {
        unowned let gateway: Gateway

        init(_ gateway: Gateway) { self.gateway = gateway }

        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            try gateway.respond(to: request, .admitted, with: &response)
        }
    }

    private func respond(
        to request: borrowing HTTPRequest,
        _ charge: Charge,
        with response: inout HTTPResponse
    ) throws {
        adoptReload()
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
        service.beginRequest(request, named: RequestID.sent(with: request))
        if !refuse(request, charge, with: &response) {
            turn?.begin()
            defer { turn?.suspend() }
            if service.listGeneration != cacheGeneration {
                // Entries would keep the readers of removed lists open.
                cache.removeAll()
                cacheGeneration = service.listGeneration
            }
            var prepared: PreparedRequest?
            switch cache.find(request, from: service.callerScope) {
            case .current(let cached):
                send(cached, request, with: &response)
                return addFieldsOfCaller(request, to: &response, since: start)
            case .unsettled(let cached):
                service.trace.list = cached.source.trace.list
                return leave(request, since: start, cached, with: &response)
            case .prepared(let request): prepared = request
            case .missing: break
            }
            try service.respond(to: request, preparedAs: prepared, with: &response)
            if turn?.isOver == true { return leave(request, since: start, nil, with: &response) }
        } else if settings.notesAnswers {
            service.noteRoute(of: request)
        }
        if let poll = response.deferral as? LongPoll {
            // The final response also passes through the gateway.
            poll.handler = waited
            return
        }
        finish(&response, to: request, since: start)
    }

    private func send(
        _ cached: ResponseCache.Response,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        service.trace = cached.source.trace
        cache.send(cached, request, from: service.callerScope, with: &response)
    }

    /// Offloads a request to a worker.
    private func leave(
        _ request: borrowing HTTPRequest,
        since start: MonotonicTime,
        _ kept: ResponseCache.Response?,
        with response: inout HTTPResponse
    ) {
        guard let workers else { preconditionFailure("a request is left to nobody") }
        response.reset()
        let handed = service.hand(over: request, kept?.source)
        response.deferral = Offload(handed, since: start, kept, for: self, workers)
    }

    /// Makes a request wait for a change, after a worker has found none.
    ///
    /// - Throws: The error of the service.
    private func wait(
        _ request: borrowing HTTPRequest,
        since start: MonotonicTime,
        with response: inout HTTPResponse
    ) throws {
        service.holdsWhatThereIs = true
        defer { service.holdsWhatThereIs = false }
        try service.respond(to: request, with: &response)
        guard let poll = response.deferral as? LongPoll else {
            return finish(&response, to: request, since: start)
        }
        poll.handler = waited
    }

    /// Completes the response to an offloaded request.
    ///
    /// - Throws: The error of the service.
    func finish(
        _ handover: Offload,
        with answer: consuming OffloadedResponse,
        _ response: inout HTTPResponse
    ) throws {
        let handed = handover.handed
        service.resume(handed, answer.trace, answer.problems)
        if answer.isUnchanged, let kept = handover.kept {
            send(kept, handed.request, with: &response)
            return addFieldsOfCaller(handed.request, to: &response, since: handover.start)
        }
        service.learn(answer.findings, of: handed.list)
        if answer.waitsForChange {
            // The final response also passes through the gateway.
            return try wait(handed.request, since: handover.start, with: &response)
        }
        if answer.isOverload {
            let detail = "Too many requests are being answered. Nothing was done; ask again later."
            service.refuse(.unavailable, detail, handed.request, with: &response)
        } else if let error = answer.error {
            // A list that cannot be opened now may be readable later.
            service.refuse(error, handed.request, with: &response)
        } else {
            // A page rendered before a reload is not cached after it.
            let isOfNow =
                answer.reloadGeneration == service.reloadGeneration
                && answer.callerScope == service.callerScope
            service.cacheable = isOfNow ? answer.cacheable.flatMap(service.own) : nil
            response = answer.response
            if let export = response.stream as? ExportStream, !service.adopt(export) {
                response.reset()
                service.refuse(SourceError.redefined, handed.request, with: &response)
            }
        }
        finish(&response, to: handed.request, since: handover.start)
    }

    /// Passes the waker to the service.
    package func begin(waker: HTTPStreamWaker) { service.begin(waker: waker) }

    /// Runs the service's periodic checks.
    package func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        service.look(at: now)
    }

    /// Decides whether the body of a request is read.
    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        adoptReload()
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
        service.beginRequest(request, named: RequestID.sent(with: request))
        if !refuse(request, .announced, with: &response) {
            let decision = try service.admitBody(of: request, with: &response)
            guard case .respond = decision else { return decision }
        } else if settings.notesAnswers {
            service.noteRoute(of: request)
        }
        // The body is not read, so that this is the final response.
        _ = takesTooMany(request, .counted)
        finish(&response, to: request, since: start)
        return .respond
    }

    /// Fills the response to a request that the HTTP server has refused.
    package func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        service.addresses = Address(under: settings.basePath)
        service.beginRequest(named: nil)
        service.refuse(refusal, with: &response)
        response.addField(.xRequestID, service.requestID())
        service.countRefusal(refusal.status)
    }

    /// Whether the gateway has refused the request.
    private func refuse(
        _ request: borrowing HTTPRequest,
        _ charge: Charge,
        with response: inout HTTPResponse
    ) -> Bool {
        if !isAllowed(request), let hosts = settings.allowedHosts {
            service.refuse(.misdirected, hosts.refusal, request, with: &response)
            return true
        }
        if let wait = takesTooMany(request, charge), !Address.isProbe(request.path) {
            response.addField(.retryAfter, "\(wait)")
            let detail = "More requests came from this address than may in a second."
            service.refuse(.tooManyRequests, detail, request, with: &response)
            return true
        }
        if let board = service.options.access {
            if let refusal = service.admit(request, user: sender.user, board) {
                if let challenge = refusal.challenge {
                    response.addField(.wwwAuthenticate, challenge)
                }
                service.refuse(refusal.kind, refusal.detail, request, with: &response)
                return true
            }
        }
        guard !ResponseCompressor.refusesAnswer(toWriting: request) else {
            let detail =
                "The answer to this method may have no content coding, which the request does not "
                + "accept. Nothing was done."
            service.refuse(.notAcceptable, detail, request, with: &response)
            return true
        }
        return false
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
        guard charge != .admitted, let limits = settings.rateLimits,
            let client = sender.client
        else { return nil }
        return limits.take(client, at: .now, counting: charge == .counted)
    }

    /// Whether the caller is authenticated.
    private var isCallerNamed: Bool {
        service.options.access != nil && service.caller?.name != nil
    }

    /// Prevents shared caches from storing a response for a named caller.
    private func guardPrivacy(of response: inout HTTPResponse) {
        guard isCallerNamed, response.field(.cacheControl) == "no-cache" else { return }
        response.replaceField(.cacheControl, "private, no-cache")
    }

    func finish(
        _ response: inout HTTPResponse,
        to request: borrowing HTTPRequest,
        since start: MonotonicTime
    ) {
        if coder.code(&response, for: request) == .notAcceptable {
            response.reset()
            let detail = "The only content coding of this answer is one that is not accepted."
            service.refuse(.notAcceptable, detail, request, with: &response)
        }
        guardPrivacy(of: &response)
        if service.cacheable != nil || service.answered != nil {
            cache.insert(
                response,
                of: service.cacheable,
                service.answered,
                for: request,
                from: service.callerScope
            )
        }
        service.addTimes(to: &response)
        addFieldsOfCaller(request, to: &response, since: start)
    }

    /// Adds the fields that depend on the caller, and counts the response.
    private func addFieldsOfCaller(
        _ request: borrowing HTTPRequest,
        to response: inout HTTPResponse,
        since start: MonotonicTime
    ) {
        if service.options.access != nil {
            response.addField(.vary, "Authorization" as StaticString)
        }
        if let crossOrigin = settings.crossOrigin {
            crossOrigin.addFields(for: request, to: &response)
            if CrossOrigin.isPreflight(request) {
                CrossOrigin.addPreflightFields(to: &response)
            }
        }
        response.addField(.xRequestID) { service.writeRequestID(to: &$0) }
        service.count(response.status, nanoseconds: start.age)
        guard settings.notesAnswers else { return }
        response.note = service.answerNote(
            client: sender.address,
            traceID: TraceParent(request)?.traceID
        )
    }
}
