package import HTTP
import HTTPServer

/// Who may ask.
package enum Authentication: Hashable, Sendable {
    /// The request is answered.
    case allowed
    /// 401, with this WWW-Authenticate field.
    case refused(challenge: String)
}

/// What stands before the service: names requests, lets in whom it should, and codes answers.
package final class Gateway: HTTPTimedHandler {
    /// What a gateway does.
    package struct Settings: Sendable {
        /// The hosts that are answered for.
        ///
        /// Default nil: all.
        package var allowedHosts: AllowedHosts?
        /// The origins whose pages may read the answers.
        ///
        /// Default nil: none but the own.
        package var crossOrigin: CrossOrigin?
        /// Whether the log is to be told what an answer is about.
        ///
        /// Default false.
        package var notesAnswers = false
        /// Decides who may ask.
        ///
        /// Called on the loops' threads, must not block. Probes are not asked. Default nil: everybody.
        package var authenticate: (@Sendable (borrowing HTTPRequest) -> Authentication)?

        /// The settings of a gateway that lets everybody in.
        package init() {}
    }

    private let service: Service
    private let settings: Settings
    private let coder = ContentCoder()
    private var cache: PageCache

    /// The answers that are kept to be sent again.
    var keptPages: Int { cache.count }
    /// The memory that they take.
    var bytesOfKeptPages: Int { cache.byteCount }

    /// Puts a gateway before the service of one loop.
    package init(_ service: Service, _ settings: Settings = Settings()) {
        self.service = service
        self.settings = settings
        cache = PageCache(maximumBytes: service.options.pageCacheBytes)
    }

    /// Fills the response to a request.
    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let start = ContinuousClock.now
        service.beginRequest(named: RequestID.sent(with: request))
        if !refuse(request, with: &response) {
            if cache.answer(request, with: &response) {
                service.countRequest()
                return addFieldsOfCaller(request, to: &response)
            }
            try service.respond(to: request, with: &response)
        }
        if let poll = response.deferral as? LongPoll {
            // What is answered in the end passes by here, too.
            poll.handler = self
            return
        }
        finish(&response, to: request, since: start)
    }

    /// Takes what wakes the service.
    package func begin(waker: HTTPStreamWaker) { service.begin(waker: waker) }

    /// Lets the service do what it does of its own accord.
    package func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        service.look(at: now)
    }

    /// Decides whether the body of a request is read.
    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        let start = ContinuousClock.now
        service.beginRequest(named: RequestID.sent(with: request))
        if !refuse(request, with: &response) {
            let decision = try service.admitBody(of: request, with: &response)
            guard case .respond = decision else { return decision }
        }
        finish(&response, to: request, since: start)
        return .respond
    }

    /// Fills the answer to a request that the server has refused.
    package func refuse(_ refusal: HTTPRefusal, with response: inout HTTPResponse) {
        service.beginRequest(named: nil)
        service.refuse(refusal, with: &response)
        response.addField(.xRequestID, service.requestID())
        service.countRefusal(refusal.status)
    }

    /// Whether the request is answered without the service.
    private func refuse(
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) -> Bool {
        if let hosts = settings.allowedHosts, !hosts.contains(request.authority) {
            let detail = "This server does not answer for the host that was asked."
            service.refuse(.misdirected, detail, request, with: &response)
            return true
        }
        guard let authenticate = settings.authenticate, !Address.isProbe(request.path),
            !CrossOrigin.isPreflight(request),
            case .refused(let challenge) = authenticate(request)
        else { return false }
        response.addField(.wwwAuthenticate, challenge)
        let detail = "Credentials are missing or not right."
        service.refuse(.unauthenticated, detail, request, with: &response)
        return true
    }

    private func finish(
        _ response: inout HTTPResponse,
        to request: borrowing HTTPRequest,
        since start: ContinuousClock.Instant
    ) {
        if coder.code(&response, for: request) == .notAcceptable {
            response.reset()
            let detail = "The only content coding of this answer is one that is not accepted."
            service.refuse(.notAcceptable, detail, request, with: &response)
        } else if let shown = service.shown {
            cache.keep(response, shown.tag, shown.state, for: request)
        }
        addFieldsOfCaller(request, to: &response)
    }

    /// Adds what depends on who asks.
    private func addFieldsOfCaller(
        _ request: borrowing HTTPRequest,
        to response: inout HTTPResponse
    ) {
        if let crossOrigin = settings.crossOrigin {
            crossOrigin.addFields(for: request, to: &response)
            if CrossOrigin.isPreflight(request) {
                CrossOrigin.addPreflightFields(to: &response)
            }
        }
        response.addField(.xRequestID) { service.writeRequestID(to: &$0) }
        service.count(response.status, taking: ContinuousClock.now - start)
        if settings.notesAnswers { response.note = service.answerNote }
    }
}
