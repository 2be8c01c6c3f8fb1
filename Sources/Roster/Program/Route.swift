import HTTP
import ListAPI

/// A route of an app besides its lists.
///
/// ```swift
/// var routes: [Route] {
///     Route(.get, "/hello") { _ in .text("Hello") }
///     Route(.post, "/carts/{id}") { request in
///         .redirect(to: "/carts?id=\(request["id"] ?? "")")
///     }
/// }
/// ```
///
/// Closures run on threads of their own, so that they delay no list. Their task is cancelled after
/// ten seconds, or when the client leaves. An error that they throw is in the log, and the client
/// gets 500. Forms of pages of other sites are refused.
public struct Route: Sendable {
    /// The methods of routes; `get` also takes HEAD.
    ///
    /// ```swift
    /// Route(.delete, "/carts/{id}") { _ in .status(204) }
    /// ```
    public enum Method: Sendable {
        /// GET and HEAD.
        case get
        /// POST.
        case post
        /// PUT.
        case put
        /// PATCH.
        case patch
        /// DELETE.
        case delete
    }

    let route: ProgramRoute

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, which begins with a word that is no list. `{id}` captures a segment.
    ///   - isOpen: Whether callers that the app does not know may use it, as for a sign-in page.
    ///   - deadline: The longest time that the closure may take.
    ///   - respond: Responds to a request.
    public init(
        _ method: Method,
        _ path: String,
        isOpen: Bool = false,
        deadline: Duration = .seconds(10),
        respond: @escaping @Sendable (AppRequest) async throws -> RouteResponse
    ) {
        let methods: [Method: HTTPMethod] = [
            .get: .get, .post: .post, .put: .put, .patch: .patch, .delete: .delete,
        ]
        route = ProgramRoute(methods[method] ?? .get, path, isOpen: isOpen) {
            request,
            captures,
            caller in
            let request = AppRequest(request, captures: captures, caller: caller)
            return try Waiting.result(within: deadline) { try await respond(request) }.checked()
        }
    }
}

/// Collects the routes of an app.
///
/// ```swift
/// @RouteBuilder var routes: [Route] {
///     Route(.get, "/hello") { _ in .text("Hello") }
///     if isTest { Route(.get, "/crash") { _ in throw Crash() } }
/// }
/// ```
@resultBuilder
public enum RouteBuilder {
    /// Takes a route.
    public static func buildExpression(_ route: Route) -> [Route] { [route] }

    /// Takes routes that are declared elsewhere.
    public static func buildExpression(_ routes: [Route]) -> [Route] { routes }

    /// Takes routes in their order.
    public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap(\.self) }

    /// Takes routes of a condition.
    public static func buildOptional(_ part: [Route]?) -> [Route] { part ?? [] }

    /// Takes routes of a condition.
    public static func buildEither(first part: [Route]) -> [Route] { part }

    /// Takes routes of a condition.
    public static func buildEither(second part: [Route]) -> [Route] { part }

    /// Takes routes of a loop.
    public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap(\.self) }
}
