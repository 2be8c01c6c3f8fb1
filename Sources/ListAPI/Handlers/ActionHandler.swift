import Bytes
import HTTP
import Listings
import Rendering

/// Performs actions on rows.
struct ActionHandler {
    let state: ServiceState

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
        guard !methods.isEmpty, let endpoint, let reader = endpoint.actionReader else {
            throw try absence(of: place, in: endpoint, in: &context)
        }
        // HEAD is GET without the content, but an action has effects besides its content.
        guard methods.contains(request.method), request.method != .head else {
            response.addField(.allow, HTTPMethod.list(methods))
            throw Refusal(problem: context.methodNotAllowed(request.method), suffix: place.suffix)
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
            _ = try taking(call, in: &context) { () throws(ContentValidationError) in
                try BodyFields(content, allowed: [])
            }
            try performOne(call, in: &context, with: &response)
        }
    }

    /// Returns the methods of an action's address: nil for any other path, and none without the
    /// action.
    func methods(
        at request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) throws -> [HTTPMethod]? {
        let forms = FormHandler(state: state)
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
        guard let endpoint, let reader = endpoint.actionReader else { return [] }
        guard let row = place.row else { return reader.offersActions ? [.post, .options] : [] }
        if place.isMove {
            // Positions between rows are unknown to a caller who sees only some rows.
            guard reader.offersMoves, endpoint.view.conditions.isEmpty else { return [] }
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
        let reader = endpoint.actionReader
        let isOffered = (place.isMove ? reader?.offersMoves : reader?.offersActions) ?? false
        guard isOffered, let row = place.row else {
            return Refusal(problem: context.nothingHere(in: list), suffix: place.suffix)
        }
        guard try endpoint.readRow(row) else {
            return Refusal(problem: context.noRow(row, in: list), suffix: place.suffix)
        }
        let way = Problem.Way("list", label: list.title, address: context.addresses.list(list.name))
        return Refusal(
            problem: context.problem(
                .notFound,
                ActionHandler.noAction(place.action, row),
                ways: [way]
            ),
            suffix: place.suffix
        )
    }

    private func prepareCall(
        _ request: borrowing HTTPRequest,
        _ place: ActionResource,
        _ endpoint: ServedList,
        _ reader: any ActionReader,
        in context: inout RequestContext
    ) throws -> ActionCall {
        let target = ListResource(endpoint, .list, place.suffix, in: context)
        return ActionCall(
            endpoint: endpoint,
            reader: reader,
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

    private func performOne(
        _ call: ActionCall,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let row = call.row ?? ""
        let outcome: ActionOutcome
        do {
            outcome = try call.reader.perform(call.action, row: row)
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
            try call.reader.move(row: row, to: target)
        } catch {
            throw actionRefusal(call, error, row: row, in: &context)
        }
        send(call, [.init(row: row, outcome: .moved)], in: &context, with: &response)
    }
}
