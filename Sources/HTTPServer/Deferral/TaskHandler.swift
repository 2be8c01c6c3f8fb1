public import HTTP
import Locks

/// A handler that passes all requests to tasks.
///
/// ```swift
/// let server = try HTTPServer(configuration) { _ in TaskHandler(WeatherHandler()) }
/// ```
public final class TaskHandler: HTTPHandler {
    private let handler: any AsyncHTTPHandler
    private let executor: (any TaskExecutor)?

    /// Creates the handler of a loop.
    ///
    /// - Parameters:
    ///   - handler: The handler that runs in tasks.
    ///   - executor: The executor of the tasks; nil for the threads shared by all tasks.
    public init(_ handler: any AsyncHTTPHandler, on executor: (any TaskExecutor)? = nil) {
        self.handler = handler
        self.executor = executor
    }

    /// Defers a request to a task.
    public func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        response.deferral = TaskResponse(handler, copy request, on: executor)
    }
}

private final class TaskResponse: DeferredResponse {
    private let handler: any AsyncHTTPHandler
    private let request: HTTPRequest
    private let executor: (any TaskExecutor)?
    private let mailbox = Mailbox<Result<HTTPResponse, any Error>>()
    private var task: Task<Void, Never>?

    init(
        _ handler: any AsyncHTTPHandler,
        _ request: HTTPRequest,
        on executor: (any TaskExecutor)?
    ) {
        self.handler = handler
        self.request = request
        self.executor = executor
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        task = Task(executorPreference: executor) { [handler, request, mailbox] in
            var response = HTTPResponse()
            do {
                try await handler.respond(to: request, with: &response)
                mailbox.put(.success(response))
            } catch {
                mailbox.put(.failure(error))
            }
            waker.wake()
        }
        return true
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        try mailbox.take(into: &response)
    }

    func clientLeft() { cancel() }

    func cancel() { task?.cancel() }
}
