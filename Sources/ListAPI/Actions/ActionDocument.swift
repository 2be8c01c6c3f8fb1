import Bytes
import Listings
import Rendering

/// The results of an action, for API clients.
struct ActionDocument {
    struct Result {
        let row: String
        let outcome: RowOutcome
    }

    let list: String
    let action: String
    let results: [Result]
    /// Whether the URL names one row, instead of the content naming many.
    let isSingle: Bool
    let listAddress: String
    let addresses: Address

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

enum RowOutcome: Hashable, Sendable {
    /// The action was performed or refused.
    case performed(ActionOutcome)
    case moved
    case unknownRow
    case unknownAction
    /// The action failed; the log has the error.
    case failed

    /// Whether the row is in the state that the action promised.
    var isDone: Bool {
        switch self {
        case .performed(.refused), .unknownRow, .unknownAction, .failed: false
        case .performed, .moved: true
        }
    }

    /// The name of the outcome in documents.
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

    var message: String? {
        switch self {
        case .performed(.done(let message)), .performed(.removed(let message)): message
        case .performed(.refused(let reason)): reason
        default: nil
        }
    }

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
