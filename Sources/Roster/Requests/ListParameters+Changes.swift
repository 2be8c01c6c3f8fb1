import Listings

/// The parameters that ask what changed.
extension ListParameters {
    /// What the client holds.
    ///
    /// - Parameter eventID: The id of the event that it was told last, which says so better; nil
    ///   where it was told none.
    /// - Returns: What names it, and what that says, which is nil for a version of a server that
    ///   wrote them otherwise; nil when it is not understood.
    mutating func readVersion(eventID: String?) -> (text: String, token: WindowToken?)? {
        guard let text = eventID ?? values["since"]?.first else {
            refuse(.missingParameter("since"))
            return nil
        }
        do throws(WindowToken.Refusal) {
            return (text, try WindowToken(text))
        } catch {
            if error == .unknownFormat { return (text, nil) }
            refuse(.invalidVersion("since"))
            return nil
        }
    }

    /// Whether rows and sections are wanted as people see them, too.
    mutating func readIncluded() -> Bool {
        guard let value = values["include"]?.first else { return false }
        if value != "html" {
            refuse(.unknownOption("include", option: value, allowed: ["html"]))
        }
        return true
    }
}
