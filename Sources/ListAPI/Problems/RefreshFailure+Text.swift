import Listings

/// The texts about a remote service that fails, for all clients; the log has more for operators.
extension RefreshFailure {
    /// The name of the failure for programs.
    var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .refused: "refused"
        case .misunderstood: "misunderstood"
        }
    }

    /// The error, for people.
    var detail: String {
        switch self {
        case .unreachable: "The service that has the rows does not answer."
        case .refused(let status): "The service that has the rows answers with status \(status)."
        case .misunderstood: "The answer of the service that has the rows is not a list."
        }
    }
}
