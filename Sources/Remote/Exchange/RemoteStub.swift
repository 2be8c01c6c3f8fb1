/// An answer that stands in for a server's; it takes the same way as one.
public struct RemoteStub: Sendable {
    private enum Answer: Sendable {
        case response(RemoteResponse)
        case error(RemoteError)
    }

    private let answer: Answer
    private let delay: Duration
    private let clock: any Clock<Duration>

    private init(_ answer: Answer, _ delay: Duration, _ clock: any Clock<Duration>) {
        self.answer = answer
        self.delay = delay
        self.clock = clock
    }

    /// Answers 200 with models, written as the format reads them.
    ///
    /// - Throws: ``RemoteError/decoding(_:)`` when the format cannot write them.
    public static func models<Model>(
        _ models: [Model],
        as format: RemoteFormat<Model>,
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(RemoteError) -> RemoteStub {
        body(try format.encode(models), delay: delay, clock: clock)
    }

    /// Answers 200 with a body of JSON.
    public static func body(
        _ body: [UInt8],
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RemoteStub {
        let type = RemoteField(received: "Content-Type", "application/json")
        return RemoteStub(.response(RemoteResponse(fields: [type], body: body)), delay, clock)
    }

    /// Answers with a status.
    public static func status(
        _ status: Int,
        body: String = "",
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RemoteStub {
        let response = RemoteResponse(status: status, body: Array(body.utf8))
        return RemoteStub(.response(response), delay, clock)
    }

    /// Does not answer.
    public static func error(
        _ error: RemoteError,
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RemoteStub {
        RemoteStub(.error(error), delay, clock)
    }
}

extension RemoteStub: RemoteTransport {
    /// Answers after the delay; one longer than the request's timeout ends as that would.
    public func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        if delay > .zero {
            // Only cancellation ends the sleep early, and then nobody waits for an answer.
            do { try await clock.sleep(for: min(delay, request.timeout)) } catch {
                throw .transport(.connectionLost)
            }
            guard delay <= request.timeout else { throw .transport(.timedOut) }
        }
        switch answer {
        case .response(let response): return response
        case .error(let error): throw error
        }
    }

    /// Nothing waits.
    public func refreshEnded() {}
}
