/// An action that a client can perform on a row.
public struct RowAction: Hashable, Sendable {
    /// The HTTP method of the request.
    public enum Method: String, Hashable, Sendable {
        /// A link, which changes nothing.
        case get = "GET"
        /// A form, which may change something.
        case post = "POST"
    }

    /// The reserved action names, which URLs use to move a row and for the rows below it.
    ///
    /// An action with such a name is never offered. A `ListApp` does not start if a list
    /// declares one.
    public static let reservedNames: Set<String> = ["children", "move"]

    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.first != "."
            && name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }

    /// The name in URLs: `POST /users/19/-/deactivate`.
    public let name: String
    /// The displayed name.
    public var title: String
    /// The method of the request; ``Method/post`` by default.
    public var method: Method
    /// Whether the action cannot be undone; false by default.
    public var isDestructive: Bool
    /// The question to confirm before the action; nil for none.
    public var confirm: String?
    /// The values that a request must send; nil for none.
    public var input: RowRules?

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed name; nil derives it from the name.
    ///   - method: The method of the request.
    ///   - isDestructive: Whether the action cannot be undone.
    ///   - confirm: The question to confirm before the action.
    ///   - input: The values that a request must send.
    public init(
        _ name: String,
        title: String? = nil,
        method: Method = .post,
        isDestructive: Bool = false,
        confirm: String? = nil,
        input: RowRules? = nil
    ) {
        self.name = name
        self.title = title ?? Column.label(from: name)
        self.method = method
        self.isDestructive = isDestructive
        self.confirm = confirm
        self.input = input
    }
}

/// The result of an action.
public enum ActionOutcome: Hashable, Sendable {
    /// The action succeeded, with an optional message.
    case done(message: String? = nil)
    /// The action succeeded, and the list must remove the row.
    case removed(message: String? = nil)
    /// The action succeeded, and its result is at another URL.
    case redirected(to: String)
    /// The action is not possible in the current state (409). Nothing has changed.
    case refused(reason: String)
}
