import Bytes

extension HTTPConnectionStateMachine {
    /// Reads requests until the handler must respond to one, or until no bytes remain.
    ///
    /// - Returns: The number of bytes that the caller need not pass again.
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
            answer(.refused(error), keepsConnection: false, at: now, into: &output)
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

    /// Continues after a complete head of `consumed` bytes.
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
    mutating func actionAfterAnswer(
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

    /// Continues to read in held bytes.
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

    /// Whether another response may be gathered before the output is written.
    private func hasRoom(in output: borrowing HTTPOutput) -> Bool {
        output.isEmpty
            || gathersAnswers && output.count < limits.maximumGatheredBytes && output.file == nil
    }

    /// Appends bytes to those that are held.
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

    /// Returns the action that follows from the state and the output.
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
            return body.waitsForPieces ? .waitForAnswer : .waitForStream
        case .admitting, .responding, .streaming, .closing, .closed:
            return .proceed
        }
    }

    /// Ends a connection whose last response has been sent.
    mutating func finishConnection(at now: HTTPTime) -> HTTPConnectionAction {
        rules.takeMemory(of: &request)
        guard !peerHasClosed else { return close() }
        state = .lingering(since: now.elapsed, dropped: 0)
        return .linger
    }

    /// Goes to the last state.
    mutating func close() -> HTTPConnectionAction {
        state = .closed
        writing = nil
        held = nil
        return .close
    }

    /// Appends the next piece of a stream to the output.
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

    /// Continues after a complete head.
    ///
    /// If a byte of the body has arrived with the head, the client does not wait for 100. Its
    /// Expect field is ignored then.
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
            answer(.unknownMethod, keepsConnection: false, at: now, into: &output)
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

    /// Reads the body from now on.
    mutating func receiveBody(of head: RequestHead, at now: HTTPTime) {
        let parser = BodyParser(
            framing: head.framing,
            keepsData: head.isMethodKnown && !request.method.ignoresBody,
            maximumBytes: request.sink == nil ? nil : limits.maximumHandedBodyBytes
        )
        reception = BodyReception(parser: parser, progress: StallDetector(at: now))
        state = .receivingBody(head)
    }

    /// Whether a body is longer than the limit for bodies in memory.
    func isTooLargeForMemory(_ framing: BodyFraming) -> Bool {
        switch framing {
        case .absent, .chunked: false
        case .length(let length): length > limits.maximumBodyBytes
        }
    }

    /// Refuses a body that is too large for memory and has no sink.
    mutating func refuseBody(at now: HTTPTime, into output: inout HTTPOutput) {
        let error = ParseError.bodyTooLarge(limit: limits.maximumBodyBytes)
        answer(.refused(error), keepsConnection: false, at: now, into: &output)
    }

    /// Whether a body may be passed to a sink.
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

    /// Continues after a complete request.
    private mutating func finish(
        _ head: RequestHead,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) {
        guard head.isMethodKnown else {
            let keepsConnection = head.keepsConnection
            answer(.unknownMethod, keepsConnection: keepsConnection, at: now, into: &output)
            return
        }
        state = .responding(head, since: now.elapsed)
    }
}
