import Bytes
import HTTP
import Sockets

/// When an answer was begun, and how long its request had waited for that.
struct AnswerStart {
    let instant: ContinuousClock.Instant
    let queued: Duration
}

extension ServerLoop {
    /// Lets the handler answer the connection's request, or sends what was made elsewhere.
    func respond(
        to connection: HTTPConnection,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        if let peerHandler { peerHandler.peer = connection.peer }
        if let deferred = connection.deferred { return finish(deferred, for: connection, &output) }
        let start = answerStart
        do {
            try connection.machine.withRequest { try handler.respond(to: $0, with: &response) }
        } catch {
            return handlerFailed(error, connection, since: start, &output)
        }
        if let deferral = response.deferral.take() {
            return begin(deferral, for: connection, since: start, &output)
        }
        return send(connection, since: start, &output)
    }

    /// Lets the handler decide about a body that is announced.
    func admitBody(
        of connection: HTTPConnection,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        let start = answerStart
        if let peerHandler { peerHandler.peer = connection.peer }
        do {
            let request = connection.machine.request
            switch try handler.admitBody(of: request, with: &response) {
            case .read:
                response.reset()
                return connection.machine.bodyAdmitted(at: time, into: &output)
            case .hand(let sink):
                response.reset()
                return connection.machine.bodyAdmitted(to: sink, at: time, into: &output)
            case .respond:
                return send(connection, since: start, &output)
            }
        } catch {
            return handlerFailed(error, connection, since: start, &output)
        }
    }

    /// The beginning of an answer, where the log is to be told of it.
    private var answerStart: AnswerStart? {
        guard configuration.accessLog != nil else { return nil }
        let now = ContinuousClock.now
        return AnswerStart(instant: now, queued: time.monotonic.duration(to: now))
    }

    func handlerFailed(
        _ error: any Error,
        _ connection: HTTPConnection,
        since start: AnswerStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        response.reset()
        let request = connection.machine.request
        configuration.eventLog?(
            .handlerFailed(method: request.method, target: request.target, error: error)
        )
        if let start { log(connection, .internalServerError, since: start, bodyBytes: 0) }
        let action = connection.machine.handlerFailed(at: time, into: &output)
        // That one is logged already, but it may have let a request behind it be refused.
        logRefusal(of: connection, except: .internalServerError)
        return action
    }

    /// Hands the response to the connection.
    func send(
        _ connection: HTTPConnection,
        since start: AnswerStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        // While clients wait for a place, everybody gets one answer per connection.
        if acceptor.pause != nil || configuration.state.isDraining {
            response.closesConnection = true
        }
        if response.isLasting, !isHead(connection) {
            guard let place = server.lastingStreams.enter(connection.descriptor) else {
                response.reset()
                let action = connection.machine.handlerOverloaded(at: time, into: &output)
                logRefusal(of: connection)
                return action
            }
            connection.lasting = place
        }
        if let start {
            let bodyBytes =
                isHead(connection) ? 0 : response.file?.count ?? response.body.count
            log(connection, response.status, since: start, bodyBytes: bodyBytes)
        }
        if let stream = response.stream, !isHead(connection) {
            stream.begin(waker: wokenStreams.waker(for: connection.token))
        }
        let action = connection.machine.responseReady(&response, at: time, into: &output)
        logRefusal(of: connection)
        return action
    }

    private func isHead(_ connection: HTTPConnection) -> Bool {
        connection.machine.request.method == .head
    }

    /// Tells the log of an answer by the handler, or keeps it until its stream is over.
    private func log(
        _ connection: HTTPConnection,
        _ status: HTTPStatus,
        since start: AnswerStart,
        bodyBytes: Int
    ) {
        let isStreamed = response.stream != nil && !isHead(connection)
        let record = AccessRecord(
            method: connection.machine.request.method,
            target: connection.machine.request.target,
            requestID: response.field(.xRequestID),
            status: status,
            bodyBytes: isStreamed ? 0 : bodyBytes,
            duration: start.instant.duration(to: .now),
            queued: start.queued,
            isAborted: false,
            note: response.note
        )
        if isStreamed {
            connection.streamed = StreamedAnswer(record: record, start: start.instant)
        } else {
            configuration.accessLog?(record)
        }
    }

    /// Tells the log of an answer the machine has given without the handler.
    func logRefusal(of connection: HTTPConnection, except logged: HTTPStatus? = nil) {
        guard let status = connection.machine.takeRefusal(), status != logged,
            let accessLog = configuration.accessLog
        else { return }
        accessLog(
            AccessRecord(
                method: nil,
                target: "",
                requestID: rules.refusedRequestID,
                status: status,
                bodyBytes: 0,
                duration: .zero,
                queued: .zero,
                isAborted: false
            )
        )
    }

    /// Tells the operator why a stream broke off, where it was not the client's doing.
    func tellStreamFailure(of connection: HTTPConnection) {
        guard let error = connection.machine.streamFailure, let record = connection.streamed?.record
        else { return }
        configuration.eventLog?(
            .streamFailed(
                method: connection.machine.request.method,
                target: record.target,
                bodyBytes: record.bodyBytes,
                error: error
            )
        )
    }

    /// Tells the log of a stream that is over.
    func logStream(of connection: HTTPConnection, isAborted: Bool) {
        guard let streamed = connection.streamed.take() else { return }
        streamed.record.duration = streamed.start.duration(to: .now)
        streamed.record.isAborted = isAborted
        configuration.accessLog?(streamed.record)
    }
}
