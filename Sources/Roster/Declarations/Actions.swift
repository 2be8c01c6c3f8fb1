public import Listings

/// The result of an action on a row.
///
/// ```swift
/// .action("lend") { book, call in
///     guard call.caller != nil else { return .refused(reason: "Members only.") }
///     return .removed(message: "\(book.title) is yours.")
/// }
/// ```
public enum ActionResult<Model: Sendable>: Sendable {
    /// The action succeeded, with an optional message.
    case done(message: String? = nil)
    /// The action succeeded, and the model is gone.
    case removed(message: String? = nil)
    /// The action succeeded, and has changed the model to this one.
    case updated(Model, message: String? = nil)
    /// The action succeeded, and its result is at another URL.
    case redirected(to: String)
    /// The action is not possible in the current state (409). Nothing has changed.
    case refused(reason: String)

    var outcome: ActionOutcome {
        switch self {
        case .done(let message), .updated(_, let message): .done(message: message)
        case .removed(let message): .removed(message: message)
        case .redirected(let address): .redirected(to: address)
        case .refused(let reason): .refused(reason: reason)
        }
    }
}

/// The circumstances of an action.
///
/// ```swift
/// .action("raise") { task, call in
///     call.isFirst ? .refused(reason: "It is the first.") : .done(message: call.caller)
/// }
/// ```
public struct ActionCall: Sendable {
    /// The name of the caller; nil for a caller without a token.
    public let caller: String?
    /// The name of the list.
    public let list: String
    /// The position of the row in the list's own order.
    public let indexPath: IndexPath
    /// Whether the row is the last of its section in that order.
    public let isLast: Bool

    /// Whether the row is the first of its section in that order.
    public var isFirst: Bool { indexPath.row == 0 }
}

/// The input of an action: a type whose properties are the fields of a form.
///
/// ```swift
/// struct Days: ActionInput {
///     var days: Int
///     var reason: String?
/// }
/// ```
///
/// Clients send the properties as a JSON object or as a form. A property that is no optional is
/// required. Values of other types are refused with 422.
public protocol ActionInput: Decodable, Sendable {}

struct ActionDeclaration<Model: Sendable>: Sendable {
    let action: RowAction
    let isOffered: @Sendable (Model) -> Bool
    let perform: @Sendable (Model, ActionRequest) async throws -> ActionResult<Model>
    var error: String?
}

extension ActionCall {
    init(_ request: ActionRequest) {
        self.init(
            caller: request.caller,
            list: request.list,
            indexPath: request.indexPath ?? IndexPath(section: 0, row: 0),
            isLast: request.isLast
        )
    }
}
