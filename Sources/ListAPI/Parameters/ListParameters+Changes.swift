import ListDiff
import Listings

/// The parameters of requests for changes.
extension ListParameters {
    /// Reads the version that the client has, and refuses it if it is malformed.
    ///
    /// - Parameter eventID: The id of the last event that the client received, which wins over
    ///   `since`; nil without one.
    /// - Returns: The text and its token, which is nil for the format of another server version;
    ///   nil after a refusal.
    mutating func readVersion(eventID: String?) -> (text: String, token: PageDigest?)? {
        guard let text = eventID ?? values["since"]?.first else {
            refuse(.missingParameter("since"))
            return nil
        }
        do throws(PageDigest.Refusal) {
            return (text, try PageDigest(text))
        } catch {
            if error == .unknownFormat { return (text, nil) }
            refuse(.invalidVersion("since"))
            return nil
        }
    }

    /// Reads whether the client also requests rows and sections as HTML.
    mutating func readIncluded() -> Bool {
        guard let value = values["include"]?.first else { return false }
        if value != "html" {
            refuse(.unknownOption("include", option: value, allowed: ["html"]))
        }
        return true
    }
}
