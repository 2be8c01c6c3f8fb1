import Bytes
import HTTP
import Sockets

/// When an answer was begun, and how long its request had waited for that.
struct AnswerStart {
    let moment: MonotonicTime
    let queued: Duration
}

extension ServerLoop {
    /// Lets the handler answer the connection's request, or sends what was made elsewhere.
    mutating func respond(
        to connection: HTTPConnection,
        _ machine: inout HTTPConnectionMachine,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        if let peerHandler { peerHandler.peer = connection.peer }
        if let deferred = connection.deferred {
            return finish(deferred, for: connection, &machine, &output)
        }
        let start = answerStart
        do {
            try machine.withRequest { try handler.respond(to: $0, with: &response) }
        } catch {
            return handlerFailed(error, for: connection, &machine, since: start, &output)
        }
        if let deferral = response.deferral.take() {
            response.reset()
            return begin(deferral, for: connection, &machine, since: start, &output)
        }
        return send(to: connection, &machine, since: start, &output)
    }

    /// Lets the handler decide about a body that is announced.
    mutating func admitBody(
        of connection: HTTPConnection,
        _ machine: inout HTTPConnectionMachine,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        let start = answerStart
        if let peerHandler { peerHandler.peer = connection.peer }
        do {
            let decision = try machine.withRequest { request in
                try handler.admitBody(of: request, with: &response)
            }
            switch decision {
            case .read:
                response.reset()
                return machine.bodyAdmitted(at: time, into: &output)
            case .hand(let sink):
                response.reset()
                return machine.bodyAdmitted(to: sink, at: time, into: &output)
            case .respond:
                return send(to: connection, &machine, since: start, &output)
            }
        } catch {
            return handlerFailed(error, for: connection, &machine, since: start, &output)
        }
    }

    /// The beginning of an answer, where the log is to be told of it.
    private var answerStart: AnswerStart? {
        guard configuration.accessLog != nil else { return nil }
        return AnswerStart(moment: .now, queued: time.monotonic.duration(to: .now))
    }

    mutating func handlerFailed(
        _ error: any Error,
        for connection: HTTPConnection,
        _ machine: inout HTTPConnectionMachine,
        since start: AnswerStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        response.reset()
        configuration.eventLog?(
            .handlerFailed(
                method: machine.request.method,
                target: machine.request.target,
                error: error
            )
        )
        var failed: AccessRecord?
        if let start {
            failed = record(.internalServerError, of: connection, machine, since: start)
        }
        let action = machine.handlerFailed(at: time, into: &output)
        // Later ones are answers to requests behind this one.
        if let refusal = rules.takeRefusal(), var failed {
            failed.requestID = refusal.requestID
            failed.status = refusal.status
            failed.bodyBytes = refusal.bodyBytes
            configuration.accessLog?(failed)
        }
        return action
    }

    /// Hands the response to the connection.
    mutating func send(
        to connection: HTTPConnection,
        _ machine: inout HTTPConnectionMachine,
        since start: AnswerStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        // The server may have been told to stop while the answer was made.
        if configuration.state.isDraining { response.closesConnection = true }
        if response.isLasting, machine.request.method != .head {
            guard let place = server.lastingStreams.enter(connection.descriptor) else {
                response.reset()
                return machine.handlerOverloaded(at: time, into: &output)
            }
            connection.lasting = place
        }
        let stream = machine.request.method == .head ? nil : response.stream
        if let start {
            let record = record(response.status, of: connection, machine, since: start)
            if stream == nil {
                configuration.accessLog?(record)
            } else {
                connection.streamed = StreamedAnswer(record: record, start: start.moment)
            }
        }
        stream?.begin(waker: wokenStreams.waker(for: connection.token))
        return machine.responseReady(&response, at: time, into: &output)
    }

    /// What the log is told of an answer by the handler, at once or when its stream is over.
    private func record(
        _ status: HTTPStatus,
        of connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionMachine,
        since start: AnswerStart
    ) -> AccessRecord {
        let hasBody = machine.request.method != .head && response.stream == nil
        return AccessRecord(
            method: machine.request.method,
            target: machine.request.target,
            requestID: response.field(.xRequestID),
            status: status,
            bodyBytes: hasBody ? response.contentLength : 0,
            duration: .nanoseconds(start.moment.age),
            queued: start.queued,
            isAborted: false,
            client: connection.peer?.text,
            userAgent: machine.request.field(.userAgent),
            referrer: machine.request.field(.referer),
            version: machine.request.version,
            note: response.note
        )
    }

    /// Tells the log of the answers that the machine has given without the handler.
    func logRefusals(of connection: HTTPConnection) {
        while let refusal = rules.takeRefusal() {
            configuration.accessLog?(
                AccessRecord(
                    method: nil,
                    target: "",
                    requestID: refusal.requestID,
                    status: refusal.status,
                    bodyBytes: refusal.bodyBytes,
                    duration: .zero,
                    queued: .zero,
                    isAborted: false,
                    client: connection.peer?.text
                )
            )
        }
    }

    /// Tells the operator why a stream broke off, where it was not the client's doing.
    func tellStreamFailure(
        of connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionMachine
    ) {
        guard let error = machine.streamFailure, let record = connection.streamed?.record
        else { return }
        configuration.eventLog?(
            .streamFailed(
                method: machine.request.method,
                target: record.target,
                bodyBytes: record.bodyBytes,
                error: error
            )
        )
    }

    /// Tells the log of a stream that is over.
    func logStream(of connection: HTTPConnection, isAborted: Bool) {
        guard let streamed = connection.streamed.take() else { return }
        streamed.record.duration = .nanoseconds(streamed.start.age)
        streamed.record.isAborted = isAborted
        configuration.accessLog?(streamed.record)
    }
}
