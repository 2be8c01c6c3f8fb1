public import Listings

/// How far a remote list is.
public enum RemoteState: Hashable, Sendable {
    /// Nothing has been asked for yet.
    case idle
    /// A refresh runs; rows loaded before are still shown.
    case loading
    /// The rows are those of the last refresh.
    case loaded(ListVersion)
    /// The last refresh failed; rows loaded before are still shown, as stale.
    case failed(RemoteError)
}

/// The models of a remote list at one time.
public struct RemoteSnapshot<Model: Sendable>: Sendable {
    /// The models of the last refresh that succeeded.
    public let models: [Model]
    /// Names this state of the models; nil before a refresh has succeeded.
    public let version: ListVersion?
    /// Whether refreshing has failed since.
    public let isStale: Bool
}
