import HTTP
import Listings
import Rendering

enum RequestDispatcher {
    static func respond(to call: inout Call, preparedAs prepared: PreparedRequest? = nil) {
        if call.lists.workers == nil {
            call.listName.flatMap { call.lists[$0] }?.begin()
        }
        call.redefinition = .none
        if let prepared, prepared.holds(for: call.callerScope) {
            refusing(&call) { call throws in
                try PageHandler.respond(again: prepared, in: &call)
            }
        } else {
            refusing(&call, handle)
        }
        for restart in 1...maximumRestarts {
            guard call.redefinition == .noticed, let servedLists = call.service.options.lists else {
                return
            }
            // The definition of a list has changed, so that the request is restarted.
            servedLists.refresh()
            call.renew()
            call.redefinition = restart < maximumRestarts ? .none : .settled
            call.restart()
            refusing(&call, handle)
        }
    }

    /// The maximum number of restarts, because definitions may change again meanwhile.
    private static let maximumRestarts = 4

    private static func refusing(_ call: inout Call, _ body: (inout Call) throws -> Void) {
        do {
            try body(&call)
        } catch {
            // Other problems are found after the definition was compared.
            if let problem = error as? Problem, [400, 404, 422].contains(problem.kind.status),
                let list = call.listName.flatMap({ call.lists[$0] })
            {
                call.checkDefinition(of: list)
            }
            call.refuse(error)
        }
    }

    private static func handle(_ call: inout Call) throws {
        guard let name = call.caller?.name else { return try handleRecorded(&call) }
        try RequestCaller.$name.withValue(name) { try handleRecorded(&call) }
    }

    /// Records every write of the request for its caller.
    private static func handleRecorded(_ call: inout Call) throws {
        guard let history = call.service.options.history, !call.request.method.isReading else {
            return try handleUnrecorded(&call)
        }
        let recorder = ChangeRecorder(history, caller: call.caller?.name)
        try ChangeRecorder.$current.withValue(recorder) { try handleUnrecorded(&call) }
    }

    private static func handleUnrecorded(_ call: inout Call) throws {
        call.language = PageLanguage(for: call.request)
        switch call.findRoute() {
        case .found(let route, _):
            try handle(&call, at: route)
            if call.request.method.isReading { try call.requireMatch() }
        case .options(let allowed), .methodNotAllowed(let allowed):
            try OptionsHandler.respond(to: &call, allowed)
        case .notFound:
            guard let list = call.listBeforeSlash else { throw call.notFound }
            let query = call.request.query.map { "?\($0)" } ?? ""
            let address = call.addresses.list(list) + query
            // The rights of the caller decide.
            call.response.redirect(.permanentRedirect, to: address, caching: "no-store")
        }
    }

    private static func handle(_ call: inout Call, at route: Route) throws {
        defer {
            // A group of writes notifies after its commit.
            if !call.request.method.isReading, !call.isInGroup {
                call.service.options.changeSignal.notify()
            }
        }
        guard call.service.isOffered(route) else { throw call.notFound }
        if route.dependsOnLists, call.listName == nil,
            let servedLists = call.service.options.lists, servedLists.beginCheck()
        {
            servedLists.refresh()
            call.renew()
        }
        switch route {
        case .live: OperationsHandler.show("live", with: &call.response)
        case .ready: OperationsHandler.showReadiness(in: &call)
        case .version: OperationsHandler.show(RosterVersion.current, with: &call.response)
        case .metrics: OperationsHandler.showMetrics(in: &call)
        case .lists: OperationsHandler.showLists(in: &call)
        case .description: try AssetHandler.respondWithDescription(to: &call)
        case .asset: try AssetHandler.respond(in: &call)
        case .problem: try ProblemHandler.respond(to: &call)
        case .documentation: try DocumentationHandler.respond(to: &call)
        case .program(let position):
            try ProgramHandler.respond(to: &call, at: position)
        case .directory where call.request.method == .post:
            try CreationHandler.respond(to: &call)
        case .directory: try DirectoryHandler.respond(to: &call, suffix: nil)
        case .draft: try CreationHandler.respondToDraft(in: &call)
        case .list where FormatSuffix(call.captures[0]).name.isEmpty:
            guard call.request.method.isReading else {
                return try OptionsHandler.respond(to: &call, [.get, .head, .options])
            }
            let format = FormatSuffix(call.captures[0]).format
            try DirectoryHandler.respond(to: &call, suffix: format)
        case .cell: try RowHandler.respondWithCell(in: &call)
        case .refresh: try RefreshHandler.respond(to: &call)
        case .importing, .imported: try ImportHandler.respond(to: &call)
        case .list, .row, .rows, .view, .section, .rowAction, .bulkAction:
            try handleRows(&call)
        }
    }

    private static func handleRows(_ call: inout Call) throws {
        guard try !FormHandler.respond(to: &call) else { return }
        // The rows below a row are read at the address of an action.
        if call.route == .rowAction || call.route == .bulkAction,
            !call.request.method.isReading || !ActionResource(call.route, call.captures).isChildren
        {
            try ActionHandler.respond(to: &call)
        } else if call.request.method.isReading {
            try PageHandler.respond(to: &call)
        } else {
            try WriteHandler.respond(to: &call)
        }
    }
}

extension Route {
    fileprivate var dependsOnLists: Bool {
        switch self {
        case .live, .ready, .version, .metrics, .lists, .description, .documentation, .asset,
            .problem, .program:
            false
        default: true
        }
    }
}

enum OptionsHandler {
    static func respond(to call: inout Call, _ allowed: [HTTPMethod]) throws {
        var methods = try RefreshHandler.methods(in: &call)
        if methods == nil { methods = try ActionHandler.methods(in: &call) }
        let possible = methods ?? possible(allowed, in: call)
        // An address that only takes writes has nothing to read where the list is read-only.
        guard possible != [.options] || !call.request.method.isReading, !possible.isEmpty else {
            let isOfList = call.request.path.count == 3
            let list = isOfList ? call.visibleEndpoint(call.request.path.segment(0)) : nil
            throw list.map { call.nothingHere(in: $0.definition) } ?? call.notFound
        }
        guard call.request.method == .options else {
            throw Problem.methodNotAllowed(call.request.method, possible)
        }
        call.response.addField(.allow, HTTPMethod.list(possible))
        call.response.status = .noContent
    }

    private static func possible(_ methods: [HTTPMethod], in call: borrowing Call) -> [HTTPMethod] {
        guard let first = call.request.path.segments.first,
            !call.service.options.routes.contains(where: { $0.firstSegment == first }),
            !call.request.path.isRoot || !call.mayCreate
        else { return methods }
        guard call.listName.flatMap({ call.visibleEndpoint($0) })?.writer == nil else {
            return methods
        }
        return methods.filter { $0.isReading || $0 == .options }
    }
}

extension HTTPMethod {
    var isReading: Bool { self == .get || self == .head }

    static func list(_ methods: [HTTPMethod]) -> String {
        methods.map(\.name).joined(separator: ", ")
    }
}
