/// The method of a request (RFC 9110 §9).
///
/// A well-formed method that is not listed here never reaches a handler: the response is 501.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    /// Transfer the current representation.
    case get = "GET"
    /// As GET, without the content.
    case head = "HEAD"
    /// Process the request's content.
    case post = "POST"
    /// Create or replace the target.
    case put = "PUT"
    /// Change a part of the target (RFC 5789).
    case patch = "PATCH"
    /// Remove the target.
    case delete = "DELETE"
    /// Describe the communication options of the target.
    case options = "OPTIONS"
    /// Echo the request; recognised so that the response is 405.
    case trace = "TRACE"
    /// Run a query in the request's content; recognised so that the response is 405.
    case query = "QUERY"
    /// Open a tunnel; recognised so that the response is 501.
    case connect = "CONNECT"

    /// The method as written in a request line.
    public var name: String { rawValue }

    /// Whether a body of this method has no meaning, so that it is read and dropped.
    package var ignoresBody: Bool {
        switch self {
        case .get, .head, .delete, .options, .trace, .connect: true
        case .post, .put, .patch, .query: false
        }
    }
}
