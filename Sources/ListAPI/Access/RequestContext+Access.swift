import HTTP
import Listings

/// The reason why a caller's request is refused.
struct AccessRefusal {
    let kind: ProblemKind
    let detail: String
    /// The detail on a page, for people; nil for ``detail``.
    var pageDetail: String?
    /// The value of the WWW-Authenticate field; nil for a known caller.
    var challenge: StaticString?

    static let unknownToken = AccessRefusal(
        kind: .unauthenticated,
        detail: "The Authorization field has no token that is known here.",
        challenge: "Bearer realm=\"roster\", error=\"invalid_token\""
    )
    /// The client must authenticate.
    static let unnamed = AccessRefusal(
        kind: .unauthenticated,
        detail: "This needs a token: send Authorization: Bearer TOKEN.",
        pageDetail: "This page is not public, and you are not signed in. A browser cannot send a "
            + "token. The operator of this site can let you sign in.",
        challenge: "Bearer realm=\"roster\""
    )

    /// The program does not know the caller.
    static let unidentified = AccessRefusal(
        kind: .unauthenticated,
        detail: "This needs a caller that the service knows.",
        pageDetail: "This page is not public, and you are not signed in.",
        challenge: "Bearer realm=\"roster\""
    )

    /// A trusted proxy names a user that has no line in the token file.
    static func unknownUser(_ name: String) -> AccessRefusal {
        let user = AccessCredential.isName(name) ? "The user '\(name)'" : "The user of the proxy"
        return forbidden("\(user) has no rights here. The operator can add a line for it.")
    }

    /// The caller may not access the resource.
    static func forbidden(_ detail: String) -> AccessRefusal {
        AccessRefusal(kind: .forbidden, detail: detail)
    }
}

/// The permission that a request needs.
enum RequiredRight: Hashable {
    case nothing
    /// To read at least one list.
    case something
    case reading(String)
    case writing(String)
    case operating

    /// Returns the reason why a caller is refused; nil if it has the permission.
    ///
    /// - Parameters:
    ///   - caller: The caller; nil without access rules.
    ///   - unnamed: The reason for a caller without a name.
    /// - Returns: The reason.
    func refusal(of caller: Caller?, unnamed: AccessRefusal) -> AccessRefusal? {
        guard let caller else { return nil }
        let refusal: AccessRefusal
        switch self {
        case .nothing: return nil
        case .something:
            if caller.name != nil || caller.mayReadSomething { return nil }
            refusal = .forbidden("The client may not read anything here.")
        case .reading(let list):
            if caller.view(of: list).mayRead { return nil }
            refusal = .forbidden("The client may not read '\(list)'.")
        case .writing(let list):
            if caller.view(of: list).mayWrite { return nil }
            refusal = .forbidden("The client may not write to '\(list)'.")
        case .operating:
            if caller.mayOperate { return nil }
            refusal = .forbidden("This is for operators.")
        }
        return caller.name == nil ? unnamed : refusal
    }
}

extension RequestContext {
    /// Identifies the caller and checks the permission for a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - user: The user name that a trusted proxy sent; nil without one.
    ///   - policy: The access rules.
    /// - Returns: The reason why the request is refused; nil when it is allowed.
    mutating func admit(
        _ request: borrowing HTTPRequest,
        user: String?,
        _ policy: AccessPolicy
    ) -> AccessRefusal? {
        caller = policy.anonymous
        var anonymousRefusal = AccessRefusal.unnamed
        guard !CrossOrigin.isPreflight(request) else { return nil }
        if let credentials = request.field(.authorization) {
            guard let token = BearerToken.find(in: credentials),
                let known = policy.caller(with: String(token))
            else {
                if case .nothing = need(of: request) { return nil }
                return .unknownToken
            }
            caller = known
        } else if let user {
            caller = policy.user(named: user) ?? policy.anonymous
            anonymousRefusal = .unknownUser(user)
        }
        return need(of: request).refusal(of: caller, unnamed: anonymousRefusal)
    }

    /// Checks the permission of a caller that the program has identified.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - identified: The caller; nil for one that the program does not know.
    ///   - policy: The access rules.
    /// - Returns: The reason why the request is refused; nil when it is allowed.
    mutating func admit(
        _ request: borrowing HTTPRequest,
        as identified: Caller?,
        _ policy: AccessPolicy
    ) -> AccessRefusal? {
        caller = identified ?? policy.anonymous
        guard !CrossOrigin.isPreflight(request) else { return nil }
        return need(of: request).refusal(of: caller, unnamed: .unidentified)
    }

    /// Returns the permission that a request needs.
    func need(of request: borrowing HTTPRequest) -> RequiredRight {
        let path = request.path
        guard path.count > 0 else { return .something }
        let first = path.segment(0)
        if first == "-", path.count > 1 {
            switch path.segment(1) {
            case "live", "ready", "problems", "assets": return .nothing
            case "metrics", "lists": return .operating
            default: return .something
            }
        }
        if !service.options.routes.isEmpty,
            case .found(.program(let position), _) = service.router.match(request.method, path)
        {
            return service.options.routes[position].isOpen ? .nothing : .something
        }
        guard let name = listName(at: path), let endpoint = lists[name] else {
            return .something
        }
        return endpoint.isWritten(by: request.method) ? .writing(name) : .reading(name)
    }
}

extension ServedList {
    /// Whether a request of a method would change something.
    ///
    /// False where no caller can write, so that the problem is the same for all callers.
    func isWritten(by method: HTTPMethod) -> Bool {
        !method.isReading && method != .options && takesChanges
    }

    /// Whether a caller with the right to write could change something.
    var takesChanges: Bool { writer != nil || reader.actions != nil || reader.refreshes != nil }
}
