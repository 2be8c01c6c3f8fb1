import Foundation
import Remote

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gathers the answers of a session's tasks, each up to its bound.
final class AnswerCollector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Completion = @Sendable (Result<RemoteResponse, RemoteError>) -> Void

    private struct Answer {
        let maximumBytes: Int
        let completion: Completion
        var response = RemoteResponse(status: 0)
    }

    /// Guards `answers`.
    private let lock = NSLock()
    private var answers: [Int: Answer] = [:]

    func begin(
        _ task: URLSessionTask,
        maximumBytes: Int,
        completion: @escaping Completion
    ) {
        lock.withLock {
            answers[task.taskIdentifier] = Answer(
                maximumBytes: maximumBytes,
                completion: completion
            )
        }
    }

    /// Gives up on a task.
    func end(_ task: URLSessionTask, _ error: RemoteError) {
        let answer = lock.withLock { answers.removeValue(forKey: task.taskIdentifier) }
        guard let answer else { return }
        task.cancel()
        answer.completion(.failure(error))
    }

    /// Leaves redirects to the one who asked.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let maximum = lock.withLock { answers[dataTask.taskIdentifier]?.maximumBytes }
        if let maximum, response.expectedContentLength > Int64(maximum) {
            end(dataTask, .tooLarge(maximumBytes: maximum))
            return completionHandler(.cancel)
        }
        take(response, of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let maximum = lock.withLock { () -> Int? in
            guard var answer = answers.removeValue(forKey: dataTask.taskIdentifier) else {
                return nil
            }
            let isTooLarge = answer.response.body.count + data.count > answer.maximumBytes
            if !isTooLarge { answer.response.body += data }
            answers[dataTask.taskIdentifier] = answer
            return isTooLarge ? answer.maximumBytes : nil
        }
        if let maximum { end(dataTask, .tooLarge(maximumBytes: maximum)) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        // A redirect that is not followed may come without a call for its head.
        if let response = task.response { take(response, of: task) }
        let answer = lock.withLock { answers.removeValue(forKey: task.taskIdentifier) }
        guard let answer else { return }
        guard let error else { return answer.completion(.success(answer.response)) }
        answer.completion(.failure(.transport(TransportFailure(error))))
    }

    private func take(_ response: URLResponse, of task: URLSessionTask) {
        guard let response = response as? HTTPURLResponse else { return }
        let fields = response.allHeaderFields.map { name, value in
            RemoteField(received: "\(name)", "\(value)")
        }
        lock.withLock {
            answers[task.taskIdentifier]?.response.status = response.statusCode
            answers[task.taskIdentifier]?.response.fields = fields
        }
    }
}

extension TransportFailure {
    /// Understands what a session reports.
    fileprivate init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = .other((error as NSError).code)
            return
        }
        switch error.code {
        case .timedOut: self = .timedOut
        case .cannotFindHost, .dnsLookupFailed: self = .unknownHost
        case .cannotConnectToHost, .notConnectedToInternet: self = .unreachable
        case .networkConnectionLost, .cancelled: self = .connectionLost
        case .badServerResponse, .cannotDecodeRawData, .cannotDecodeContentData:
            self = .malformedAnswer
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            self = .insecure
        default: self = .other(error.code.rawValue)
        }
    }
}
