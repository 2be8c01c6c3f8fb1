/// The reason why a cursor's text was refused.
public enum CursorError: Error, Hashable, Sendable {
    /// The service did not make it, or made it for another order.
    case invalid
    /// It was valid once and is no longer accepted.
    case expired
}
