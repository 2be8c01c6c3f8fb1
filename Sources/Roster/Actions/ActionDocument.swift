import Bytes
import Listings
import Rendering

/// What came of an action, for programs.
struct ActionDocument {
    /// What came of it for one row.
    struct Result {
        /// The id of the row.
        let row: String
        let outcome: RowOutcome
    }

    let list: String
    let action: String
    let results: [Result]
    /// Whether one row was named by the address, rather than many by the content.
    let isSingle: Bool
    /// Where the list stands as it was looked at.
    let listAddress: String
    let addresses: Address

    /// Appends the document as JSON.
    func render(to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("list", list)
                writer.member("action", action)
                if isSingle, let result = results.first {
                    writer.result(result, addresses)
                } else {
                    let done = results.count { $0.outcome.isDone }
                    writer.member("done", done)
                    writer.member("refused", results.count - done)
                    writer.array("results") { writer in
                        for result in results { writer.object { $0.result(result, addresses) } }
                    }
                }
                writer.object("links") { $0.member("list", listAddress) }
            }
        }
    }
}

/// What came of an action for one of the rows it was asked for.
enum RowOutcome: Hashable, Sendable {
    /// It was performed, or refused by whoever performs it.
    case performed(ActionOutcome)
    /// The row was moved.
    case moved
    /// There is no such row.
    case unknownRow
    /// The row does not offer the action.
    case unknownAction
    /// What performs it failed; the log says how.
    case failed

    /// Whether the row is now as the action promised.
    var isDone: Bool {
        switch self {
        case .performed(.refused), .unknownRow, .unknownAction, .failed: false
        case .performed, .moved: true
        }
    }

    /// Names the outcome for programs.
    var name: String {
        switch self {
        case .performed(.done): "done"
        case .performed(.refused): "refused"
        case .performed(.removed): "removed"
        case .performed(.redirected): "redirected"
        case .moved: "moved"
        case .unknownRow: "unknown-row"
        case .unknownAction: "unknown-action"
        case .failed: "failed"
        }
    }

    /// What there is to say about it.
    var message: String? {
        switch self {
        case .performed(.done(let message)), .performed(.removed(let message)): message
        case .performed(.refused(let reason)): reason
        default: nil
        }
    }

    /// Where to look now.
    var location: String? {
        if case .performed(.redirected(let address)) = self { address } else { nil }
    }
}

extension JSONWriter {
    fileprivate mutating func result(_ result: ActionDocument.Result, _ addresses: Address) {
        member("row", result.row)
        member("outcome", result.outcome.name)
        if let message = result.outcome.message { member("message", message) }
        if let location = result.outcome.location { member("location", addresses.own(location)) }
    }
}
