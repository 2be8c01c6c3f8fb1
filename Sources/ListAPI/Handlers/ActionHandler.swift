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
        let endpoint = try context.endpoint(place.list, request, suffix: place.suffix)
        let methods = try methods(at: place, of: endpoint, in: &context)
        guard !methods.isEmpty, let endpoint, let reader = endpoint.reader.actions else {
            throw try absence(of: place, in: endpoint, in: &context)
        }
        // HEAD is GET without the content, but an action has effects besides its content.
        guard methods.contains(request.method), request.method != .head else {
            throw context.methodNotAllowed(request.method, methods, suffix: place.suffix)
        }
        guard !RequestOrigin.isForeign(request) else {
            throw context.foreignOrigin(suffix: place.suffix)
        }
        let call = try prepareCall(request, place, endpoint, reader, in: &context)
        let content = try context.content(of: request, suffix: call.suffix, with: &response)
        if place.row == nil {
            try performMany(call, content, in: &context, with: &response)
        } else if place.isMove {
            let target = try taking(call, in: &context) { () throws(ContentValidationError) in
                try MoveTarget(content)
            }
            try move(call, to: target, in: &context, with: &response)
        } else {
            let action = endpoint.actions.first { $0.name == call.action }
            let values = try input(of: action?.input, content, call, in: &context)
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
        return try methods(
            at: place,
            of: context.endpoint(place.list, request, suffix: nil),
            in: &context
        )
    }

    private func methods(
        at place: ActionResource,
        of endpoint: ServedList?,
        in context: inout RequestContext
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
        in context: inout RequestContext
    ) throws -> Refusal {
        guard let endpoint else {
            return Refusal(problem: context.noList(place.list), suffix: place.suffix)
        }
        let list = endpoint.definition
        let reader = endpoint.reader.actions
        let isOffered = (place.isMove ? reader?.offersMoves : reader?.offersActions) ?? false
        guard isOffered, let row = place.row else {
            return Refusal(problem: context.nothingHere(in: list), suffix: place.suffix)
        }
        guard try endpoint.readRow(row) else {
            return Refusal(problem: context.noRow(row, in: list), suffix: place.suffix)
        }
        let detail = ActionHandler.noAction(place.action, row)
        return Refusal(problem: context.missing(detail, in: list), suffix: place.suffix)
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

    private func taking<Value>(
        _ call: ActionCall,
        in context: inout RequestContext,
        _ body: () throws(ContentValidationError) -> Value
    ) throws(Refusal) -> Value {
        do {
            return try body()
        } catch {
            let detail = "The content was not understood; nothing was done."
            throw context.refusal(call, .malformedContent, detail, faults: [error.fault])
        }
    }

    // MARK: - One row

    /// Reads the values that an action needs.
    private func input(
        of rules: RowRules?,
        _ content: RequestContent,
        _ call: ActionCall,
        in context: inout RequestContext
    ) throws(Refusal) -> [String: CellValue] {
        guard let rules else {
            _ = try taking(call, in: &context) { () throws(ContentValidationError) in
                try BodyFields(content, allowed: [])
            }
            return [:]
        }
        let row = try taking(call, in: &context) { () throws(ContentValidationError) in
            switch content {
            case .json(let json): return try RowDecoder(json, rules)
            case .form(let items): return try RowDecoder(items, rules)
            case .empty: return try RowDecoder([], rules)
            }
        }
        let errors = row.faults(of: RowChange(.insert, id: nil, values: row.values))
        guard errors.isEmpty, row.id == nil else {
            throw call.invalid(errors, in: &context)
        }
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
            throw call.invalid(errors.map { $0.fault(rules, notation) }, in: &context)
        } catch {
            throw actionRefusal(call, error, row: row, in: &context)
        }
        switch outcome {
        case .refused(let reason): throw context.refusal(call, .conflict, reason)
        case .redirected(let address) where !ActionOutcome.isAddress(address):
            throw actionRefusal(
                call,
                .failed(reason: "\(address) is no address to lead to"),
                row: row,
                in: &context
            )
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
            throw actionRefusal(call, error, row: row, in: &context)
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
        let rows = try RowChoice.rows(of: content, call, in: &context)
        var results: [ActionDocument.Result] = []
        for row in rows {
            results.append(.init(row: row, outcome: try offer(call, row, in: &context)))
        }
        let absent = results.filter { !$0.outcome.isDone }
        guard absent.isEmpty || call.preferences.isLenient else {
            let isUnknown = absent.contains { $0.outcome == .unknownRow }
            throw context.refusal(
                call,
                isUnknown ? .notFound : .conflict,
                "\(absent.count) of \(rows.count) rows do not offer '\(call.action)'; nothing was "
                    + "done.",
                faults: faults(absent, call, in: &context)
            )
        }
        for index in results.indices where results[index].outcome.isDone {
            results[index] = perform(call, rows[index], in: &context)
        }
        let refused = results.filter { !$0.outcome.isDone }
        guard !call.isFromBrowser || refused.isEmpty else {
            let detail = "\(results.count - refused.count) of \(rows.count) rows are done."
            throw context.refusal(
                call,
                .conflict,
                detail,
                faults: faults(refused, call, in: &context)
            )
        }
        send(call, results, in: &context, with: &response)
    }

    /// Returns the expected outcome of the action on a row.
    private func offer(
        _ call: ActionCall,
        _ row: String,
        in context: inout RequestContext
    ) throws -> RowOutcome {
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
                address ?? noticing(results, at: call.listAddress, in: &context)
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
        at address: String,
        in context: inout RequestContext
    ) -> String {
        var seen: Set<String> = []
        let texts = results.compactMap(\.outcome.message).filter { seen.insert($0).inserted }
        guard !texts.isEmpty else { return address }
        return service.options.notices.address(address, showing: texts)
    }

    /// Returns the problem of an action's error in one row.
    func actionRefusal(
        _ call: ActionCall,
        _ error: ActionError,
        row: String,
        in context: inout RequestContext
    ) -> Refusal {
        switch error {
        case .unknownRow(let id):
            return Refusal(problem: context.noRow(id, in: call.list), suffix: call.suffix)
        case .refusedMove(let order):
            var refusal = context.refusal(call, .conflict, "Row '\(row)' cannot stand there.")
            refusal.problem.order = order
            return refusal
        case .unchangeable, .invalid, .failed:
            context.log("\(call.action) of row '\(row)': \(error)")
            return context.refusal(
                call,
                .internalError,
                "'\(call.action)' failed; it has been logged."
            )
        case .source(let error):
            return Refusal(problem: context.problem(for: error), suffix: call.suffix)
        }
    }

    /// Returns the first rows that the action was not performed on, as faults.
    func faults(
        _ results: [ActionDocument.Result],
        _ call: ActionCall,
        in context: inout RequestContext
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
    ///
    /// - Throws: ``ContentValidationError``.
    init(_ content: RequestContent) throws(ContentValidationError) {
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
