import Bytes

/// What happens on one HTTP/1.1 or HTTP/1.0 connection, as a pure state machine: it is told events
/// and says what to do next.
///
/// It parses requests, one in progress at a time and answered in order, frames the answers,
/// keeps the connection or closes it (RFC 9112 §9), and knows how long the next event may take.
/// It does no input or output and reads no clock. After every event the caller obeys the returned
/// action and sees to it that `deadlinePassed` is called once `deadline` has passed.
///
/// The caller passes the loop's `HTTPOutput`, or the connection's own one while it is not drained.
package struct HTTPConnectionMachine: ~Copyable {
    enum State {
        /// No byte of a request is here.
        case idle(since: Duration)
        case receivingHead(since: Duration)
        /// The handler decides whether the body is read.
        case admitting(RequestHead, since: Duration)
        case receivingBody(RequestHead)
        /// The handler works.
        case responding(RequestHead, since: Duration)
        /// A piece of the body is in the output; more pieces follow.
        case streaming(StreamedBody)
        /// The stream has nothing to send yet; its last piece may still be in the output.
        case waitingForStream(StreamedBody, until: Duration)
        /// The last answer is in the output.
        case closing
        /// The last answer is sent; input is dropped.
        case lingering(since: Duration, dropped: Int)
        case closed
    }

    /// A body on its way in: beside the state, which is looked at many times for each request.
    struct BodyReception {
        var parser: BodyParser
        var progress: TransferProgress
        /// Bytes that were here before and that the parser wants to see again.
        var unconsumed = 0
    }

    /// An answer's body on its way out, piece by piece.
    struct StreamedBody {
        let stream: any HTTPBodyStream
        let isChunked: Bool
        let keepsConnection: Bool
        /// Whether it waits for pieces that are made elsewhere, up to its end.
        let waitsForPieces: Bool
    }

    /// Whether a stream has nothing to send yet.
    package var isWaitingForStream: Bool {
        if case .waitingForStream = state { true } else { false }
    }

    /// Bytes received that no request has taken in yet.
    struct HeldInput: ~Copyable {
        var bytes: ByteBuffer
        var start: Int
    }

    /// The request the handler has to answer; complete while the action is `.respond`.
    ///
    /// An idle connection has no memory for one.
    package internal(set) var request = HTTPRequest.empty

    /// Lends the request, which a look at ``request`` would copy.
    package borrowing func withRequest<R, E: Error>(
        _ body: (borrowing HTTPRequest) throws(E) -> R
    ) throws(E) -> R {
        try body(request)
    }

    /// The status of the last final answer, for the access log; nil before the first.
    package internal(set) var lastStatus: HTTPStatus?

    private let place = InPlace()
    let rules: HTTPConnectionRules
    var state: State
    /// The body that is received; nil while none is.
    var reception: BodyReception?
    var parser = RequestParser()
    var held: HeldInput?
    var requestsAnswered = 0

    /// Whether every answer from now on closes the connection.
    package var isDraining = false

    /// Whether the answers of this event close the connection.
    package var closesAfterAnswer = false

    /// Whether answers to requests that are here already are put behind one that is not sent yet.
    package var gathersAnswers = true

    var peerHasClosed = false

    /// The output on its way; nil while the socket has nothing to take.
    var writing: TransferProgress?

    /// What a stream threw, which ended the connection; nil while none did.
    package internal(set) var streamFailure: (any Error)?

    /// Creates the machine of a connection just accepted; the first action is `.receive`.
    ///
    /// - Parameters:
    ///   - rules: What the client is held to.
    ///   - now: When the connection was accepted.
    package init(rules: HTTPConnectionRules, at now: HTTPTime) {
        self.rules = rules
        state = .idle(since: now.elapsed)
    }

    var limits: HTTPLimits { rules.limits }

    /// Whether the handler works on `request`.
    package var isResponding: Bool {
        if case .responding = state { true } else { false }
    }

    /// Whether a request has begun whose head is not here as a whole.
    package var isReceivingHead: Bool {
        if case .receivingHead = state { true } else { false }
    }

    /// Whether there is something to do before the client sends more: another request, or another
    /// piece of an answer.
    package var hasMoreToAnswer: Bool {
        if case .streaming = state { true } else { held != nil }
    }

    /// When `deadlinePassed` has to be called; nil once the connection is to be closed.
    package var deadline: ContinuousClock.Instant? {
        elapsedAtDeadline.map { HTTPTime.instant($0) }
    }

    /// The deadline, counted as `HTTPTime` does.
    var elapsedAtDeadline: Duration? {
        if let writing {
            return writing.deadline(
                stall: limits.writeTimeout,
                grace: limits.writeRateGrace,
                minimumRate: limits.minimumBytesPerSecond
            )
        }
        switch state {
        case .idle(let since): return since + limits.idleTimeout
        case .receivingHead(let since): return since + limits.headTimeout
        case .receivingBody:
            return reception?.progress.deadline(
                stall: limits.bodyTimeout,
                grace: limits.bodyTimeout,
                minimumRate: limits.minimumBytesPerSecond
            )
        case .responding(_, let since), .admitting(_, let since):
            return since + limits.handlerTimeout
        case .waitingForStream(_, let until): return until
        case .lingering(let since, _): return since + limits.lingerTimeout
        case .streaming, .closing, .closed: return nil
        }
    }

    /// Appends an answer made without a handler, and notes it in the rules.
    ///
    /// - Parameters:
    ///   - problem: What the client is told.
    ///   - keepsConnection: Whether the connection can be used again.
    ///   - now: The time of the answer.
    ///   - output: What to append to.
    mutating func answer(
        _ problem: HTTPProblem,
        keepsConnection: Bool,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) {
        var response = HTTPResponse()
        let refusal = HTTPRefusal(problem)
        if let refuse = rules.refuse {
            refuse(refusal, &response)
        } else {
            refusal.write(into: &response)
        }
        response.status = refusal.status
        rules.note(
            HTTPRefusedRequest(
                status: refusal.status,
                requestID: response.field(.xRequestID),
                bodyBytes: request.method == .head ? 0 : response.contentLength
            )
        )
        reception = nil
        answer(&response, keepsConnection: keepsConnection, at: now, into: &output)
    }

    /// Appends an answer, or its beginning when it is a stream, and goes on to the state behind it.
    mutating func answer(
        _ response: inout HTTPResponse,
        keepsConnection: Bool,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) {
        requestsAnswered += 1
        var keeps =
            keepsConnection && !response.closesConnection && !isDraining && !closesAfterAnswer
            && !(peerHasClosed && held == nil)
            && requestsAnswered < limits.maximumRequestsPerConnection
        let framing = framing(of: &response)
        if framing == .untilClose { keeps = false }
        let keptConnection: ResponseEncoder.Connection =
            request.version == .http10 ? .keptForHTTP10 : .kept
        let hasBody = request.method != .head && !response.status.forbidsContent
        lastStatus = response.status
        output.append(
            &response,
            framing: framing,
            connection: keeps ? keptConnection : .closes,
            sendsBody: hasBody && response.stream == nil,
            at: now
        )
        state = keeps ? .idle(since: now.elapsed) : .closing
        if !keeps { held = nil }
        if hasBody, let stream = response.stream.take() {
            state = .streaming(
                StreamedBody(
                    stream: stream,
                    isChunked: framing == .chunked,
                    keepsConnection: keeps,
                    waitsForPieces: response.waitsForPieces
                )
            )
        }
        response.reset()
    }

    private func framing(of response: inout HTTPResponse) -> ResponseFraming {
        if response.status.forbidsContent { return .absent }
        guard response.file == nil, response.stream != nil else {
            return .length(response.contentLength)
        }
        return request.version == .http11 ? .chunked : .untilClose
    }
}
