/// Why a page could not be loaded or followed.
public enum RosterError: Error, Hashable, Sendable {
    /// A change is not one of the page it came for.
    case mismatch
    /// The page is of a list that does not tell its changes.
    case notFollowed
    /// The server refused, with a status and what it says of it.
    case refused(status: Int, detail: String)
    /// The answer is not what a Roster server answers.
    case notUnderstood(String)
}
