import HTTP
import Listings
import Rendering

/// The reason why a caller's request is refused.
struct AccessRefusal {
    let kind: ProblemKind
    let detail: String
    /// The value of the WWW-Authenticate field; nil for a known caller.
    var challenge: StaticString?

    /// The token is unknown.
    static let unknownToken = AccessRefusal(
        kind: .unauthenticated,
        detail: "The Authorization field has no token that is known here.",
        challenge: "Bearer realm=\"roster\", error=\"invalid_token\""
    )
    /// The client must authenticate.
    static let unnamed = AccessRefusal(
        kind: .unauthenticated,
        detail: "This is only for those who say who they are: send Authorization: Bearer TOKEN.",
        challenge: "Bearer realm=\"roster\""
    )

    /// The caller may not access the resource.
    static func forbidden(_ detail: String) -> AccessRefusal {
        AccessRefusal(kind: .forbidden, detail: detail)
    }
}

extension Service {
    /// The permission that a request needs.
    private enum Need {
        case nothing
        /// To read at least one list.
        case something
        case reading(String)
        case writing(String)
        case operating
    }

    /// Identifies the caller and checks the permission for a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - user: The user name that a trusted proxy sent; nil without one.
    ///   - board: The access rules.
    /// - Returns: The reason why the request is refused; nil when it is allowed.
    func admit(
        _ request: borrowing HTTPRequest,
        user: String?,
        _ board: AccessPolicyStore
    ) -> AccessRefusal? {
        let table = currentTable(of: board)
        caller = table.anonymous
        guard !CrossOrigin.isPreflight(request) else { return nil }
        if let credentials = request.field(.authorization) {
            guard let token = BearerToken.find(in: credentials),
                let known = table.caller(with: String(token))
            else {
                if case .nothing = need(of: request) { return nil }
                return .unknownToken
            }
            caller = known
        } else if let user {
            caller = table.caller(named: user) ?? table.anonymous
        }
        guard let caller else { return nil }
        let refusal: AccessRefusal
        switch need(of: request) {
        case .nothing: return nil
        case .something:
            if caller.name != nil || caller.mayReadSomething { return nil }
            refusal = .forbidden("Nothing here is for who asks.")
        case .reading(let list):
            if caller.view(of: list).mayRead { return nil }
            refusal = .forbidden("Who asks may not read '\(list)'.")
        case .writing(let list):
            if caller.view(of: list).mayWrite { return nil }
            refusal = .forbidden("Who asks may not write to '\(list)'.")
        case .operating:
            if caller.mayOperate { return nil }
            refusal = .forbidden("This is for operators.")
        }
        return caller.name == nil ? .unnamed : refusal
    }

    /// The scope of the request's caller; see ``Caller/scope``.
    var callerScope: UInt64 { caller?.scope ?? 0 }

    /// Returns the rules of the token file for the lists of this service.
    private func currentTable(of board: AccessPolicyStore) -> AccessPolicy {
        adoptLists()
        var table = accessTable(of: board)
        while table.generation != listGeneration {
            adoptLists()
            table = accessTable(of: board)
        }
        return table
    }

    /// Returns a caller with permissions for the current lists.
    ///
    /// A caller whose token was removed has no permissions.
    func renewed(_ caller: Caller?) -> Caller? {
        adoptLists()
        guard let caller, let board = options.access, caller.generation != listGeneration else {
            return caller
        }
        let table = currentTable(of: board)
        guard let name = caller.name else { return table.anonymous }
        return table.caller(named: name)
            ?? Caller(name: name, mayOperate: false, views: [:], generation: listGeneration)
    }

    /// Returns the rules of the token file, from the cache unless the file was read again.
    private func accessTable(of board: AccessPolicyStore) -> AccessPolicy {
        let generation = board.generation
        if let knownTable, knownTable.generation == generation { return knownTable.table }
        let table = board.current
        knownTable = (generation, table)
        return table
    }

    private func need(of request: borrowing HTTPRequest) -> Need {
        let path = request.path
        guard path.count > 0 else { return .something }
        let first = path.segment(0)
        if first == "-", path.count > 1 {
            switch path.segment(1) {
            case "live", "ready", "problems": return .nothing
            case "metrics", "lists": return .operating
            default: return .something
            }
        }
        guard let name = listName(at: path), let endpoint = endpoints[name] else {
            return .something
        }
        return isWriting(request.method, endpoint) ? .writing(name) : .reading(name)
    }

    /// Returns the list with a name, or nil if it is unknown or the caller may not read it.
    ///
    /// Both cases look the same, so that the name is not disclosed.
    func visibleEndpoint(_ name: String) -> ServedList? {
        guard let endpoint = endpoints[name], caller?.view(of: name).mayRead ?? true else {
            return nil
        }
        return endpoint
    }

    /// Returns the name of the list that a path addresses; a format suffix wins, as in routing.
    func listName(at path: RequestPath) -> String? {
        guard path.count > 0 else { return nil }
        let first = path.segment(0)
        let short = path.count == 1 ? FormatSuffix(first).name : first
        let name = visibleEndpoint(short) == nil ? first : short
        return visibleEndpoint(name) == nil ? nil : name
    }

    /// Whether a request would change something.
    ///
    /// False where no caller can write, so that the problem is the same for all callers.
    private func isWriting(_ method: HTTPMethod, _ endpoint: ServedList) -> Bool {
        guard !method.isReading, method != .options else { return false }
        return endpoint.writer != nil || endpoint.actingReader != nil
            || endpoint.refreshableReader != nil
    }

    /// Sets the caller's view of a list.
    ///
    /// - Throws: ``Refusal`` for a list that the caller may not access; `admit` refuses it earlier.
    func show(
        _ endpoint: ServedList,
        to caller: Caller,
        asking method: HTTPMethod
    ) throws(Refusal) {
        endpoint.view = caller.view(of: endpoint.definition.name)
        let isAllowed =
            isWriting(method, endpoint) ? endpoint.view.mayWrite : endpoint.view.mayRead
        guard isAllowed else {
            throw Refusal(problem: problem(.forbidden, "This is not for who asks."), suffix: nil)
        }
    }

    /// The names of the lists that the caller may read, in the order of the directory.
    var shownNames: [String] {
        guard let caller else { return names }
        return names.filter { caller.view(of: $0).mayRead }
    }

    /// Restricts a change to the rows that the caller may write.
    ///
    /// - Returns: The change; for an existing row, on condition that the row keeps its current
    ///   state.
    /// - Throws: ``Refusal``: 404 for a row that the caller cannot see, 403 for a row that would
    ///   leave the caller's view; ``SourceError``.
    func within(_ change: RowChange, _ call: WriteCall) throws -> RowChange {
        let endpoint = call.endpoint
        let conditions = endpoint.view.conditions
        guard !conditions.isEmpty else { return change }
        var change = change
        var values = change.values
        if let column = endpoint.schema.idColumn, let id = change.id {
            let type = endpoint.schema.columns[column].type
            values[column] = CellValue.parse(id, as: type) ?? .text(id)
        }
        if change.verb != .insert, let id = change.id {
            guard try endpoint.readRow(id) else {
                guard call.receipt != nil else {
                    throw Refusal(problem: noRow(id, in: call.list), suffix: call.suffix)
                }
                // A repeated request gets its recorded result. Otherwise no state meets the empty
                // condition, so that the row is reported as missing.
                change.conditions = [.isAt([])]
                return change
            }
            if let revision = endpoint.page.revision(ofRow: 0) {
                change.conditions.append(.isAt([revision]))
            }
            if change.verb == .merge {
                for column in conditions.compactMap(\.column) where values[column] == nil {
                    values[column] = endpoint.shownValue(.column(column))
                }
            }
        }
        let isInside = conditions.areMet(in: endpoint.schema) { field in
            switch field {
            case .id: .text(change.id ?? "")
            case .column(let column): values[column] ?? .null
            }
        }
        guard change.verb == .delete || isInside else {
            throw Refusal(
                problem: problem(
                    .forbidden,
                    "The row would be none that who asks may write; nothing was written."
                ),
                suffix: call.suffix
            )
        }
        return change
    }
}
