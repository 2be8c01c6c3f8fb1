/// A reader of rows that are fetched from elsewhere and can be fetched again.
public protocol RefreshableReader: ListReader {
    /// The state of the last refresh.
    var refreshState: RefreshState { get }

    /// Starts to fetch the rows again, without waiting for them.
    ///
    /// Refreshes never overlap. If one is running, this has no effect.
    func refresh()
}

/// The state of a refresh.
public enum RefreshState: Hashable, Sendable {
    /// No refresh has started yet.
    case idle
    /// A refresh is running. The previous rows are still shown.
    case loading
    /// The rows are those of the last refresh.
    case loaded
    /// The last refresh failed. The previous rows are still shown, as stale.
    case failed(RefreshFailure)
}

/// The public reason of a failed refresh.
///
/// Details are for the operator only.
public enum RefreshFailure: Hashable, Sendable {
    /// No response was received.
    case unreachable
    /// The response had an error status.
    case refused(status: Int)
    /// The response was not valid.
    case misunderstood
}
