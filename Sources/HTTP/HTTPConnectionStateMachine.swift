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
        case idle(since: Duration)
        case receivingHead(since: Duration)
        case admitting(RequestHead, since: Duration)
        case receivingBody(RequestHead)
        case responding(RequestHead, since: Duration)
        case streaming(StreamedBody)
        /// The stream has nothing to send yet; its last piece may still be in the output.
        case waitingForStream(StreamedBody, until: Duration)
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

    struct StreamedBody {
        let stream: any HTTPBodyStream
        let isChunked: Bool
        let keepsConnection: Bool
        let waitsForPieces: Bool
    }

    package var isWaitingForStream: Bool {
        if case .waitingForStream = state { true } else { false }
    }

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

    /// The status of the last final response; nil before the first.
    package internal(set) var lastStatus: HTTPStatus?

    private let addressOnly = AddressOnly()
    let rules: HTTPConnectionConfiguration
    var state: State
    var reception: BodyReception?
    var parser = RequestParser()
    var held: UnsavedInput?
    var responseCount = 0

    package var isDraining = false

    package var closesAfterResponse = false

    /// Whether responses to pipelined requests are appended to a response that is not sent yet.
    package var gathersResponses = true

    var peerHasClosed = false

    /// Whether the first bytes of the next response were sent before it was made.
    private var hasBegunHead = false

    /// Nil without pending output.
    var writing: StallDetector?

    package internal(set) var streamFailure: (any Error)?

    /// The connection was just accepted.
    ///
    /// Its first action is `.receive`.
    package init(rules: HTTPConnectionConfiguration, at now: HTTPTime) {
        self.rules = rules
        state = .idle(since: now.elapsed)
    }

    var limits: HTTPLimits { rules.limits }

    package var isResponding: Bool {
        if case .responding = state { true } else { false }
    }

    package var isReceivingHead: Bool {
        if case .receivingHead = state { true } else { false }
    }

    /// Whether work remains before the client sends more: a request, or a piece of a response.
    package var hasMoreRequests: Bool {
        if case .streaming = state { true } else { held != nil }
    }

    /// The time when `deadlinePassed` must be called; nil once the connection is to be closed.
    package var deadline: ContinuousClock.Instant? {
        elapsedAtDeadline.map { HTTPTime.instant($0) }
    }

    /// Counted as `HTTPTime` does.
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

    /// Also notes the response in the rules.
    mutating func writeResponse(
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
        writeResponse(&response, keepsConnection: keepsConnection, at: now, into: &output)
    }

    /// Appends a response, or its beginning if it is a stream, and enters the next state.
    mutating func writeResponse(
        _ response: inout HTTPResponse,
        keepsConnection: Bool,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) {
        responseCount += 1
        var keeps =
            keepsConnection && !response.closesConnection && !isDraining && !closesAfterResponse
            && !(peerHasClosed && held == nil)
            && responseCount < limits.maximumRequestsPerConnection
        let framing = framing(of: &response)
        if framing == .untilClose { keeps = false }
        let keptConnection: ResponseEncoder.Connection =
            request.version == .http10 ? .keptForHTTP10 : .kept
        let hasBody = request.method != .head && !response.status.forbidsContent
        lastStatus = response.status
        output.append(
            &response,
            isBegun: hasBegunHead,
            framing: framing,
            connection: keeps ? keptConnection : .closes,
            sendsBody: hasBody && response.stream == nil,
            at: now
        )
        hasBegunHead = false
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

extension HTTPConnectionStateMachine {
    /// They are parsed in place.
    ///
    /// Only bytes that are not needed yet are copied.
    package mutating func bytesReceived(
        _ bytes: borrowing Span<UInt8>,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        switch state {
        case .idle, .receivingHead, .receivingBody:
            guard var input = held.take() else {
                let consumed = read(bytes, at: now, into: &output)
                hold(bytes.extracting(consumed...))
                return nextAction(at: now, output)
            }
            input.bytes.removeFirst(input.start)
            input.start = 0
            input.bytes.append(bytes)
            return goOn(with: input, at: now, into: &output)
        case .admitting, .responding, .streaming:
            // The bytes were not expected in this state. They are held for the next request.
            hold(bytes)
            return .proceed
        case .waitingForStream:
            hold(bytes)
            return isHoldingTooMuch ? close() : .proceed
        case .lingering(let since, let dropped):
            let total = dropped + bytes.count
            guard total <= limits.maximumLingerBytes else { return close() }
            state = .lingering(since: since, dropped: total)
            return .receive
        case .closing, .closed:
            return .proceed
        }
    }

    /// Handles the end of the client's input (FIN), after which the client may still read.
    package mutating func peerClosed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        peerHasClosed = true
        switch state {
        case .idle, .lingering:
            return writing == nil ? close() : .proceed
        case .receivingHead:
            writeResponse(.refused(.truncatedHead), keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .receivingBody:
            writeResponse(.refused(.truncatedBody), keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .waitingForStream(let body, _):
            // A client that follows an endless stream does not end its input. This one has gone.
            return writing == nil && !body.waitsForPieces ? close() : .proceed
        case .admitting, .responding, .streaming, .closing, .closed:
            return .proceed
        }
    }

    /// Reads the body that the handler accepts, and sends 100 to a client that waits for it.
    ///
    /// The sink receives the body piece by piece. Nil keeps the body in memory.
    package mutating func bodyAdmitted(
        to sink: (any HTTPBodySink)? = nil,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard case .admitting(let head, _) = state else { return .proceed }
        guard sink != nil || !isTooLargeForMemory(head.framing) else {
            refuseBody(at: now, into: &output)
            return actionAfterResponse(at: now, into: &output)
        }
        request.sink = sink
        receiveBody(of: head, at: now)
        if let input = held.take() { return goOn(with: input, at: now, into: &output) }
        if head.expectsContinue { output.appendContinue() }
        return nextAction(at: now, output)
    }

    /// Sends the handler's response, and empties `response` for the next one.
    ///
    /// Further requests that have arrived are read, so the action may be `.respond` again.
    package mutating func responseReady(
        _ response: inout HTTPResponse,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        switch state {
        case .responding(let head, _):
            writeResponse(&response, keepsConnection: head.keepsConnection, at: now, into: &output)
        case .admitting:
            // The body that may follow is not read, so no other request can.
            writeResponse(&response, keepsConnection: false, at: now, into: &output)
        case .idle, .receivingHead, .receivingBody, .streaming, .waitingForStream, .closing,
            .lingering, .closed:
            // The handler's deadline has passed, and the client already has a response.
            response.reset()
            return .proceed
        }
        return actionAfterResponse(at: now, into: &output)
    }

    /// Releases a request whose whole response is in the output, before the output is sent.
    ///
    /// The next request, of any connection, is read into its memory.
    ///
    /// False while more is to be sent or a request has begun.
    package mutating func releaseRequest() -> Bool {
        guard held == nil else { return false }
        switch state {
        case .idle, .closing:
            rules.takeMemory(of: &request)
            return true
        case .receivingHead, .admitting, .receivingBody, .responding, .streaming,
            .waitingForStream, .lingering, .closed:
            return false
        }
    }

    /// Records that another thread makes the response and delivers it later.
    ///
    /// Earlier responses are sent meanwhile.
    package mutating func responseDeferred(
        at now: HTTPTime,
        _ output: borrowing HTTPOutput
    ) -> HTTPConnectionAction {
        precondition(isResponding, "an answer is deferred that nobody waits for")
        guard !output.isEmpty else {
            // Earlier responses may have been sent without a report to the machine.
            writing = nil
            return .waitForResponse
        }
        if writing == nil { writing = StallDetector(at: now) }
        return .write
    }

    /// Sends the first bytes of the response to a client that has ended its input.
    ///
    /// A client that still reads waits for the rest. The system of a client that has gone resets
    /// the connection, which cancels the work for its response.
    package mutating func probeClient(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        if !hasBegunHead { output.beginHead() }
        hasBegunHead = true
        return responseDeferred(at: now, output)
    }

    package mutating func handlerFailed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        handlerIsOut(.handlerFailed, at: now, into: &output)
    }

    package mutating func handlerOverloaded(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        handlerIsOut(.overloaded, at: now, into: &output)
    }

    private mutating func handlerIsOut(
        _ problem: ProblemDetails,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        let keepsConnection: Bool
        switch state {
        case .responding(let head, _): keepsConnection = head.keepsConnection
        case .admitting: keepsConnection = false
        case .idle, .receivingHead, .receivingBody, .streaming, .waitingForStream, .closing,
            .lingering, .closed:
            return .proceed
        }
        writeResponse(problem, keepsConnection: keepsConnection, at: now, into: &output)
        return actionAfterResponse(at: now, into: &output)
    }

    /// The caller removes them from the output.
    package mutating func bytesWritten(_ count: Int, at now: HTTPTime) {
        writing?.add(count, at: now)
    }

    package mutating func outputDrained(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        precondition(output.isEmpty, "\(output.count) bytes of the output are left")
        // The rate of a streamed response is that of all its pieces.
        if case .streaming(let body) = state { return produce(body, at: now, into: &output) }
        writing = nil
        switch state {
        case .idle, .receivingHead, .receivingBody:
            restartWaiting(at: now)
            return actionAfterResponse(at: now, into: &output)
        case .waitingForStream(let body, let until):
            if peerHasClosed, !body.waitsForPieces { return close() }
            return now.elapsed < until
                ? nextAction(at: now, output) : produce(body, at: now, into: &output)
        case .closing:
            return finishConnection(at: now)
        case .responding:
            return .waitForResponse
        case .admitting, .streaming, .lingering, .closed:
            return .proceed
        }
    }

    package mutating func streamReady(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard case .waitingForStream(let body, _) = state else { return .proceed }
        return produceNow(body, at: now, into: &output)
    }

    /// Polls a waiting stream, at once or when its last piece has been sent.
    private mutating func produceNow(
        _ body: StreamedBody,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard writing != nil else { return produce(body, at: now, into: &output) }
        state = .waitingForStream(body, until: now.elapsed)
        return .proceed
    }

    /// Gives up the step that has taken too long.
    ///
    /// An early call is harmless: the action is `.proceed`.
    /// `waiting` is the number of sent bytes that the client's system has not taken; nil if it is
    /// unknown. A client that takes some of them is slow, and one that takes none has stalled.
    package mutating func deadlinePassed(
        at now: HTTPTime,
        waiting: Int? = nil,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        if let waiting { writing?.note(waiting: waiting, at: now) }
        guard let elapsedAtDeadline, now.elapsed >= elapsedAtDeadline else { return .proceed }
        guard writing == nil else {
            _ = close()
            return .abort
        }
        switch state {
        case .idle, .lingering:
            return close()
        case .receivingHead:
            writeResponse(.headTimeout, keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .receivingBody:
            writeResponse(.bodyTimeout, keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .responding, .admitting:
            writeResponse(.handlerTimeout, keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .waitingForStream(let body, _):
            return produce(body, at: now, into: &output)
        case .streaming, .closing, .closed:
            return .proceed
        }
    }

    /// Stops taking requests: an idle connection closes now, a busy one after its response.
    ///
    /// A request that has arrived in part may still complete within its deadline. Its response
    /// closes the connection.
    package mutating func drainRequested(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        isDraining = true
        switch state {
        case .idle:
            return writing == nil && held == nil ? close() : .proceed
        case .waitingForStream(let body, _):
            return produceNow(body, at: now, into: &output)
        case .admitting, .receivingHead, .receivingBody, .responding, .streaming, .closing,
            .lingering,
            .closed:
            return .proceed
        }
    }
}

extension HTTPConnectionStateMachine {
    /// Reads requests until the handler must respond to one, or until no bytes remain.
    ///
    /// Returns the number of bytes that the caller need not pass again.
    mutating func read(
        _ bytes: borrowing Span<UInt8>,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> Int {
        var consumed = 0
        do {
            while true {
                let rest = bytes.extracting(consumed...)
                let progress: ParseProgress
                switch state {
                case .idle, .receivingHead:
                    guard hasRoom(in: output) else { return consumed }
                    progress = try readHead(rest, at: now, into: &output)
                case .receivingBody(let head):
                    progress = try readBody(rest, of: head, at: now, into: &output)
                case .admitting, .responding, .streaming, .waitingForStream:
                    return consumed
                case .closing, .lingering, .closed:
                    return bytes.count
                }
                consumed += progress.consumed
                if !progress.isComplete { return consumed }
            }
        } catch {
            writeResponse(.refused(error), keepsConnection: false, at: now, into: &output)
            return bytes.count
        }
    }

    private mutating func readHead(
        _ bytes: borrowing Span<UInt8>,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) throws(ParseError) -> ParseProgress {
        // Memory is borrowed only here: a head that is partly read already has it.
        if case .idle = state {
            rules.lendMemory(to: &request)
            // Most clients repeat a request, or send one that another client has sent.
            if let head = request.headRead(at: bytes) {
                return begin(head, behind: request.head.count, of: bytes, at: now, into: &output)
            }
        }
        switch try parser.parse(bytes, into: &request, limits: limits) {
        case .needsMoreBytes:
            if case .idle = state, parser.hasBegun { state = .receivingHead(since: now.elapsed) }
            return ParseProgress(consumed: 0, isComplete: false)
        case .complete(let head, let consumed):
            request.keep(head, number: rules.numberHead())
            return begin(head, behind: consumed, of: bytes, at: now, into: &output)
        }
    }

    /// The head has `consumed` bytes.
    private mutating func begin(
        _ head: RequestHead,
        behind consumed: Int,
        of bytes: borrowing Span<UInt8>,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> ParseProgress {
        parser = RequestParser()
        begin(head, isBodyHere: consumed < bytes.count, at: now, into: &output)
        return ParseProgress(consumed: consumed, isComplete: true)
    }

    private mutating func readBody(
        _ bytes: borrowing Span<UInt8>,
        of head: RequestHead,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) throws(ParseError) -> ParseProgress {
        guard var reception = reception.take() else {
            preconditionFailure("a body is received of which nothing is known")
        }
        let progress = try reception.parser.parse(bytes, into: &request.body, limits: limits)
        if let sink = request.sink, !request.body.isEmpty {
            sink.take(request.body.span)
            request.body.removeAll(keepingCapacity: true)
        }
        guard !progress.isComplete else {
            finish(head, at: now, into: &output)
            return progress
        }
        reception.progress.add(bytes.count - reception.unconsumed, at: now)
        reception.unconsumed = bytes.count - progress.consumed
        self.reception = reception
        return progress
    }

    /// Reads the held bytes, if the state reads and the output has room for a response.
    mutating func actionAfterResponse(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        switch state {
        case .idle, .receivingHead, .receivingBody:
            if hasRoom(in: output), let input = held.take() {
                return goOn(with: input, at: now, into: &output)
            }
        case .streaming(let body):
            return produce(body, at: now, into: &output)
        case .admitting, .responding, .waitingForStream, .closing, .lingering, .closed:
            break
        }
        return nextAction(at: now, output)
    }

    mutating func goOn(
        with input: consuming UnsavedInput,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        let start = input.start
        let consumed = input.bytes.withBytes { bytes in
            read(bytes.extracting(start...), at: now, into: &output)
        }
        input.start += consumed
        if input.start < input.bytes.count { held = consume input }
        return nextAction(at: now, output)
    }

    private func hasRoom(in output: borrowing HTTPOutput) -> Bool {
        output.isEmpty
            || gathersResponses && output.count < limits.maximumGatheredBytes && output.file == nil
    }

    mutating func hold(_ bytes: borrowing Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        var input = held.take() ?? UnsavedInput(bytes: ByteBuffer(minimumCapacity: 512), start: 0)
        input.bytes.append(bytes)
        held = consume input
    }

    /// Whether the held bytes exceed one read of the loop.
    var isHoldingTooMuch: Bool {
        switch held {
        case .some(let input): input.bytes.count - input.start > limits.receiveBufferBytes
        case nil: false
        }
    }

    mutating func nextAction(
        at now: HTTPTime,
        _ output: borrowing HTTPOutput
    ) -> HTTPConnectionAction {
        if case .responding = state { return .respond }
        if case .admitting = state { return .admit }
        guard output.isEmpty else {
            if writing == nil { writing = StallDetector(at: now) }
            return .write
        }
        switch state {
        case .idle:
            guard isDraining || peerHasClosed, held == nil else {
                rules.takeMemory(of: &request)
                return .receive
            }
            return finishConnection(at: now)
        case .receivingHead, .receivingBody, .lingering:
            return .receive
        case .waitingForStream(let body, _):
            return body.waitsForPieces ? .waitForResponse : .waitForStream
        case .admitting, .responding, .streaming, .closing, .closed:
            return .proceed
        }
    }

    mutating func finishConnection(at now: HTTPTime) -> HTTPConnectionAction {
        rules.takeMemory(of: &request)
        guard !peerHasClosed else { return close() }
        state = .lingering(since: now.elapsed, dropped: 0)
        return .linger
    }

    mutating func close() -> HTTPConnectionAction {
        state = .closed
        writing = nil
        held = nil
        return .close
    }

    mutating func produce(
        _ body: StreamedBody,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        do {
            switch try output.appendPiece(of: body.stream, isChunked: body.isChunked) {
            case .more:
                state = .streaming(body)
            case .waiting(let longest):
                state = .waitingForStream(body, until: now.elapsed + longest)
            case .finished:
                state = body.keepsConnection ? .idle(since: now.elapsed) : .closing
            }
        } catch {
            // The head is sent, so only a reset shows the client that the body is incomplete.
            streamFailure = error
            _ = close()
            return .abort
        }
        if case .waitingForStream = state {
            // The client has all earlier bytes. The clock restarts with the next piece.
            if output.isEmpty { writing = nil }
            return nextAction(at: now, output)
        }
        return output.isEmpty ? outputDrained(at: now, into: &output) : nextAction(at: now, output)
    }

    /// Restarts the clock of the state, after the previous response was sent.
    mutating func restartWaiting(at now: HTTPTime) {
        switch state {
        case .idle:
            state = .idle(since: now.elapsed)
        case .receivingHead:
            state = .receivingHead(since: now.elapsed)
        case .receivingBody:
            reception?.progress = StallDetector(at: now)
        case .admitting, .responding, .streaming, .waitingForStream, .closing, .lingering, .closed:
            break
        }
    }

    /// If a byte of the body has arrived with the head, the client does not wait for 100.
    ///
    /// Its Expect field is ignored then.
    private mutating func begin(
        _ head: RequestHead,
        isBodyHere: Bool,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) {
        if !request.body.isEmpty { request.body.removeAll(keepingCapacity: true) }
        if request.sink != nil { request.sink = nil }
        guard head.framing != .absent else { return finish(head, at: now, into: &output) }
        guard
            !isTooLargeForMemory(head.framing) || head.isMethodKnown && !request.method.ignoresBody
        else {
            return refuseBody(at: now, into: &output)
        }
        let isAwaited = head.expectsContinue && !isBodyHere
        if !head.isMethodKnown, isAwaited || isTooLargeToDrop(head.framing) {
            writeResponse(.unknownMethod, keepsConnection: false, at: now, into: &output)
        } else if isAwaited, request.method.ignoresBody {
            // The body is not needed, and it is unknown whether the client sends it now.
            var closing = head
            closing.keepsConnection = false
            finish(closing, at: now, into: &output)
        } else if isAwaited || head.isMethodKnown && isNotSimplyRead(head.framing),
            !request.method.ignoresBody
        {
            state = .admitting(head, since: now.elapsed)
        } else {
            receiveBody(of: head, at: now)
        }
    }

    mutating func receiveBody(of head: RequestHead, at now: HTTPTime) {
        let parser = BodyParser(
            framing: head.framing,
            keepsData: head.isMethodKnown && !request.method.ignoresBody,
            maximumBytes: request.sink == nil ? nil : limits.maximumHandedBodyBytes
        )
        reception = BodyReception(parser: parser, progress: StallDetector(at: now))
        state = .receivingBody(head)
    }

    func isTooLargeForMemory(_ framing: BodyFraming) -> Bool {
        switch framing {
        case .absent, .chunked: false
        case .length(let length): length > limits.maximumBodyBytes
        }
    }

    mutating func refuseBody(at now: HTTPTime, into output: inout HTTPOutput) {
        let error = ParseError.bodyTooLarge(limit: limits.maximumBodyBytes)
        writeResponse(.refused(error), keepsConnection: false, at: now, into: &output)
    }

    private func mayBeHanded(_ framing: BodyFraming) -> Bool {
        framing == .chunked && limits.maximumHandedBodyBytes > 0
    }

    /// Whether the handler decides about a body before it is read.
    private func isNotSimplyRead(_ framing: BodyFraming) -> Bool {
        isTooLargeToDrop(framing) || isTooLargeForMemory(framing) || mayBeHanded(framing)
    }

    private func isTooLargeToDrop(_ framing: BodyFraming) -> Bool {
        switch framing {
        case .absent, .chunked: false
        case .length(let length): length > limits.maximumDroppedBodyBytes
        }
    }

    private mutating func finish(
        _ head: RequestHead,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) {
        guard head.isMethodKnown else {
            let keepsConnection = head.keepsConnection
            writeResponse(.unknownMethod, keepsConnection: keepsConnection, at: now, into: &output)
            return
        }
        state = .responding(head, since: now.elapsed)
    }
}
