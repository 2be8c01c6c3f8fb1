import Locks
import Sockets

/// Carries requests by a process of its own, which runs only while a list is being refreshed.
///
/// What runs for a second an hour, and brings TLS and thirty libraries along, has no place in what
/// runs always; and what parses the answers of strangers is better not in the process that serves.
package final class ProcessTransport: RemoteTransport {
    private let path: String
    /// The program that waits for the next request.
    private let waiting = Locked<FetchProgram?>(nil)

    /// What the fetching program is called when it is started: by that it knows what to do.
    package static let programName = "roster-fetch"

    /// What the program may take beyond the request's own timeout, for its start.
    private static let grace = Duration.seconds(5)

    /// Creates a transport.
    ///
    /// - Parameter path: The fetching program.
    package init(path: String) { self.path = path }

    /// Asks through the program, which is started where none waits.
    package func send(
        _ request: RemoteRequest
    ) async throws(RemoteError) -> RemoteResponse {
        // One that ended meanwhile, for want of memory say, is replaced.
        let program: FetchProgram
        if let kept = waiting.withLock({ $0.take() }) {
            program = kept
        } else {
            program = try FetchProgram(path: path)
        }
        let deadline = ContinuousClock.now + request.timeout + Self.grace
        var threads = ThreadGroup()
        // The thread of a task must not wait for bytes, so another one does.
        let result = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try threads.start(named: "remote") {
                    continuation.resume(returning: program.answer(to: request, until: deadline))
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

    /// Ends the program.
    package func refreshEnded() { waiting.withLock { $0 = nil } }
}

/// A running program that fetches.
private final class FetchProgram: Sendable {
    private let child: ChildProcess

    /// What the program is told of the environment: no secret that is the server's own.
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

    /// Sends a request and waits for what becomes of it.
    func answer(
        to request: RemoteRequest,
        until deadline: ContinuousClock.Instant
    ) -> Result<RemoteResponse, RemoteError> {
        do throws(SystemError) {
            let question = FetchMessage.bytes(of: request)
            guard try FetchMessage.send(question, to: child.connection, until: deadline),
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
