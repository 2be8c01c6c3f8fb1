/// What is told of requests and answers, and to whom.
public struct RemoteLog: Sendable {
    /// How much is told.
    public enum Level: Int, Hashable, Sendable, Comparable {
        /// Nothing.
        case off
        /// A line for each answer: method, address, status, bytes and time.
        case summary
        /// Before that, the request as a command for curl.
        case curl

        /// Whether less is told.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// How much is told.
    public let level: Level
    /// Takes a line; from any thread.
    let write: @Sendable (String) -> Void

    /// Creates a log.
    public init(_ level: Level, write: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.write = write
    }

    /// Tells nothing.
    public static let off = RemoteLog(.off) { _ in }

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

    func rowsDropped(_ count: Int, firstID: String) {
        guard level >= .summary else { return }
        write("\(count) rows have the id of an earlier one and are left out, first '\(firstID)'")
    }
}
