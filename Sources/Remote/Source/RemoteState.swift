public import Listings

/// The state of a remote list.
public enum RemoteState: Hashable, Sendable {
    /// No request has been sent yet.
    case idle
    /// A refresh is running. Rows loaded before are still shown.
    case loading
    /// The rows are those of the last refresh.
    case loaded(ListVersion)
    /// The last refresh failed. Rows loaded before are still shown, marked as stale.
    case failed(RemoteError)
}

/// The models of a remote list at one time.
public struct RemoteSnapshot<Model: Sendable>: Sendable {
    /// The models of the last successful refresh.
    public let models: [Model]
    /// The version of the models, or nil before the first successful refresh.
    public let version: ListVersion?
    /// Whether a refresh has failed since.
    public let isStale: Bool
}
