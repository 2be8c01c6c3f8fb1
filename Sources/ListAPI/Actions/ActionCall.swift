import Bytes
import HTTP
import Listings
import Rendering

/// A request for an action on rows of a list, with its URL and header fields parsed.
struct ActionCall: ListCall {
    let endpoint: ServedList
    let action: String
    /// The row in the URL; nil when the content names the rows.
    let row: String?
    /// The prepared request of the list page that a browser is redirected to.
    let prepared: PreparedRequest
    let preferences: Preferences

    var listAddress: String {
        var buffer = ByteBuffer()
        prepared.links.write(.current, to: &buffer)
        return buffer.text()
    }

    func invalid(_ errors: [Problem.Fault]) -> Problem {
        let detail: Text =
            errors.count == 1
            ? "A value of '\(action)' is invalid; nothing was done."
            : "\(errors.count) values of '\(action)' are invalid; nothing was done."
        return problem(.invalidRow, detail, faults: errors)
    }

    func document(_ results: [ActionDocument.Result]) -> ActionDocument {
        ActionDocument(
            list: list.name,
            action: action,
            results: results,
            isSingle: row != nil,
            listAddress: listAddress,
            addresses: prepared.addresses
        )
    }
}

extension ActionOutcome {
    /// Whether an address is valid in a Location field.
    ///
    /// It must consist of visible ASCII characters, and be a path of this service or an HTTP URL.
    static func isAddress(_ text: String) -> Bool {
        let isVisible = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let isPath = text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\")
        let lower = text.lowercased()
        return isVisible && (isPath || lower.hasPrefix("https://") || lower.hasPrefix("http://"))
    }
}
