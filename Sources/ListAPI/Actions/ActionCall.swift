import Bytes
import HTTP
import Listings
import Rendering

struct ActionCall: ListCall {
    let endpoint: ServedList
    let action: String
    /// The row in the URL; nil when the content names the rows.
    let row: String?
    let prepared: PreparedRequest
    let preferences: Preferences

    func invalid(_ errors: [Problem.Fault]) -> Problem {
        let detail: Text =
            errors.count == 1
            ? "A value of '\(action)' is invalid; nothing was done."
            : "\(errors.count) values of '\(action)' are invalid; nothing was done."
        return problem(.invalidRow, detail, faults: errors)
    }

    func document(_ results: [ActionResult]) -> JSONPart {
        let done = results.count(where: \.outcome.isDone)
        let outcome: JSONPart =
            row != nil
            ? part(results[0])
            : [
                "done": .integer(done), "refused": .integer(results.count - done),
                "results": .array(results.map(part)),
            ]
        let action: JSONPart = ["list": .text(list.name), "action": .text(action)]
        return action.with(outcome).with(["links": ["list": .text(listAddress)]])
    }

    private func part(_ result: ActionResult) -> JSONPart {
        [
            "row": .text(result.row), "outcome": .text(result.outcome.name),
            "message": result.outcome.message.map(JSONPart.text),
            "location": result.outcome.location.map { .text(prepared.addresses.own($0)) },
        ]
    }
}

struct ActionResult {
    let row: String
    let outcome: RowOutcome
}

enum RowOutcome: Hashable, Sendable {
    case performed(ActionOutcome)
    case moved
    case unknownRow
    case unknownAction
    case failed

    var isDone: Bool {
        switch self {
        case .performed(.refused), .unknownRow, .unknownAction, .failed: false
        case .performed, .moved: true
        }
    }

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

extension ActionOutcome {
    /// Visible ASCII characters: a path of this service, or an HTTP URL.
    static func isAddress(_ text: String) -> Bool {
        let isVisible = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let isPath = text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\")
        let lower = text.lowercased()
        return isVisible && (isPath || lower.hasPrefix("https://") || lower.hasPrefix("http://"))
    }
}
