/// Why a cursor's text was refused.
public enum CursorError: Error, Hashable, Sendable {
    /// It is not what the service gave out, or was given out for another order.
    case invalid
    /// It was well formed once and is honoured no longer.
    case expired
}
