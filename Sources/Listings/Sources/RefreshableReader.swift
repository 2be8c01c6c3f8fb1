/// A reader of rows that somebody else has, who can be asked for them again.
public protocol RefreshableReader: ListReader {
    /// How far the rows are.
    var refreshState: RefreshState { get }

    /// Begins to ask for the rows again, and does not wait for them.
    ///
    /// Refreshes never overlap: nothing is begun while one runs.
    func refresh()
}

/// How far the rows of somebody else are.
public enum RefreshState: Hashable, Sendable {
    /// Nobody has asked for them yet.
    case idle
    /// They are being fetched; those fetched before are still shown.
    case loading
    /// They are those of the last refresh.
    case loaded
    /// They could not be fetched; those fetched before are still shown, as stale.
    case failed(RefreshFailure)
}

/// Why rows could not be fetched, as far as it is everybody's business.
public enum RefreshFailure: Hashable, Sendable {
    /// No answer came.
    case unreachable
    /// The answer was no success.
    case refused(status: Int)
    /// The answer was not what it should be.
    case misunderstood
}
