import Locks
import Sockets

/// Carries requests by a program of its own, which runs only while a list is being refreshed.
///
/// The Foundation that knows TLS and proxies takes tens of megabytes of memory, and three times the
/// size of a server that is linked without it. What runs for a second an hour has no place in what
/// runs always; and what parses the answers of strangers is better not in the process that serves.
package final class ProcessTransport: RemoteTransport {
    private let path: String
    /// The program that waits for the next request.
    private let waiting = Locked<FetchProgram?>(nil)

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

    init(path: String) throws(RemoteError) {
        do throws(SystemError) { child = try ChildProcess(path: path) } catch {
            throw .transport(error.isMissingFile ? .programMissing(path) : .programFailed)
        }
    }

    /// Sends a request and waits for what becomes of it.
    func answer(
        to request: RemoteRequest,
        until deadline: ContinuousClock.Instant
    ) -> Result<RemoteResponse, RemoteError> {
        do throws(SystemError) {
            guard try send(FetchMessage.bytes(of: request), until: deadline),
                let prefix = try receive(FetchMessage.prefixCount, until: deadline)
            else { return .failure(.transport(.timedOut)) }
            guard let count = FetchMessage.count(prefix) else {
                return .failure(.transport(.programFailed))
            }
            guard let message = try receive(count, until: deadline) else {
                return .failure(.transport(.timedOut))
            }
            return FetchMessage.result(message) ?? .failure(.transport(.programFailed))
        } catch {
            return .failure(.transport(.programFailed))
        }
    }

    /// The result is whether all was sent before the deadline.
    private func send(
        _ message: [UInt8],
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> Bool {
        var rest = message[...]
        let nothing: [UInt8] = []
        while !rest.isEmpty {
            switch try child.connection.send(rest.span, nothing.span) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .queueFull:
                guard try child.connection.wait(for: .writing, until: deadline) else {
                    return false
                }
            }
        }
        return true
    }

    /// So many bytes, fewer where the program ends before; nil at the deadline.
    private func receive(
        _ count: Int,
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var room = [UInt8](repeating: 0, count: min(max(count, 1), 64 << 10))
        while bytes.count < count {
            // The program sends nothing behind a message before it is asked again.
            room.removeLast(max(0, room.count - (count - bytes.count)))
            var span = room.mutableSpan
            switch try child.connection.receive(into: &span) {
            case .bytes(let received): bytes += room[..<received]
            case .endOfInput: return bytes
            case .nothingYet:
                guard try child.connection.wait(for: .reading, until: deadline) else {
                    return nil
                }
            }
        }
        return bytes
    }
}
