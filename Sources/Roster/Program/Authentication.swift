import ListAPI

/// The identification of the callers of an app, by their header fields or cookies.
///
/// ```swift
/// let authentication: Authentication? = Authentication { request in
///     guard let user = await sessions.user(of: request.cookie("session")) else { return nil }
///     return Caller(user.name, scopes: ["books:read", "loans:read:user=\(user.name)"])
/// }
/// ```
///
/// The closure runs before each request, except probes, public files and open routes. It replaces
/// the tokens of `ROSTER_TOKENS`. A caller that it does not know gets 401.
public struct Authentication: Sendable {
    let identification: CallerIdentification

    /// Creates an identification.
    ///
    /// - Parameters:
    ///   - deadline: The longest time that the closure may take.
    ///   - identify: Returns the caller of a request; nil for one that the app does not know.
    public init(
        deadline: Duration = .seconds(10),
        _ identify: @escaping @Sendable (AppRequest) async throws -> Caller?
    ) {
        identification = CallerIdentification { request in
            let request = AppRequest(request)
            let caller = try Waiting.result(within: deadline) { try await identify(request) }
            return caller.map { ($0.name, $0.scopes) }
        }
    }
}

/// A caller, and the lists that it may read and write.
///
/// ```swift
/// Caller("ada", scopes: ["books:write", "loans:read:user=ada", "operate"])
/// ```
public struct Caller: Hashable, Sendable {
    /// The name: 1 to 64 letters, digits, `.`, `_`, `-` and `@`.
    public let name: String
    /// The scopes, as in the lines of a token file: `LIST:read`, `LIST:read:CONDITIONS`,
    /// `LIST:write` and `operate`, with `*` for every list.
    public let scopes: [String]

    /// Creates a caller.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - scopes: The scopes, at least one.
    public init(_ name: String, scopes: [String]) {
        self.name = name
        self.scopes = scopes
    }
}
