/// What became of an action.
public enum ActionOutcome: Hashable, Sendable {
    /// It is done; perhaps there is something to say about it.
    case done(message: String? = nil)
    /// It is done, and the row is gone: the list is to remove it.
    case removed(message: String? = nil)
    /// It is done, and shows its result elsewhere.
    case redirected(to: String)
    /// It cannot be done as things stand (409); nothing has changed.
    case refused(reason: String)
}
