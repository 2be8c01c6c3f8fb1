import Bytes
import HTTP
import Listings
import Rendering

/// Performs actions on rows.
struct ActionHandler {
    let service: Service

    /// Performs the requested action on a row, or on many.
    func respond(
        to request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let place = ActionResource(route, captures)
        let endpoint = try context.endpoint(place.list, request)
        let methods = try methods(at: place, of: endpoint)
        guard !methods.isEmpty, let endpoint, let reader = endpoint.reader.actions else {
            throw try absence(of: place, in: endpoint, in: context)
        }
        // HEAD is GET without the content, but an action has effects besides its content.
        guard methods.contains(request.method), request.method != .head else {
            throw Problem.methodNotAllowed(request.method, methods)
        }
        guard !RequestOrigin.isForeign(request) else { throw Problem.foreignOrigin }
        let call = try prepareCall(request, place, endpoint, reader, in: &context)
        let content = try RequestContent(request)
        if place.row == nil {
            try performMany(call, content, in: &context, with: &response)
        } else if place.isMove {
            let target = try call.taking { () throws(Problem.Fault) in try MoveTarget(content) }
            try move(call, to: target, in: &context, with: &response)
        } else {
            let action = endpoint.actions.first { $0.name == call.action }
            let values = try input(of: action?.input, content, call)
            try performOne(call, action?.input, values, in: &context, with: &response)
        }
    }

    /// Returns the methods of an action's address: nil for any other path, and none without the
    /// action.
    func methods(
        at request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) throws -> [HTTPMethod]? {
        let forms = FormHandler(service: service)
        if let methods = forms.methods(at: request.path, in: context) { return methods }
        guard let place = ActionResource(request.path) else { return nil }
        return try methods(at: place, of: context.endpoint(place.list, request))
    }

    private func methods(
        at place: ActionResource,
        of endpoint: ServedList?
    ) throws -> [HTTPMethod] {
        if place.isChildren, let row = place.row, let endpoint {
            guard endpoint.reader.hasOutline, try endpoint.readRow(row) else { return [] }
            return [.get, .head, .options]
        }
        guard let endpoint, let reader = endpoint.reader.actions else { return [] }
        guard let row = place.row else { return reader.offersActions ? [.post, .options] : [] }
        if place.isMove {
            // Positions between rows are unknown to a caller who sees only some rows.
            guard reader.offersMoves, endpoint.view.scope.isEveryRow else { return [] }
            return try endpoint.readRow(row) ? [.post, .options] : []
        }
        guard reader.offersActions else { return [] }
        switch try endpoint.action(place.action, ofRow: row)?.method {
        case .post: return [.post, .options]
        case .get: return [.get, .options]
        case nil: return []
        }
    }

    /// Returns the problem of a missing action: the list, the row or the action is missing.
    private func absence(
        of place: ActionResource,
        in endpoint: ServedList?,
        in context: borrowing RequestContext
    ) throws -> Problem {
        guard let endpoint else { return context.noList(place.list) }
        let list = endpoint.definition
        let reader = endpoint.reader.actions
        let isOffered = (place.isMove ? reader?.offersMoves : reader?.offersActions) ?? false
        guard isOffered, let row = place.row else {
            return context.nothingHere(in: list)
        }
        guard try endpoint.readRow(row) else { return context.noRow(row, in: list) }
        return context.missing(Self.noAction(place.action, row), in: list)
    }

    private func prepareCall(
        _ request: borrowing HTTPRequest,
        _ place: ActionResource,
        _ endpoint: ServedList,
        _ actions: RowActions,
        in context: inout RequestContext
    ) throws -> ActionCall {
        let target = ListResource(endpoint, .list, place.suffix, in: context)
        return ActionCall(
            endpoint: endpoint,
            actions: actions,
            action: place.action,
            row: place.row,
            prepared: try context.prepare(request, at: target, among: [.json, .html]),
            preferences: Preferences(request)
        )
    }

    // MARK: - One row

    /// Reads the values that an action needs.
    private func input(
        of rules: RowRules?,
        _ content: RequestContent,
        _ call: ActionCall
    ) throws(Problem) -> [String: CellValue] {
        guard let rules else {
            _ = try call.taking { () throws(Problem.Fault) in try BodyFields(content, allowed: []) }
            return [:]
        }
        let row = try call.taking { () throws(Problem.Fault) in
            switch content {
            case .json(let json): return try RowDecoder(json, rules)
            case .form(let items): return try RowDecoder(items, rules)
            case .empty: return try RowDecoder([], rules)
            }
        }
        let errors = row.faults(of: RowChange(.insert, id: nil, values: row.values))
        guard errors.isEmpty, row.id == nil else { throw call.invalid(errors) }
        return Dictionary(
            uniqueKeysWithValues: row.values.map { (rules.columns[$0.key].id, $0.value) }
        )
    }

    private func performOne(
        _ call: ActionCall,
        _ rules: RowRules?,
        _ values: [String: CellValue],
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let row = call.row ?? ""
        let outcome: ActionOutcome
        do {
            let request = ActionRequest(
                caller: context.caller?.name,
                list: call.list.name,
                values: values
            )
            outcome = try call.actions.perform(call.action, row: row, for: request)
        } catch .invalid(let errors) {
            let rules = rules ?? RowRules(input: [])
            let notation: RowDecoder.Notation = call.isFromBrowser ? .form : .json("")
            throw call.invalid(errors.map { $0.fault(rules, notation) })
        } catch {
            throw problem(of: error, call, row: row, in: context)
        }
        switch outcome {
        case .refused(let reason): throw call.problem(.conflict, reason)
        case .redirected(let address) where !ActionOutcome.isAddress(address):
            let error = ActionError.failed(reason: "\(address) is no address to lead to")
            throw problem(of: error, call, row: row, in: context)
        case .redirected, .done, .removed: break
        }
        send(call, [.init(row: row, outcome: .performed(outcome))], in: &context, with: &response)
    }

    private func move(
        _ call: ActionCall,
        to target: MoveTarget,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let row = call.row ?? ""
        do {
            try call.actions.move(row: row, to: target)
        } catch {
            throw problem(of: error, call, row: row, in: context)
        }
        send(call, [.init(row: row, outcome: .moved)], in: &context, with: &response)
    }
}

extension ActionHandler {
    /// Performs an action on all requested rows.
    ///
    /// It performs none if a row does not offer the action, unless the client prefers leniency.
    func performMany(
        _ call: ActionCall,
        _ content: RequestContent,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let rows = try RowChoice.rows(of: content, call)
        var results: [ActionDocument.Result] = []
        for row in rows {
            results.append(.init(row: row, outcome: try offer(call, row)))
        }
        let absent = results.filter { !$0.outcome.isDone }
        guard absent.isEmpty || call.preferences.isLenient else {
            let isUnknown = absent.contains { $0.outcome == .unknownRow }
            throw call.problem(
                isUnknown ? .notFound : .conflict,
                "\(absent.count) of \(rows.count) rows do not offer '\(call.action)'; nothing was "
                    + "done.",
                faults: faults(absent, call)
            )
        }
        for index in results.indices where results[index].outcome.isDone {
            results[index] = perform(call, rows[index], in: &context)
        }
        let refused = results.filter { !$0.outcome.isDone }
        guard !call.isFromBrowser || refused.isEmpty else {
            let detail = "\(results.count - refused.count) of \(rows.count) rows are done."
            throw call.problem(.conflict, detail, faults: faults(refused, call))
        }
        send(call, results, in: &context, with: &response)
    }

    /// Returns the expected outcome of the action on a row.
    private func offer(_ call: ActionCall, _ row: String) throws -> RowOutcome {
        guard try call.endpoint.readRow(row) else { return .unknownRow }
        let action = call.endpoint.actions.first { $0.name == call.action }
        // Each row needs an input of its own.
        return action?.method == .post && action?.input == nil
            ? .performed(.done()) : .unknownAction
    }

    /// Performs the action on one of many rows; a failure does not stop the others.
    private func perform(
        _ call: ActionCall,
        _ row: String,
        in context: inout RequestContext
    ) -> ActionDocument.Result {
        let outcome: RowOutcome
        do {
            let request = ActionRequest(caller: context.caller?.name, list: call.list.name)
            let performed = try call.actions.perform(call.action, row: row, for: request)
            // A redirect is dropped, because only one page can be shown.
            if case .redirected = performed {
                outcome = .performed(.done())
            } else {
                outcome = .performed(performed)
            }
        } catch .unknownRow {
            outcome = .unknownRow
        } catch {
            context.log("\(call.action) of row '\(row)': \(error)")
            outcome = .failed
        }
        return .init(row: row, outcome: outcome)
    }
}

extension ActionHandler {
    /// Responds to an action: to programs with its outcome, to people with a redirect to the list.
    func send(
        _ call: ActionCall,
        _ results: [ActionDocument.Result],
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) {
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.vary, "Accept, Prefer" as StaticString)
        if call.isFromBrowser {
            response.status = .seeOther
            let address =
                results.count == 1 ? results[0].outcome.location.map(context.addresses.own) : nil
            response.addField(
                .location,
                address ?? noticing(results, at: call.listAddress)
            )
            return
        }
        if call.preferences.wantsMinimal, results.allSatisfy(\.outcome.isDone) {
            response.status = .noContent
            response.addField("Preference-Applied", "return=minimal" as StaticString)
            return
        }
        if call.preferences.isLenient, call.row == nil {
            response.addField("Preference-Applied", "handling=lenient" as StaticString)
        }
        response.addField(.contentType, PageFormat.json.contentType)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        call.document(results).render(to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// Returns the address of the list, with a notice of the action's messages where there are any.
    private func noticing(
        _ results: [ActionDocument.Result],
        at address: String
    ) -> String {
        var seen: Set<String> = []
        let texts = results.compactMap(\.outcome.message).filter { seen.insert($0).inserted }
        guard !texts.isEmpty else { return address }
        return service.options.notices.address(address, showing: texts)
    }

    /// Returns the problem of an action's error in one row.
    func problem(
        of error: ActionError,
        _ call: ActionCall,
        row: String,
        in context: borrowing RequestContext
    ) -> any Error {
        switch error {
        case .unknownRow(let id): return context.noRow(id, in: call.list)
        case .refusedMove(let order):
            var problem = call.problem(.conflict, "Row '\(row)' cannot stand there.")
            problem.order = order
            return problem
        case .unchangeable, .invalid, .failed:
            return call.problem(
                .internalError,
                "'\(call.action)' failed; it has been logged.",
                cause: "\(call.action) of row '\(row)': \(error)"
            )
        case .source(let error): return error
        }
    }

    /// Returns the first rows that the action was not performed on, as faults.
    func faults(
        _ results: [ActionDocument.Result],
        _ call: ActionCall
    ) -> [Problem.Fault] {
        results.prefix(20).map { result in
            let name = result.outcome.name
            let detail =
                switch result.outcome {
                case .unknownRow: "No row '\(result.row)' in \(call.list.name)."
                case .unknownAction: Self.noAction(call.action, result.row)
                case .failed: "'\(call.action)' of row '\(result.row)' failed; it has been logged."
                case .performed, .moved: "Row '\(result.row)': \(result.outcome.message ?? name)"
                }
            var fault = Problem.Fault(nil, code: name, detail: detail)
            fault.members = [("row", .text(result.row))]
            return fault
        }
    }

    /// Returns the text about a row that does not offer an action.
    static func noAction(_ action: String, _ row: String) -> String {
        "Row '\(row)' offers no action '\(action)'."
    }
}

extension MoveTarget {
    /// Reads the target of a move: exactly one of `before`, `after`, `to` and `step`.
    init(_ content: RequestContent) throws(Problem.Fault) {
        let choices = ["before", "after", "to", "step"]
        let members = try BodyFields(content, allowed: choices)
        switch try members.choice(among: choices) {
        case "before": self = .before(try members.text("before"))
        case "after": self = .after(try members.text("after"))
        case "step": self = try members.isUp("step") ? .up : .down
        default:
            let (section, row) = try members.pair("to")
            self = .to(IndexPath(section: section, row: row))
        }
    }
}
