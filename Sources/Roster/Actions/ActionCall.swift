import Bytes
import HTTP
import Listings
import Rendering

/// A request to do something with rows of a list, understood as far as its address and its fields.
struct ActionCall: ListCall {
    let endpoint: ListEndpoint
    let reader: any ActingReader
    /// The name of the action.
    let action: String
    /// The row that the address names; nil when the content says which rows are meant.
    let row: String?
    /// The list as it was looked at: where a person is led back to.
    let answer: PreparedRequest
    let preferences: Preferences

    /// The address of the list as it was looked at.
    var listAddress: String {
        var buffer = ByteBuffer()
        answer.links.write(.current, to: &buffer)
        return buffer.text()
    }

    /// What came of it, for programs.
    func document(_ results: [ActionDocument.Result]) -> ActionDocument {
        ActionDocument(
            list: list.name,
            action: action,
            results: results,
            isSingle: row != nil,
            listAddress: listAddress,
            addresses: answer.links.links.addresses
        )
    }
}

extension ActionOutcome {
    /// Whether an address may stand in a Location field: visible ASCII characters, a path of this
    /// service or a web address.
    static func isAddress(_ text: String) -> Bool {
        let isVisible = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let isPath = text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\")
        let lower = text.lowercased()
        return isVisible && (isPath || lower.hasPrefix("https://") || lower.hasPrefix("http://"))
    }
}
