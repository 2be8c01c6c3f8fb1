import Bytes

extension HTTPConnectionStateMachine {
    /// Handles bytes that have arrived.
    ///
    /// They are parsed in place. Only bytes that are not needed yet are copied.
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
            answer(.refused(.truncatedHead), keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .receivingBody:
            answer(.refused(.truncatedBody), keepsConnection: false, at: now, into: &output)
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
    /// - Parameters:
    ///   - sink: Receives the body piece by piece; nil keeps the body in memory.
    ///   - now: The time.
    ///   - output: The output to append to.
    /// - Returns: The next action.
    package mutating func bodyAdmitted(
        to sink: (any HTTPBodySink)? = nil,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard case .admitting(let head, _) = state else { return .proceed }
        guard sink != nil || !isTooLargeForMemory(head.framing) else {
            refuseBody(at: now, into: &output)
            return actionAfterAnswer(at: now, into: &output)
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
            answer(&response, keepsConnection: head.keepsConnection, at: now, into: &output)
        case .admitting:
            // The body that may follow is not read, so no other request can.
            answer(&response, keepsConnection: false, at: now, into: &output)
        case .idle, .receivingHead, .receivingBody, .streaming, .waitingForStream, .closing,
            .lingering, .closed:
            // The handler's deadline has passed, and the client already has a response.
            response.reset()
            return .proceed
        }
        return actionAfterAnswer(at: now, into: &output)
    }

    /// Releases a request whose whole response is in the output, before the output is sent.
    ///
    /// The next request, of any connection, is read into its memory.
    ///
    /// - Returns: Whether it was released. It is not while more is to be sent or a request has
    ///   begun.
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
    package mutating func answerDeferred(
        at now: HTTPTime,
        _ output: borrowing HTTPOutput
    ) -> HTTPConnectionAction {
        precondition(isResponding, "an answer is deferred that nobody waits for")
        guard !output.isEmpty else {
            // Earlier responses may have been sent without a report to the machine.
            writing = nil
            return .waitForAnswer
        }
        if writing == nil { writing = StallDetector(at: now) }
        return .write
    }

    /// Responds for a handler that has thrown, with a problem of status 500.
    package mutating func handlerFailed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        handlerIsOut(.handlerFailed, at: now, into: &output)
    }

    /// Responds for a handler without room for the request, with a problem of status 503.
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
        answer(problem, keepsConnection: keepsConnection, at: now, into: &output)
        return actionAfterAnswer(at: now, into: &output)
    }

    /// Records that the socket has taken `count` bytes of the output.
    ///
    /// The caller removes them from the output.
    package mutating func bytesWritten(_ count: Int, at now: HTTPTime) {
        writing?.add(count, at: now)
    }

    /// Continues after the socket has taken all of the output.
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
            return actionAfterAnswer(at: now, into: &output)
        case .waitingForStream(let body, let until):
            if peerHasClosed, !body.waitsForPieces { return close() }
            return now.elapsed < until
                ? nextAction(at: now, output) : produce(body, at: now, into: &output)
        case .closing:
            return finishConnection(at: now)
        case .responding:
            return .waitForAnswer
        case .admitting, .streaming, .lingering, .closed:
            return .proceed
        }
    }

    /// Continues with a stream that was woken.
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
    package mutating func deadlinePassed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard let elapsedAtDeadline, now.elapsed >= elapsedAtDeadline else { return .proceed }
        guard writing == nil else {
            _ = close()
            return .abort
        }
        switch state {
        case .idle, .lingering:
            return close()
        case .receivingHead:
            answer(.headTimeout, keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .receivingBody:
            answer(.bodyTimeout, keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .responding, .admitting:
            answer(.handlerTimeout, keepsConnection: false, at: now, into: &output)
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
