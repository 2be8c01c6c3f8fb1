/// A refusal of a request by the code of a program.
///
/// ```swift
/// .onDelete { todo in
///     guard todo.owner == Caller.currentName else {
///         throw Refusal.forbidden("Only the owner may delete it.")
///     }
///     try await store.remove(todo.id)
/// }
/// ```
///
/// Closures of lists, actions and routes throw it, and the client gets the status and the reason.
/// Other errors are in the log, and the client gets 500.
public struct Refusal: Error, Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case invalid
        case forbidden
        case notFound = "not-found"
        case conflict
    }

    package let kind: Kind
    /// The reason, a sentence for the client.
    public let reason: String

    /// The content of the request is not understood (400).
    ///
    /// `Invalid` names a column of a list, and becomes 422.
    public static func invalid(_ reason: String) -> Refusal {
        Refusal(kind: .invalid, reason: reason)
    }

    /// The caller may not do this (403).
    public static func forbidden(_ reason: String) -> Refusal {
        Refusal(kind: .forbidden, reason: reason)
    }

    /// There is no such thing, or none that the caller may see (404).
    public static func notFound(_ reason: String) -> Refusal {
        Refusal(kind: .notFound, reason: reason)
    }

    /// The current state does not allow this (409).
    public static func conflict(_ reason: String) -> Refusal {
        Refusal(kind: .conflict, reason: reason)
    }
}

/// The caller of the request that the current thread or task handles.
package enum RequestCaller {
    /// Nil for a caller without a name.
    @TaskLocal package static var name: String?
}
