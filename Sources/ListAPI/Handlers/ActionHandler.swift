import Bytes
import HTTP
import Listings
import Rendering

enum ActionHandler {
    static func respond(to call: inout Call) throws {
        let resource = ActionResource(call.route, call.captures)
        let endpoint = try call.endpoint(resource.list)
        let methods = try methods(at: resource, of: endpoint)
        guard !methods.isEmpty, let endpoint else {
            throw try absence(of: resource, in: endpoint, in: call)
        }
        // HEAD is GET without the content, but an action has effects besides its content.
        guard methods.contains(call.request.method), call.request.method != .head else {
            throw Problem.methodNotAllowed(call.request.method, methods)
        }
        guard !RequestOrigin.isForeign(call.request) else { throw Problem.foreignOrigin }
        let action = try prepareCall(resource, endpoint, in: &call)
        let content = try RequestContent(call.request)
        if resource.row == nil {
            try performMany(action, content, in: &call)
        } else if resource.isMove {
            let target = try action.taking { () throws(Problem.Fault) in try MoveTarget(content) }
            try move(action, to: target, in: &call)
        } else {
            let offered = endpoint.actions.first { $0.name == action.action }
            let values = try input(of: offered?.input, content, action)
            try performOne(action, offered?.input, values, in: &call)
        }
    }

    /// Nil for a path of no action; none where the row does not offer it.
    static func methods(in call: inout Call) throws -> [HTTPMethod]? {
        if let methods = FormHandler.methods(in: call) { return methods }
        guard let resource = ActionResource(call.request.path) else { return nil }
        return try methods(at: resource, of: call.endpoint(resource.list))
    }

    private static func methods(
        at resource: ActionResource,
        of endpoint: ServedList?
    ) throws -> [HTTPMethod] {
        guard let endpoint else { return [] }
        let abilities = endpoint.reader.abilities
        if resource.isChildren, let row = resource.row {
            guard abilities.contains(.children), try endpoint.readRow(row) else { return [] }
            return [.get, .head, .options]
        }
        guard let row = resource.row else {
            return abilities.contains(.actions) ? [.post, .options] : []
        }
        if resource.isMove {
            // Positions between rows are unknown to a caller who sees only some rows.
            guard abilities.contains(.moves), endpoint.view.scope.isEveryRow else { return [] }
            return try endpoint.readRow(row) ? [.post, .options] : []
        }
        guard abilities.contains(.actions) else { return [] }
        switch try endpoint.action(resource.action, ofRow: row)?.method {
        case .post: return [.post, .options]
        case .get: return [.get, .options]
        case nil: return []
        }
    }

    private static func absence(
        of resource: ActionResource,
        in endpoint: ServedList?,
        in call: borrowing Call
    ) throws -> Problem {
        guard let endpoint else { return call.noList(resource.list) }
        let list = endpoint.definition
        guard endpoint.reader.abilities.contains(resource.isMove ? .moves : .actions),
            let row = resource.row
        else {
            return call.nothingHere(in: list)
        }
        guard try endpoint.readRow(row) else { return call.noRow(row, in: list) }
        return call.missing(Self.noAction(resource.action, row), in: list)
    }

    private static func prepareCall(
        _ resource: ActionResource,
        _ endpoint: ServedList,
        in call: inout Call
    ) throws -> ActionCall {
        let target = ListResource(endpoint, .list, resource.suffix, in: call)
        return ActionCall(
            endpoint: endpoint,
            action: resource.action,
            row: resource.row,
            prepared: try call.prepare(at: target, among: [.json, .html]),
            preferences: Preferences(call.request)
        )
    }

    // MARK: - One row

    private static func input(
        of rules: RowRules?,
        _ content: RequestContent,
        _ action: ActionCall
    ) throws(Problem) -> [String: CellValue] {
        guard let rules else {
            _ = try action.taking { () throws(Problem.Fault) in try BodyFields(content, allowed: [])
            }
            return [:]
        }
        let row = try action.taking { () throws(Problem.Fault) in
            switch content {
            case .json(let json): return try RowDecoder(json, rules)
            case .form(let items): return try RowDecoder(items, rules)
            case .empty: return try RowDecoder([], rules)
            }
        }
        let errors = row.faults(of: RowChange(.insert, id: nil, values: row.values))
        guard errors.isEmpty, row.id == nil else { throw action.invalid(errors) }
        return Dictionary(
            uniqueKeysWithValues: row.values.map { (rules.columns[$0.key].id, $0.value) }
        )
    }

    private static func performOne(
        _ action: ActionCall,
        _ rules: RowRules?,
        _ values: [String: CellValue],
        in call: inout Call
    ) throws {
        let row = action.row ?? ""
        let outcome: ActionOutcome
        do {
            outcome = try self.outcome(of: action, row, values, in: &call)
        } catch ActionError.invalid(let errors) {
            let rules = rules ?? RowRules(input: [])
            let notation: RowDecoder.Notation = action.isFromBrowser ? .form : .json("")
            throw action.invalid(errors.map { $0.fault(rules, notation) })
        } catch let error as ActionError {
            throw problem(of: error, action, row: row, in: call)
        }
        switch outcome {
        case .refused(let reason): throw action.problem(.conflict, Text(reason))
        case .redirected(let address) where !ActionOutcome.isAddress(address):
            let error = ActionError.failed(reason: "\(address) is no address to lead to")
            throw problem(of: error, action, row: row, in: call)
        case .redirected, .done, .removed: break
        }
        send(action, [.init(row: row, outcome: .performed(outcome))], in: &call)
    }

    private static func outcome(
        of action: ActionCall,
        _ row: String,
        _ values: [String: CellValue],
        in call: inout Call
    ) throws -> ActionOutcome {
        guard !action.list.isHistory else {
            return try HistoryHandler.restore(row, action, in: &call)
        }
        let request = ActionRequest(
            caller: call.caller?.name,
            list: action.list.name,
            values: values
        )
        return try action.endpoint.perform(action.action, row: row, for: request)
    }

    private static func move(
        _ action: ActionCall,
        to target: MoveTarget,
        in call: inout Call
    ) throws {
        let row = action.row ?? ""
        do {
            try action.endpoint.reader.move(row: row, to: target)
        } catch {
            throw problem(of: error, action, row: row, in: call)
        }
        send(action, [.init(row: row, outcome: .moved)], in: &call)
    }

    /// Performs none if a row does not offer the action, unless the client prefers leniency.
    static func performMany(
        _ action: ActionCall,
        _ content: RequestContent,
        in call: inout Call
    ) throws {
        let rows = try RowChoice.rows(of: content, action)
        var results: [ActionResult] = []
        for row in rows {
            results.append(.init(row: row, outcome: try offer(action, row)))
        }
        let absent = results.filter { !$0.outcome.isDone }
        guard absent.isEmpty || action.preferences.isLenient else {
            let isUnknown = absent.contains { $0.outcome == .unknownRow }
            throw action.problem(
                isUnknown ? .notFound : .conflict,
                "\(absent.count) of \(rows.count) rows do not offer '\(action.action)'; nothing was "
                    + "done.",
                faults: faults(absent, action)
            )
        }
        for index in results.indices where results[index].outcome.isDone {
            results[index] = perform(action, rows[index], in: &call)
        }
        let refused = results.filter { !$0.outcome.isDone }
        guard !action.isFromBrowser || refused.isEmpty else {
            let detail: Text = "\(results.count - refused.count) of \(rows.count) rows are done."
            throw action.problem(.conflict, detail, faults: faults(refused, action))
        }
        send(action, results, in: &call)
    }

    private static func offer(_ action: ActionCall, _ row: String) throws -> RowOutcome {
        guard try action.endpoint.readRow(row) else { return .unknownRow }
        let offered = action.endpoint.actions.first { $0.name == action.action }
        // Each row needs an input of its own.
        return offered?.method == .post && offered?.input == nil
            ? .performed(.done()) : .unknownAction
    }

    private static func perform(
        _ action: ActionCall,
        _ row: String,
        in call: inout Call
    ) -> ActionResult {
        let outcome: RowOutcome
        do {
            let performed = try self.outcome(of: action, row, [:], in: &call)
            // A redirect is dropped, because only one page can be shown.
            if case .redirected = performed {
                outcome = .performed(.done())
            } else {
                outcome = .performed(performed)
            }
        } catch ActionError.unknownRow {
            outcome = .unknownRow
        } catch ActionError.refused(let refusal) {
            outcome = .performed(.refused(reason: refusal.reason))
        } catch let problem as Problem {
            outcome = .performed(.refused(reason: problem.detail.description))
        } catch {
            call.log("\(action.action) of row '\(row)': \(error)")
            outcome = .failed
        }
        return .init(row: row, outcome: outcome)
    }

    static func send(_ action: ActionCall, _ results: [ActionResult], in call: inout Call) {
        call.response.addField(.cacheControl, "no-store" as StaticString)
        call.response.addField(.vary, "Accept, Prefer" as StaticString)
        if action.isFromBrowser {
            call.response.status = .seeOther
            let address =
                results.count == 1 ? results[0].outcome.location.map(call.addresses.own) : nil
            call.response.addField(
                .location,
                address ?? noticing(results, at: action.listAddress, call.service)
            )
            return
        }
        if action.preferences.wantsMinimal, results.allSatisfy(\.outcome.isDone) {
            call.response.status = .noContent
            call.response.addField("Preference-Applied", "return=minimal" as StaticString)
            return
        }
        if action.preferences.isLenient, action.row == nil {
            call.response.addField("Preference-Applied", "handling=lenient" as StaticString)
        }
        call.response.addContent(PageFormat.json.contentType)
        call.respond(action.document(results))
    }

    private static func noticing(
        _ results: [ActionResult],
        at address: String,
        _ service: Service
    ) -> String {
        var seen: Set<String> = []
        let texts = results.compactMap(\.outcome.message).filter { seen.insert($0).inserted }
        guard !texts.isEmpty else { return address }
        return service.options.notices.address(address, showing: texts)
    }

    static func problem(
        of error: ActionError,
        _ action: ActionCall,
        row: String,
        in call: borrowing Call
    ) -> any Error {
        switch error {
        case .unknownRow(let id): return call.noRow(id, in: action.list)
        case .refusedMove(let order):
            var problem = action.problem(.conflict, "Row '\(row)' cannot stand there.")
            problem.order = order
            return problem
        case .unchangeable, .invalid, .failed:
            return action.problem(
                .internalError,
                "'\(action.action)' failed; it has been logged.",
                cause: "\(action.action) of row '\(row)': \(error)"
            )
        case .refused(let refusal):
            let refused = Problem(refusal)
            return action.problem(refused.kind, refused.detail)
        case .source(let error): return error
        }
    }

    static func faults(
        _ results: [ActionResult],
        _ action: ActionCall
    ) -> [Problem.Fault] {
        results.prefix(20).map { result in
            let name = result.outcome.name
            let detail: Text =
                switch result.outcome {
                case .unknownRow: "No row '\(result.row)' in \(action.list.name)."
                case .unknownAction: Self.noAction(action.action, result.row)
                case .failed:
                    "'\(action.action)' of row '\(result.row)' failed; it has been logged."
                case .performed, .moved: "Row '\(result.row)': \(result.outcome.message ?? name)"
                }
            var fault = Problem.Fault(nil, code: name, detail: detail)
            fault.members = [("row", .text(result.row))]
            return fault
        }
    }

    static func noAction(_ action: String, _ row: String) -> Text {
        "Row '\(row)' offers no action '\(action)'."
    }
}

extension MoveTarget {
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
