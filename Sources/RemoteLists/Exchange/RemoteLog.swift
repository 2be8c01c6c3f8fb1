import System

/// A log of requests and responses.
public struct RemoteLog: Sendable {
    /// The detail level of a log.
    public enum Level: Int, Hashable, Sendable, Comparable {
        /// Nothing.
        case off
        /// One line when refreshes begin to fail, fail differently, or succeed again.
        case failures
        /// One line for each response: method, address, status, bytes and time.
        case summary
        /// The summary, and before it the request as a curl command.
        case curl

        /// Whether the left level logs less than the right one.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The detail level.
    public let level: Level
    /// Any thread may call it.
    let write: @Sendable (String) -> Void

    /// Creates a log.
    public init(_ level: Level, write: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.write = write
    }

    /// The log that writes nothing.
    public static let off = RemoteLog(.off) { _ in }

    /// The log of failures on standard error.
    public static let failures = RemoteLog(.failures) { StandardError.write("\($0)\n") }

    func requestBegan(_ request: RemoteRequest) {
        if level >= .curl { write(request.curl) }
    }

    func requestEnded(
        _ request: RemoteRequest,
        _ result: Result<RemoteResponse, RemoteError>,
        after duration: Duration
    ) {
        guard level >= .summary else { return }
        let outcome =
            switch result {
            case .success(let response): "\(response.status), \(response.body.count) bytes"
            case .failure(let error): "\(error)"
            }
        let milliseconds = duration / .milliseconds(1)
        write(
            "\(request.method.name) \(request.address.masked): \(outcome), "
                + "\(Int(milliseconds)) ms"
        )
    }

    func refreshFailed(_ error: RemoteError, at address: RemoteAddress, hasRows: Bool) {
        guard level >= .failures else { return }
        write("\(address.masked): \(error)" + (hasRows ? "; showing the last rows" : ""))
    }

    func refreshRecovered() {
        if level >= .failures { write("up to date again") }
    }

    func rowsDropped(_ count: Int, firstID: String) {
        guard level >= .summary else { return }
        write("\(count) rows have the id of an earlier one and are left out, first '\(firstID)'")
    }
}
