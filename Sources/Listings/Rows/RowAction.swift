/// Something that can be done with a row.
public struct RowAction: Hashable, Sendable {
    /// How the client asks for it.
    public enum Method: String, Hashable, Sendable {
        /// It changes nothing: a link.
        case get = "GET"
        /// It may change something: a form.
        case post = "POST"
    }

    /// The names that addresses use for something else: moving a row, and the rows below it.
    ///
    /// An action of such a name is never offered; a `ListService` whose lists offer one on their
    /// first pages does not start.
    public static let reservedNames: Set<String> = ["children", "move"]

    /// Names it in addresses: `POST /users/19/-/deactivate`.
    public let name: String
    /// Names it for people.
    public var title: String
    /// How the client asks for it; ``Method/post`` by default.
    public var method: Method
    /// Whether what it does cannot be taken back; false by default.
    public var isDestructive: Bool
    /// What is asked before it is done; nil asks nothing.
    public var confirm: String?

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - name: Names it in addresses.
    ///   - title: Names it for people; nil makes it from the name.
    ///   - method: How the client asks for it.
    ///   - isDestructive: Whether what it does cannot be taken back.
    ///   - confirm: What is asked before it is done.
    public init(
        _ name: String,
        title: String? = nil,
        method: Method = .post,
        isDestructive: Bool = false,
        confirm: String? = nil
    ) {
        self.name = name
        self.title = title ?? Column.label(from: name)
        self.method = method
        self.isDestructive = isDestructive
        self.confirm = confirm
    }
}

/// What became of an action.
public enum ActionOutcome: Hashable, Sendable {
    /// It is done; perhaps there is something to say about it.
    case done(message: String? = nil)
    /// It is done, and the row is gone: the list is to remove it.
    case removed(message: String? = nil)
    /// It is done, and shows its result elsewhere.
    case redirected(to: String)
    /// It cannot be done as things stand (409); nothing has changed.
    case refused(reason: String)
}
