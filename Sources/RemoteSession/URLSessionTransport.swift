import Foundation
public import Remote

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests by the URLSession of the toolchain.
///
/// One ephemeral session: no cookies, no cache, no stored credentials. Proxies are those of the
/// environment (`https_proxy` and its kin).
public final class URLSessionTransport: RemoteTransport {
    private let session: URLSession
    private let collector = AnswerCollector()

    /// Creates a transport with a session of its own.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: collector, delegateQueue: nil)
    }

    // The session keeps its delegate, and itself, until it is told that nothing more comes.
    deinit { session.invalidateAndCancel() }

    /// Asks a server.
    public func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        guard let url = URL(string: request.address.description) else {
            throw .invalidAddress(request.address.description)
        }
        var question = URLRequest(url: url)
        question.httpMethod = request.method.name
        question.timeoutInterval = request.timeout / .seconds(1)
        for field in request.fields {
            question.addValue(field.value, forHTTPHeaderField: field.name)
        }
        if !request.body.isEmpty { question.httpBody = Data(request.body) }
        let task = session.dataTask(with: question)
        // The session's own timeout begins anew with every byte; this one does not.
        let alarm = Task {
            guard (try? await Task.sleep(for: request.timeout)) != nil else { return }
            self.collector.end(task, .transport(.timedOut))
        }
        defer { alarm.cancel() }
        let result = await withCheckedContinuation { continuation in
            collector.begin(task, maximumBytes: request.maximumBytes) {
                continuation.resume(returning: $0)
            }
            task.resume()
        }
        return try result.get()
    }

    /// Connections are kept for the next refresh as long as the session likes.
    public func refreshEnded() {}
}
