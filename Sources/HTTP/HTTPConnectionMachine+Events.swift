import Bytes

extension HTTPConnectionMachine {
    /// Takes in bytes that have arrived.
    ///
    /// They are parsed in place; only what is not needed yet is copied.
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
        case .responding, .streaming:
            // Nobody asked for bytes; they are kept for the next request.
            hold(bytes)
            return .proceed
        case .lingering(let since, let dropped):
            let total = dropped + bytes.count
            guard total <= limits.maximumLingerBytes else { return close() }
            state = .lingering(since: since, dropped: total)
            return .receive
        case .closing, .closed:
            return .proceed
        }
    }

    /// Takes note that the client sends no more (FIN); it may still read.
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
        case .responding, .streaming, .closing, .closed:
            return .proceed
        }
    }

    /// Sends what the handler has answered, and empties the response for the next answer.
    ///
    /// Further requests that are here already are read, so the action may be `.respond` again.
    package mutating func responseReady(
        _ response: inout HTTPResponse,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard case .responding(let head, _) = state else {
            // The handler's deadline has passed, and the client has its answer.
            response.reset()
            return .proceed
        }
        answer(&response, keepsConnection: head.keepsConnection, at: now, into: &output)
        return actionAfterAnswer(at: now, into: &output)
    }

    /// Answers for a handler that has thrown: a problem of status 500.
    package mutating func handlerFailed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard case .responding(let head, _) = state else { return .proceed }
        let keepsConnection = head.keepsConnection
        answer(.handlerFailed, keepsConnection: keepsConnection, at: now, into: &output)
        return actionAfterAnswer(at: now, into: &output)
    }

    /// Takes note that the socket has taken some bytes of the output.
    ///
    /// The caller removes them from the output itself.
    package mutating func bytesWritten(_ count: Int, at now: HTTPTime) {
        writing?.add(count, at: now)
    }

    /// Goes on after the socket has taken all of the output.
    package mutating func outputDrained(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        precondition(output.isEmpty, "\(output.count) bytes of the output are left")
        writing = nil
        switch state {
        case .idle, .receivingHead, .receivingBody:
            restartWaiting(at: now)
            return actionAfterAnswer(at: now, into: &output)
        case .streaming(let stream, let isChunked, let keepsConnection):
            return produce(
                from: stream,
                isChunked: isChunked,
                keepsConnection: keepsConnection,
                at: now,
                into: &output
            )
        case .closing:
            return finishConnection(at: now)
        case .responding, .lingering, .closed:
            return .proceed
        }
    }

    /// Gives up what has taken too long.
    ///
    /// Calling too early is harmless: the action is `.proceed`.
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
        case .responding:
            answer(.handlerTimeout, keepsConnection: false, at: now, into: &output)
            return nextAction(at: now, output)
        case .streaming, .closing, .closed:
            return .proceed
        }
    }

    /// Stops taking requests: an idle connection closes now, a busy one after its answer.
    ///
    /// A request that is here in part is waited for within its deadline and answered with close.
    package mutating func drainRequested(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        isDraining = true
        switch state {
        case .idle:
            return writing == nil && held == nil ? close() : .proceed
        case .receivingHead, .receivingBody, .responding, .streaming, .closing, .lingering,
            .closed:
            return .proceed
        }
    }
}
