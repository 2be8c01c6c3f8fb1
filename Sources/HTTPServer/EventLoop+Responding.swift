import Bytes
import HTTP
import System

/// The time when a response was begun, and the time its request had waited.
struct ResponseStart {
    let moment: MonotonicTime
    let queued: Duration
}

extension EventLoop {
    /// Calls the handler for the connection's request, or sends a deferred response.
    mutating func respond(
        to connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
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

    /// Lets the handler decide about an announced body.
    mutating func admitBody(
        of connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
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

    /// The start of a response; nil without an access log.
    private var answerStart: ResponseStart? {
        guard configuration.accessLog != nil else { return nil }
        return ResponseStart(moment: .now, queued: time.monotonic.duration(to: .now))
    }

    mutating func handlerFailed(
        _ error: any Error,
        for connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        since start: ResponseStart?,
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
        // Later refusals belong to requests after this one.
        if let refusal = rules.takeRefusal(), var failed {
            failed.requestID = refusal.requestID
            failed.status = refusal.status
            failed.bodyBytes = refusal.bodyBytes
            configuration.accessLog?(failed)
        }
        return action
    }

    /// Passes the response to the connection.
    mutating func send(
        to connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        since start: ResponseStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        // The server may have begun to stop while the response was made.
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
                connection.streamed = StreamedResponse(record: record, start: start.moment)
            }
        }
        stream?.begin(waker: wokenStreams.waker(for: connection.token))
        return machine.responseReady(&response, at: time, into: &output)
    }

    /// Returns the access record of a handler's response, logged now or at the end of its stream.
    private func record(
        _ status: HTTPStatus,
        of connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionStateMachine,
        since start: ResponseStart
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

    /// Logs the responses that the machine has made without the handler.
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

    /// Reports the error of a stream, if its stream and not the client ended the response.
    func tellStreamFailure(
        of connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionStateMachine
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

    /// Logs a stream that has ended.
    func logStream(of connection: HTTPConnection, isAborted: Bool) {
        guard let streamed = connection.streamed.take() else { return }
        streamed.record.duration = .nanoseconds(streamed.start.age)
        streamed.record.isAborted = isAborted
        configuration.accessLog?(streamed.record)
    }
}
