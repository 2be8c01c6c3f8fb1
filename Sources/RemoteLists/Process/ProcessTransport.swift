import Locks
import System

/// A transport that sends requests through a separate process, which runs only during a refresh.
///
/// The process isolates the parsing of untrusted responses from the server. TLS and its libraries
/// are loaded only while it runs.
package final class ProcessTransport: RemoteTransport {
    private let path: String
    private let waiting = Locked<FetchProcess?>(nil)

    /// The process name that selects the fetching mode of the program.
    package static let programName = "roster-fetch"

    /// The additional time for the start of the program, beyond the request's timeout.
    private static let grace = Duration.seconds(5)

    package init(path: String) { self.path = path }

    package func send(
        _ request: RemoteRequest
    ) async throws(RemoteError) -> RemoteResponse {
        // An idle program that has ended meanwhile, for example without memory, is replaced.
        let program: FetchProcess
        if let kept = waiting.withLock({ $0.take() }) {
            program = kept
        } else {
            program = try FetchProcess(path: path)
        }
        let deadline = ContinuousClock.now + request.timeout + Self.grace
        var threads = ThreadGroup()
        // A task's thread must not block on input, so another thread does.
        let result = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try threads.start(named: "remote") {
                    continuation.resume(returning: program.response(to: request, until: deadline))
                }
            } catch {
                continuation.resume(returning: .failure(.transport(.programFailed)))
            }
        }
        threads.join()
        let response = try result.get()
        waiting.withLock { $0 = program }
        return response
    }

    package func refreshEnded() { waiting.withLock { $0 = nil } }
}

private final class FetchProcess: Sendable {
    private let child: ChildProcess

    /// The environment variables passed to the program.
    ///
    /// They exclude the server's own secrets.
    private static let variables: Set<String> = [
        "PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "CURL_CA_BUNDLE", "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY",
        "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    ]

    init(path: String) throws(RemoteError) {
        do throws(SystemError) {
            child = try ChildProcess(
                path: path,
                named: ProcessTransport.programName,
                variables: Self.variables
            )
        } catch {
            let failure: TransportFailure =
                error.isMissingFile
                ? .programMissing(path) : .programNotStarted(path, code: error.code)
            throw .transport(failure)
        }
    }

    func response(
        to request: RemoteRequest,
        until deadline: ContinuousClock.Instant
    ) -> Result<RemoteResponse, RemoteError> {
        do throws(SystemError) {
            let message = FetchMessage.bytes(of: request)
            guard try FetchMessage.send(message, to: child.connection, until: deadline),
                let message = try FetchMessage.receive(
                    from: child.connection,
                    until: deadline
                )
            else { return .failure(.transport(.timedOut)) }
            return FetchMessage.result(message) ?? .failure(.transport(.programFailed))
        } catch {
            return .failure(.transport(.programFailed))
        }
    }
}
