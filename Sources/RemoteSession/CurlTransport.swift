import Curl
import Dispatch
import Locks
public import Remote

/// Carries requests by libcurl, on threads of their own in this process.
///
/// No cookies, no cache, no stored credentials. Proxies are those of the environment (`https_proxy`
/// and its kin), trusted certificates those of the system.
public final class CurlTransport: RemoteTransport {
    /// A session that is asked one request at a time.
    private final class Line: @unchecked Sendable {
        private let session = CurlSession()
        // A serial queue has a thread while it works, whatever waits elsewhere.
        private let queue = DispatchQueue(label: "roster.fetch")

        func answer(
            to request: RemoteRequest,
            _ completion: @escaping @Sendable (Result<RemoteResponse, RemoteError>) -> Void
        ) {
            // The session is used on the queue alone.
            queue.async { [self] in
                completion(session?.answer(to: request) ?? .failure(.transport(.libraryMissing)))
            }
        }
    }

    private let idle = Locked<[Line]>([])

    /// Creates a transport without connections.
    public init() {}

    /// Asks a server.
    public func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        let line = idle.withLock { $0.popLast() } ?? Line()
        let result = await withCheckedContinuation { continuation in
            line.answer(to: request) { continuation.resume(returning: $0) }
        }
        idle.withLock { $0.append(line) }
        return try result.get()
    }

    /// Closes the connections.
    public func refreshEnded() { idle.withLock { $0.removeAll() } }
}
