import Bytes
import HTTP
import Listings
import Rendering
import System

/// One request on its way to its response.
///
/// It has one owner at a time: the event loop that it came to, a worker, and the loop again. It may
/// therefore be sent to another thread, which first replaces its ``lists``.
struct Call: ~Copyable, @unchecked Sendable {
    let request: HTTPRequest
    var response: HTTPResponse
    let start = MonotonicTime.now
    private(set) var service: Service
    private(set) var lists: OpenLists
    let addresses: Address
    let id: RequestID
    /// Whether the request writes in one transaction with others.
    private(set) var isInGroup = false
    /// The caller; nil without access control and before authentication.
    var caller: Caller?
    private var match: Router<Route>.Match?
    var language = PageLanguage.english
    var trace = RequestTrace()
    var problem: ProblemKind?
    var uncounted: UncountedPage?
    /// Whether the response may be deferred until the page changes.
    var canWait = true
    var cachedIsCurrent = false
    /// Whether a waiting client has the current state; a worker cannot notice later changes.
    var clientIsCurrent = false
    var isWithoutContent = false
    var redefinition = Redefinition.settled
    var cacheable: CacheableResponse?
    var prepared: PreparedRequest?
    /// The list of the row whose history is read; nil for other requests.
    var listOfHistory: String?

    enum Redefinition {
        case none
        /// A definition has changed, so that the response is not sent.
        case noticed
        /// The lists were refreshed; errors are sent to the client now.
        case settled
    }

    /// Nil for `base` takes the base path of the request.
    init(
        _ request: HTTPRequest,
        _ lists: OpenLists,
        _ id: RequestID,
        below base: BasePath? = nil,
        filling response: consuming HTTPResponse = HTTPResponse()
    ) {
        self.request = request
        self.response = response
        self.lists = lists
        service = lists.service
        self.id = id
        addresses = Address(under: base ?? (request.hasExternalAddress ? request.basePath : .root))
    }

    /// The loop that handles the request; nil on a worker.
    var loop: LoopState? { lists.loop }

    var callerScope: UInt64 { caller?.scope ?? 0 }

    mutating func findRoute() -> Router<Route>.Match {
        if let match { return match }
        let found = service.router.match(request.method, request.path)
        match = found
        if case .found(let route, _) = found { trace.route = route }
        return found
    }

    var route: Route {
        guard let route = trace.route else { preconditionFailure("the request has no route") }
        return route
    }

    var captures: RouteCaptures {
        guard case .found(_, let captures) = match else { return .none }
        return captures
    }

    mutating func renew() {
        lists.adopt()
        service = lists.service
        caller = service.renewed(caller)
    }

    mutating func onWorker(_ lists: OpenLists, isInGroup: Bool, _ body: (inout Call) -> Void) {
        // Only the loop uses its lists.
        let listsOfLoop = self.lists
        (self.lists, self.isInGroup) = (lists, isInGroup)
        body(&self)
        // It belongs to the worker, whose lists are given back to their pools.
        prepared = nil
        self.lists = listsOfLoop
    }

    mutating func restart() {
        response.reset()
        (problem, cacheable, uncounted, prepared) = (nil, nil, nil, nil)
    }

    // MARK: - Lists

    /// Unknown and unreadable lists look the same, so that names are not disclosed.
    func visibleEndpoint(_ name: String) -> ServedList? {
        guard isVisible(name), let endpoint = lists[name] else { return nil }
        endpoint.view = caller.view(of: name)
        return endpoint
    }

    private func isVisible(_ name: String) -> Bool {
        service.lists[name] != nil && caller?.view(of: name).mayRead ?? true
    }

    /// The name of the requested list; a format suffix wins, as in routing.
    var listName: String? {
        let path = request.path
        guard path.count > 0 else { return nil }
        let first = path.segment(0)
        let short = path.count == 1 ? FormatSuffix(first).name : first
        let name = isVisible(short) ? short : first
        return isVisible(name) ? name : nil
    }

    var listBeforeSlash: String? {
        let path = request.path
        guard path.count == 2, path.segment(1).isEmpty else { return nil }
        let name = path.segment(0)
        return isVisible(name) ? name : nil
    }

    var mayCreate: Bool { service.makesLists && caller?.mayCreate ?? true }

    var shownNames: [String] {
        service.names.filter { caller.view(of: $0).mayRead }
    }

    /// Returns the list in the segment of the request; nil for an unknown name.
    mutating func endpoint(_ name: String) throws -> ServedList? {
        if isVisible(name) {
            _ = try lists.open(name)
        }
        guard let endpoint = visibleEndpoint(name) else { return nil }
        trace.list = endpoint.pool?.counters
        // Access is checked earlier, so that this is a second line of defence.
        guard !endpoint.isWritten(by: request.method) || endpoint.view.mayWrite else {
            throw Problem.withoutRight
        }
        // Parameter errors are reported where all parameters are parsed.
        guard let segments = endpoint.definition.segments, let items = try? request.queryItems,
            let id = items.first(where: { $0.name == "segment" })?.value, !id.isEmpty
        else { return endpoint }
        if let segment = endpoint.endpoint(ofSegment: id) {
            segment.view = endpoint.view
            return segment
        }
        let links = segments.all.enumerated().map { position, segment in
            Problem.Link(
                segment.id,
                name: segment.title,
                address: addresses.segment(position == 0 ? nil : segment.id, of: name)
            )
        }
        throw Problem(.notFound, "No segment '\(id)' in \(name).", links: links)
    }

    mutating func requireEndpoint(_ name: String) throws -> ServedList {
        guard let endpoint = try endpoint(name) else { throw noList(name) }
        return endpoint
    }

    mutating func choose(
        among formats: [PageFormat],
        suffix: PageFormat?
    ) throws(Problem) -> Representation {
        let accept = request.field(.accept)
        if let choice = lists.choices.choice(among: formats, suffix, accept: accept) {
            trace.format = .page(choice.format)
            return choice
        }
        let path = addresses.path(request.path.segments, without: suffix)
        let links = formats.map { format in
            Problem.Link(
                format.rawValue,
                label: Text(format.title),
                address: "\(path).\(format.rawValue)"
            )
        }
        let names = formats.map { $0.mediaType.description }.joined(separator: ", ")
        throw Problem(.notAcceptable, "This address offers \(names).", links: links)
    }

    mutating func prepare(
        at target: ListResource,
        among formats: [PageFormat],
        accepting accepted: ParameterSet? = nil
    ) throws(Problem) -> PreparedRequest {
        let choice = try choose(among: formats, suffix: target.suffix)
        var parameters = ListParameters(request, at: target, accepted: accepted)
        let parsed = ListRequest(parsing: &parameters, at: target, as: choice)
        guard let parsed else { throw problem(of: parameters, target) }
        return prepare(parsed, of: target, sent: parameters.sent)
    }

    func prepare(
        _ request: ListRequest,
        of target: ListResource,
        sent: [QueryItems.Item],
        followsPreference: Bool = false
    ) -> PreparedRequest {
        PreparedRequest(
            request,
            of: target,
            under: addresses,
            sent: sent,
            fingerprint: service.fingerprint + service.mark(of: caller),
            language: language,
            followsPreference: followsPreference
        )
    }

    /// Returns the conditions on the state of a row.
    ///
    /// - Throws: 428 if the service requires one and there is none.
    func conditions(ofRow id: String) throws(Problem) -> [RowCondition] {
        let conditions = RowCondition.conditions(of: request, row: id)
        guard !service.options.writing.requiresCondition || !conditions.isEmpty else {
            let detail: Text = "The request does not say which state of row '\(id)' it means."
            throw Problem(.preconditionRequired, detail)
        }
        return conditions
    }

    /// Refuses the history of a row whose list the caller does not see as a whole.
    func checkHistory() throws(Problem) {
        guard let listOfHistory else { return }
        guard isVisible(listOfHistory) else { throw noList(listOfHistory) }
        guard caller.view(of: listOfHistory).scope.isEveryRow else {
            let detail: Text =
                "The client sees only some rows of '\(listOfHistory)', and none of their changes."
            throw Problem(.forbidden, detail)
        }
    }

    // MARK: - Rendering

    /// JSON ends with a line break, for terminals.
    mutating func render(
        _ format: PageFormat,
        _ body: (any PageRenderer, inout ByteBuffer) -> Void
    ) {
        // Formats without documents of their own get JSON.
        body(format == .html ? html : service.json, &response.body)
        if format != .html { response.body.append(UInt8(ascii: "\n")) }
    }

    mutating func respond(_ document: JSONPart) {
        document.write(to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    var html: HTMLPageRenderer { service.pages[language, addresses] }

    /// Browsers send a preflight request for JSON, but not for forms.
    func refuseForeign(_ content: RequestContent) throws(Problem) {
        guard RequestOrigin.isForeign(request) else { return }
        if case .form = content {
        } else if service.options.crossOrigin?.allows(request) ?? false {
            return
        }
        throw .foreignOrigin
    }

    /// Restricts a change to the rows that the caller may write.
    ///
    /// - Returns: The change; for an existing row, on condition that the row keeps its current
    ///   state. To replace a row that the caller cannot see is to create it.
    /// - Throws: 404 for a row that the caller cannot see, 403 for a row that would leave the
    ///   caller's view; ``SourceError``.
    func restrict(_ change: RowChange, _ write: WriteCall) throws -> RowChange {
        let endpoint = write.endpoint
        let scope = endpoint.view.scope
        guard !scope.isEveryRow else { return change }
        var change = change
        var values = change.values
        if let column = endpoint.schema.idColumn, let id = change.id {
            let type = endpoint.schema.columns[column].type
            values[column] = CellValue.parse(id, as: type) ?? .text(id)
        }
        if change.verb != .insert, let id = change.id {
            let isVisible = try endpoint.readRow(id)
            let mayCreate =
                change.verb == .replace
                && change.conditions.allSatisfy { $0.holds(exists: false, revision: nil) }
            guard isVisible || mayCreate else {
                guard write.receipt != nil else { throw noRow(id, in: write.list) }
                // A repeated request gets its recorded result. Otherwise no state meets the empty
                // condition, so that the row is reported as missing.
                change.conditions = [.isAt([])]
                return change
            }
            if !isVisible {
                // The row does not exist for the caller. If another row has the id, it is taken.
                change = RowChange(.insert, id: id, values: change.values)
            } else if let revision = endpoint.page.revision(ofRow: 0) {
                change.conditions.append(.isAt([revision]))
            }
            if change.verb == .merge {
                let columns = scope.conditions.flatMap(\.leaves).compactMap(\.column)
                for column in columns where values[column] == nil {
                    values[column] = endpoint.page.shownValue(.column(column))
                }
            }
        }
        let isInside = scope.contains(in: endpoint.schema) { field in
            switch field {
            case .id: .text(change.id ?? "")
            case .column(let column): values[column] ?? .null
            }
        }
        guard change.verb == .delete || isInside else {
            let detail: Text =
                "The client may not write the row in this state; nothing was written."
            throw Problem(.forbidden, detail)
        }
        return change
    }
}
