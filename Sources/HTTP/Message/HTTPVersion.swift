/// The version a request is understood as (RFC 9110 §2.5).
public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/1.0: the connection closes after the answer unless the client asks to keep it.
    case http10
    /// HTTP/1.1, and every later minor version of 1.
    case http11
}
