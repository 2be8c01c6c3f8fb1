import ListAPI
import Listings

/// The identification of the callers of an app, by their header fields or cookies.
///
/// ```swift
/// let authentication: Authentication? = Authentication { request in
///     guard let user = await sessions.user(of: request.cookie("session")) else { return nil }
///     return Caller(user.name, scopes: [.read("books"), .read("loans", where: ["user": user.name])])
/// }
/// ```
///
/// The closure runs before each request, except probes, public files and open routes. It replaces
/// the tokens of `ROSTER_TOKENS`. A caller that it does not know gets 401. A client whose address
/// already has 16 requests that wait for the closure gets 429.
public struct Authentication: Sendable {
    let identification: CallerIdentification

    /// Creates an identification.
    ///
    /// - Parameters:
    ///   - deadline: The longest time from the arrival of a request to the end of the closure.
    ///   - identify: Returns the caller of a request; nil for one that the app does not know.
    public init(
        deadline: Duration = .seconds(10),
        _ identify: @escaping @Sendable (AppRequest) async throws -> Caller?
    ) {
        identification = { request, turn in
            let request = AppRequest(request)
            let rest = deadline - (turn?.age ?? .zero)
            guard rest > .zero else { throw SourceError.outOfTime }
            let caller = try Waiting.result(within: rest) {
                // The turn lasts as long as the closure, also if that ignores its cancellation.
                defer { withExtendedLifetime(turn) {} }
                return try await identify(request)
            }
            return try caller.map { caller throws(Failure) in
                try AccessCredential(identified: caller.name, caller.scopes.map(\.grant))
            }
        }
    }
}

/// A caller, and the lists that it may read and write.
///
/// ```swift
/// Caller("Ada Lovelace", scopes: [.write("books"), .read("loans", where: ["user": "ada"])])
/// ```
public struct Caller: Hashable, Sendable {
    /// The name, any text, for actions, routes and the access log.
    public let name: String
    /// The scopes.
    public let scopes: [Scope]

    /// The name of the caller whose request runs the closure of a list, an action or a route; nil for
    /// one without a name, and for loads, which serve several callers.
    public static var currentName: String? { RequestCaller.name }

    /// Creates a caller.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - scopes: The scopes, at least one.
    public init(_ name: String, scopes: [Scope]) {
        self.name = name
        self.scopes = scopes
    }
}

/// A permission of a caller.
///
/// ```swift
/// let scopes: [Scope] = [.read("books"), .read("loans", where: ["user": user.name]), .operate]
/// ```
///
/// A list without a scope cannot be read. Scopes of a list that contradict each other are an error.
public struct Scope: Hashable, Sendable {
    /// To read `/-/metrics` and `/-/lists`.
    public static let operate = Scope(grant: nil)

    /// Nil for ``operate``.
    let grant: AccessCredential.Grant?

    /// To read a list.
    ///
    /// - Parameters:
    ///   - list: The name of the list; nil for every list that no other scope names.
    ///   - values: The values of columns that rows must have, also to be written. They are compared
    ///     with cells, so that no character has a meaning of its own. nil is an error.
    /// - Returns: The scope.
    public static func read(
        _ list: String? = nil,
        where values: [String: any Sendable] = [:]
    ) -> Scope {
        let cells = values.mapValues { ValueCodec.of(type(of: $0))?.cell($0) ?? .null }
        return Scope(grant: AccessCredential.Grant(reading: list, where: cells))
    }

    /// To read and write a list; nil for every list that no other scope names.
    ///
    /// Conditions of a scope ``read(_:where:)`` limit writing, too.
    public static func write(_ list: String? = nil) -> Scope {
        Scope(grant: AccessCredential.Grant(writing: list))
    }
}
