import HTTP
import Listings
import Rendering

/// Finds the route of a request and lets its handler respond.
enum RequestDispatcher {
    /// Fills the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - prepared: The prepared request of the same key; nil without one.
    ///   - context: The context of the request.
    ///   - response: The response to fill.
    static func respond(
        to request: borrowing HTTPRequest,
        preparedAs prepared: PreparedRequest? = nil,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) {
        if context.lists.workers == nil {
            context.listName(at: request.path).flatMap { context.lists[$0] }?.begin()
        }
        context.redefinition = .none
        if let prepared, prepared.holds(for: context.callerScope) {
            refusing(request, in: &context, with: &response) { request, context, response in
                let pages = PageHandler(service: context.service)
                try pages.respond(again: prepared, request, in: &context, with: &response)
            }
        } else {
            refusing(request, in: &context, with: &response, handle)
        }
        guard context.redefinition == .noticed, let board = context.service.options.lists
        else { return }
        // The definition of a list has changed, so that the request is restarted.
        board.refresh()
        context.renew()
        context.redefinition = .settled
        context.problem = nil
        response.reset()
        refusing(request, in: &context, with: &response, handle)
    }

    /// Runs a body that responds, and turns its errors into problems.
    private static func refusing(
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse,
        _ body: (borrowing HTTPRequest, inout RequestContext, inout HTTPResponse) throws -> Void
    ) {
        do {
            try body(request, &context, &response)
        } catch {
            context.refuse(error, request, with: &response)
        }
    }

    private static func handle(
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        context.language = PageLanguage(for: request)
        switch context.match ?? match(request, in: context) {
        case .found(let route, let captures):
            try handle(request, at: route, captures, in: &context, with: &response)
            if request.method.isReading { try context.requireMatch(request, of: &response) }
        case .options(let allowed), .methodNotAllowed(let allowed):
            try OptionsHandler(service: context.service)
                .respond(to: request, allowed, in: &context, with: &response)
        case .notFound:
            guard let list = context.listBeforeSlash(at: request.path) else {
                throw context.notFound
            }
            let query = request.query.map { "?\($0)" } ?? ""
            let address = context.addresses.list(list) + query
            response.status = .permanentRedirect
            response.addField(.location, address)
            // The rights of the caller decide.
            response.addField(.cacheControl, "no-store" as StaticString)
        }
    }

    private static func handle(
        _ request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        context.trace.route = route
        defer {
            // A group of writes notifies after its commit.
            if !request.method.isReading, !context.isInGroup {
                context.service.options.changeSignal.notify()
            }
        }
        guard context.service.isOffered(route) else {
            throw context.notFound
        }
        if route.dependsOnLists, context.listName(at: request.path) == nil,
            let board = context.service.options.lists, board.takeLook()
        {
            board.refresh()
            context.renew()
        }
        let service = context.service
        switch route {
        case .live: OperationsHandler.show("live", with: &response)
        case .ready:
            OperationsHandler(service: service)
                .showReadiness(of: context.lists, to: context.caller, with: &response)
        case .version: OperationsHandler.show(RosterVersion.current, with: &response)
        case .metrics: OperationsHandler(service: service).showMetrics(with: &response)
        case .lists:
            OperationsHandler(service: service).showLists(of: context.lists, with: &response)
        case .description:
            try AssetHandler(service: service).respondWithDescription(
                to: request,
                in: &context,
                with: &response
            )
        case .asset:
            try AssetHandler(service: service).respond(captures, request, in: &context, with: &response)
        case .problem:
            try ProblemHandler().respond(
                captures[0],
                request,
                in: &context,
                with: &response
            )
        case .documentation:
            try DocumentationHandler(service: service).respond(
                to: request,
                in: &context,
                with: &response
            )
        case .program(let position):
            try ProgramHandler(service: service).respond(
                to: request,
                at: position,
                captures,
                in: &context,
                with: &response
            )
        case .directory:
            try DirectoryHandler(service: service).respond(
                to: request,
                suffix: nil,
                in: &context,
                with: &response
            )
        case .list where FormatSuffix(captures[0]).name.isEmpty:
            guard request.method.isReading else {
                let allowed: [HTTPMethod] = [.get, .head, .options]
                return try OptionsHandler(service: service).respond(
                    to: request,
                    allowed,
                    in: &context,
                    with: &response
                )
            }
            let format = FormatSuffix(captures[0]).format
            try DirectoryHandler(service: service).respond(
                to: request,
                suffix: format,
                in: &context,
                with: &response
            )
        case .cell:
            try RowHandler().respondWithCell(
                captures,
                request,
                in: &context,
                with: &response
            )
        case .refresh:
            try RefreshHandler().respond(
                to: request,
                ofList: captures[0],
                in: &context,
                with: &response
            )
        case .importing, .imported:
            try ImportHandler(service: service).respond(
                to: request,
                at: route,
                captures,
                in: &context,
                with: &response
            )
        case .list, .row, .rows, .view, .section, .rowAction, .bulkAction:
            try handleRows(request, at: route, captures, in: &context, with: &response)
        }
    }

    private static func handleRows(
        _ request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let service = context.service
        if try FormHandler(service: service).respond(
            to: request,
            at: route,
            captures,
            in: &context,
            with: &response
        ) {
            return
        }
        // The rows below a row are read at the address of an action.
        if route == .rowAction || route == .bulkAction,
            !request.method.isReading || !ActionResource(route, captures).isChildren
        {
            try ActionHandler(service: service).respond(
                to: request,
                at: route,
                captures,
                in: &context,
                with: &response
            )
        } else if request.method.isReading {
            try PageHandler(service: service).respond(
                to: request,
                at: route,
                captures,
                in: &context,
                with: &response
            )
        } else {
            try WriteHandler(service).respond(
                to: request,
                at: route,
                captures,
                in: &context,
                with: &response
            )
        }
    }

    /// Returns the route of a request.
    static func match(
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext
    ) -> Router<Route>.Match {
        context.service.router.match(request.method, request.path)
    }
}

extension Route {
    /// Whether new lists matter to its response.
    fileprivate var dependsOnLists: Bool {
        switch self {
        case .live, .ready, .version, .metrics, .lists, .description, .documentation, .asset,
            .problem, .program:
            false
        default: true
        }
    }
}

/// Responds with the methods that an address accepts.
struct OptionsHandler {
    let service: Service

    /// Responds with the methods of an address; those of an action depend on its row.
    func respond(
        to request: borrowing HTTPRequest,
        _ allowed: [HTTPMethod],
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        var methods = try RefreshHandler().methods(at: request, in: &context)
        if methods == nil {
            methods = try ActionHandler(service: service).methods(at: request, in: &context)
        }
        let possible = methods ?? possible(allowed, at: request.path, in: context)
        // An address that only takes writes has nothing to read where the list is read-only.
        guard possible != [.options] || !request.method.isReading, !possible.isEmpty else {
            let isOfList = request.path.count == 3
            let list = isOfList ? context.visibleEndpoint(request.path.segment(0)) : nil
            throw list.map { context.nothingHere(in: $0.definition) } ?? context.notFound
        }
        guard request.method == .options else {
            throw Problem.methodNotAllowed(request.method, possible)
        }
        response.addField(.allow, HTTPMethod.list(possible))
        response.status = .noContent
    }

    /// Returns the possible methods of an address: a read-only list has none that write rows.
    private func possible(
        _ methods: [HTTPMethod],
        at path: RequestPath,
        in context: borrowing RequestContext
    ) -> [HTTPMethod] {
        guard let first = path.segments.first,
            !service.options.routes.contains(where: { $0.firstSegment == first })
        else { return methods }
        let name = path.count == 1 ? FormatSuffix(first).name : first
        guard (context.visibleEndpoint(name) ?? context.visibleEndpoint(first))?.writer == nil
        else {
            return methods
        }
        return methods.filter { $0.isReading || $0 == .options }
    }
}

extension HTTPMethod {
    /// Whether a request only reads, and changes nothing.
    var isReading: Bool { self == .get || self == .head }

    /// Returns the value of an Allow field.
    static func list(_ methods: [HTTPMethod]) -> String {
        methods.map(\.name).joined(separator: ", ")
    }
}
