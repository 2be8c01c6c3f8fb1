/// An error of loading or following a page.
public enum RosterError: Error, Hashable, Sendable {
    /// A change does not match the page that it was requested for.
    case mismatch
    /// The list of the page does not report changes.
    case notFollowed
    /// The server refused the request, with a status and its explanation.
    case refused(status: Int, detail: String)
    /// The response is not one of a Roster server.
    case notUnderstood(String)
}
