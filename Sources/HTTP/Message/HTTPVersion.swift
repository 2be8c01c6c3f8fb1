/// The version by which a request is interpreted (RFC 9110 §2.5).
public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/1.0: the connection closes after the response unless the client requests to keep it.
    case http10
    /// HTTP/1.1, and every later minor version of 1.
    case http11
}
