import HTTP
import Listings
import Rendering

extension Problem {
    fileprivate static let unknownToken = unauthenticated(
        "The Authorization field has no token that is known here.",
        challenge: ", error=\"invalid_token\""
    )

    fileprivate static let unnamed = unauthenticated(
        "This needs a token: send Authorization: Bearer TOKEN.",
        onPage: "This page is not public, and you are not signed in. A browser cannot send a "
            + "token. The operator of this site can let you sign in."
    )

    fileprivate static let unidentified = unauthenticated(
        "This needs a caller that the service knows.",
        onPage: "This page is not public, and you are not signed in."
    )

    private static func unauthenticated(
        _ detail: Text,
        onPage pageDetail: Text? = nil,
        challenge: String = ""
    ) -> Problem {
        let fields = [("WWW-Authenticate", "Bearer realm=\"roster\"" + challenge)]
        var problem = Problem(.unauthenticated, detail, fields: fields)
        problem.pageDetail = pageDetail
        return problem
    }

    fileprivate static func unknownUser(_ name: String) -> Problem {
        let user: Text =
            AccessCredential.isName(name) ? "The user '\(name)'" : "The user of the proxy"
        let detail: Text = "\(user) has no rights here. The operator can add a line for it."
        return Problem(.forbidden, detail)
    }
}

enum RequiredRight: Hashable {
    case nothing
    case something
    case reading(String)
    case writing(String)
    case creating
    case operating

    /// Refuses a caller that does not have the permission; nil is the caller without access rules.
    func check(_ caller: Caller?, unnamed: @autoclosure () -> Problem) throws(Problem) {
        guard let caller else { return }
        let detail: Text
        switch self {
        case .nothing: return
        case .something:
            if caller.name != nil || caller.mayReadSomething { return }
            detail = "The client may not read anything here."
        case .reading(let list):
            if caller.view(of: list).mayRead { return }
            detail = "The client may not read '\(list)'."
        case .writing(let list):
            if caller.view(of: list).mayWrite { return }
            detail = "The client may not write to '\(list)'."
        case .creating:
            if caller.mayCreate { return }
            detail = "Only clients that may write every list make lists."
        case .operating:
            if caller.mayOperate { return }
            detail = "This is for operators."
        }
        throw caller.name == nil ? unnamed() : Problem(.forbidden, detail)
    }
}

extension Call {
    mutating func admit(user: String?, _ policy: AccessPolicy) throws(Problem) {
        caller = policy.anonymous
        var unknown: String?
        guard !CrossOrigin.isPreflight(request) else { return }
        if let credentials = request.field(.authorization) {
            guard let token = BearerToken.find(in: credentials),
                let known = policy.caller(with: String(token))
            else {
                if requiredRight() == .nothing { return }
                throw .unknownToken
            }
            caller = known
        } else if let user {
            caller = policy.user(named: user) ?? policy.anonymous
            unknown = user
        }
        try requiredRight().check(caller, unnamed: unknown.map(Problem.unknownUser) ?? .unnamed)
    }

    /// Checks the permission of a caller that the program has identified; nil is an unknown one.
    mutating func admit(as identified: Caller?, _ policy: AccessPolicy) throws(Problem) {
        caller = identified ?? policy.anonymous
        guard !CrossOrigin.isPreflight(request) else { return }
        try requiredRight().check(caller, unnamed: .unidentified)
    }

    mutating func requiredRight() -> RequiredRight {
        let path = request.path
        guard path.count > 0 else { return .something }
        if path.isRoot, request.method == .post, service.makesLists { return .creating }
        let first = path.segment(0)
        if first == "-", path.count > 1 {
            switch path.segment(1) {
            case "live", "ready", "problems", "assets": return .nothing
            case "metrics", "lists": return .operating
            case "new" where service.makesLists: return .creating
            default: return .something
            }
        }
        if !service.options.routes.isEmpty,
            case .found(.program(let position), _) = findRoute()
        {
            return service.options.routes[position].isOpen ? .nothing : .something
        }
        guard let name = listName, let endpoint = lists[name] else {
            return .something
        }
        return endpoint.isWritten(by: request.method) ? .writing(name) : .reading(name)
    }
}

extension ServedList {
    /// False where no caller can write, so that the problem is the same for all callers.
    func isWritten(by method: HTTPMethod) -> Bool {
        !method.isReading && method != .options && takesChanges
    }

    var takesChanges: Bool {
        writer != nil || reader.refreshState != nil
            || !reader.abilities.isDisjoint(with: [.actions, .moves])
    }
}
