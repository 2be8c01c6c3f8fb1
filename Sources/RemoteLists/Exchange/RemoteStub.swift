/// A fixed response that replaces a server's and is processed the same way.
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

    /// Creates a stub that responds 200 with models, encoded by the format.
    ///
    /// - Throws: ``RemoteError/decoding(_:)`` if the format cannot encode them.
    public static func models<Model>(
        _ models: [Model],
        as format: RemoteFormat<Model>,
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(RemoteError) -> RemoteStub {
        body(try format.encode(models), delay: delay, clock: clock)
    }

    /// Creates a stub that responds 200 with a JSON body.
    public static func body(
        _ body: [UInt8],
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RemoteStub {
        let type = RemoteField(received: "Content-Type", "application/json")
        return RemoteStub(.response(RemoteResponse(fields: [type], body: body)), delay, clock)
    }

    /// Creates a stub that responds with a status.
    public static func status(
        _ status: Int,
        body: String = "",
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RemoteStub {
        let response = RemoteResponse(status: status, body: Array(body.utf8))
        return RemoteStub(.response(response), delay, clock)
    }

    /// Creates a stub that fails with an error.
    public static func error(
        _ error: RemoteError,
        delay: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RemoteStub {
        RemoteStub(.error(error), delay, clock)
    }
}

extension RemoteStub: RemoteTransport {
    /// Responds after the delay.
    ///
    /// A delay longer than the request's timeout ends as a timeout.
    public func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        if delay > .zero {
            // Only cancellation ends the sleep early. No caller waits for a response then.
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

    /// Does nothing, because a stub holds no resources.
    public func refreshEnded() {}
}
