/// The state of a list in the readiness check.
enum ListReadiness: String, Sendable {
    case ready
    /// The source does not respond, so that an older state is shown.
    case stale
    /// Another program locks the database for a moment.
    case locked
    /// The source cannot be reached, or does not respond in time.
    case unavailable
}
