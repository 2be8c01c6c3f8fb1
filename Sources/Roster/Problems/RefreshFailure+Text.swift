import Listings

/// What everybody is told of a service that does not give its rows; the operator reads more in the
/// log.
extension RefreshFailure {
    /// Names the failure for programs.
    var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .refused: "refused"
        case .misunderstood: "misunderstood"
        }
    }

    /// What is wrong, for people.
    var detail: String {
        switch self {
        case .unreachable: "The service that has the rows does not answer."
        case .refused(let status): "The service that has the rows answers with status \(status)."
        case .misunderstood: "The answer of the service that has the rows is not a list."
        }
    }
}
