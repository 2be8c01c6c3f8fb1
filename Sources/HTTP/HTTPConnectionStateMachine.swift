import Bytes

/// A state machine for one HTTP/1.1 or HTTP/1.0 connection, which takes events and returns actions.
///
/// It parses requests one at a time, in order, and frames the responses. It keeps the connection or
/// closes it (RFC 9112 §9), and knows the deadline of the next event. It does no input or output
/// and reads no clock. After every event the caller performs the returned action, and calls
/// `deadlinePassed` once `deadline` has passed.
///
/// The caller passes the loop's `HTTPOutput`, or the connection's own one while it is not drained.
package struct HTTPConnectionStateMachine: ~Copyable {
    enum State {
        /// No byte of a request has arrived.
        case idle(since: Duration)
        case receivingHead(since: Duration)
        /// The handler decides whether the body is read.
        case admitting(RequestHead, since: Duration)
        case receivingBody(RequestHead)
        /// The handler works.
        case responding(RequestHead, since: Duration)
        /// A piece of the body is in the output, and more pieces follow.
        case streaming(StreamedBody)
        /// The stream has nothing to send yet; its last piece may still be in the output.
        case waitingForStream(StreamedBody, until: Duration)
        /// The last response is in the output.
        case closing
        /// The last response is sent, and input is dropped.
        case lingering(since: Duration, dropped: Int)
        case closed
    }

    /// A body being received, stored outside the state because each request reads the state often.
    struct BodyReception {
        var parser: BodyParser
        var progress: StallDetector
        /// Bytes that have arrived before and that the parser needs again.
        var unconsumed = 0
    }

    /// A response's body that is sent piece by piece.
    struct StreamedBody {
        let stream: any HTTPBodyStream
        let isChunked: Bool
        let keepsConnection: Bool
        /// Whether all pieces up to the end are made by another thread.
        let waitsForPieces: Bool
    }

    /// Whether a stream has nothing to send yet.
    package var isWaitingForStream: Bool {
        if case .waitingForStream = state { true } else { false }
    }

    /// Received bytes that no request has consumed yet.
    struct UnsavedInput: ~Copyable {
        var bytes: ByteBuffer
        var start: Int
    }

    /// The request for the handler, complete while the action is `.respond`.
    ///
    /// An idle connection has no memory for one.
    package internal(set) var request = HTTPRequest.empty

    /// Calls a closure with the request, because reading ``request`` would copy it.
    package borrowing func withRequest<R, E: Error>(
        _ body: (borrowing HTTPRequest) throws(E) -> R
    ) throws(E) -> R {
        try body(request)
    }

    /// The status of the last final response, for the access log; nil before the first.
    package internal(set) var lastStatus: HTTPStatus?

    private let place = AddressOnly()
    let rules: HTTPConnectionConfiguration
    var state: State
    /// The body that is being received; nil without one.
    var reception: BodyReception?
    var parser = RequestParser()
    var held: UnsavedInput?
    var requestsAnswered = 0

    /// Whether every response from now on closes the connection.
    package var isDraining = false

    /// Whether the responses of this event close the connection.
    package var closesAfterAnswer = false

    /// Whether responses to pipelined requests are appended to a response that is not sent yet.
    package var gathersAnswers = true

    var peerHasClosed = false

    /// The progress of the pending output; nil without pending output.
    var writing: StallDetector?

    /// The error of a stream that ended the connection; nil without one.
    package internal(set) var streamFailure: (any Error)?

    /// Creates the machine of a connection just accepted, whose first action is `.receive`.
    ///
    /// - Parameters:
    ///   - rules: The limits for the client, and the state shared by the loop's connections.
    ///   - now: The time when the connection was accepted.
    package init(rules: HTTPConnectionConfiguration, at now: HTTPTime) {
        self.rules = rules
        state = .idle(since: now.elapsed)
    }

    var limits: HTTPLimits { rules.limits }

    /// Whether the handler works on `request`.
    package var isResponding: Bool {
        if case .responding = state { true } else { false }
    }

    /// Whether a request head has begun and is not complete.
    package var isReceivingHead: Bool {
        if case .receivingHead = state { true } else { false }
    }

    /// Whether work remains before the client sends more: a request, or a piece of a response.
    package var hasMoreToAnswer: Bool {
        if case .streaming = state { true } else { held != nil }
    }

    /// The time when `deadlinePassed` must be called; nil once the connection is to be closed.
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

    /// Appends a response made without a handler, and notes it in the rules.
    ///
    /// - Parameters:
    ///   - problem: The problem that the client receives.
    ///   - keepsConnection: Whether the connection can be used again.
    ///   - now: The time of the response.
    ///   - output: The output to append to.
    mutating func answer(
        _ problem: ProblemDetails,
        keepsConnection: Bool,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) {
        var response = HTTPResponse()
        let refusal = ProtocolErrorResponse(problem)
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

    /// Appends a response, or its beginning if it is a stream, and enters the next state.
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
