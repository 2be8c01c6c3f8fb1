import Dispatch
import Locks
public import RemoteLists
import System

/// A transport that sends requests through libcurl, on separate threads of this process.
///
/// It has no cookies, no cache and no stored credentials. Proxies come from the environment (such
/// as `https_proxy`), trusted certificates from the system.
public final class CurlTransport: RemoteTransport {
    private final class Line: @unchecked Sendable {
        private let session = CurlSession()
        // A serial queue has its own thread while it works, even if other queues wait.
        private let queue = DispatchQueue(label: "roster.fetch")

        func response(
            to request: RemoteRequest,
            _ completion: @escaping @Sendable (Result<RemoteResponse, RemoteError>) -> Void
        ) {
            // The session is used only on this queue.
            queue.async { [self] in
                completion(session?.response(to: request) ?? .failure(.transport(.libraryMissing)))
            }
        }
    }

    private let idle = Locked<[Line]>([])

    /// Creates a transport without connections.
    public init() {}

    /// Sends a request to a server.
    public func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        let line = idle.withLock { $0.popLast() } ?? Line()
        let result = await withCheckedContinuation { continuation in
            line.response(to: request) { continuation.resume(returning: $0) }
        }
        idle.withLock { $0.append(line) }
        return try result.get()
    }

    /// Closes the connections.
    public func refreshEnded() { idle.withLock { $0.removeAll() } }
}

package enum FetchWorker {
    /// Responds to the requests on standard input in order until the input ends.
    ///
    /// Without libcurl, every response reports that the library is missing.
    package static func run() {
        let input = FileDescriptor(adopting: 0)
        let session = CurlSession()
        // The parent process enforces time limits, so this one sets no real deadline.
        let deadline = ContinuousClock.now + .seconds(1 << 30)
        while let message = try? FetchMessage.receive(from: input, until: deadline),
            let request = FetchMessage.request(message)
        {
            let response = session?.response(to: request) ?? .failure(.transport(.libraryMissing))
            let bytes = FetchMessage.bytes(of: response)
            // If sending fails, the parent process is gone.
            guard (try? FetchMessage.send(bytes, to: input, until: deadline)) == true else { break }
        }
    }
}
