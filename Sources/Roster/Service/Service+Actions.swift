import Bytes
import HTTP
import Listings
import Rendering

extension Service {
    /// Performs the requested action on a row, or on many.
    func act(
        on request: borrowing HTTPRequest,
        _ route: Route,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) throws {
        let place = ActionResource(route, captures)
        let endpoint = try endpoint(place.list, request, suffix: place.suffix)
        let methods = try methods(at: place, of: endpoint)
        guard !methods.isEmpty, let endpoint, let reader = endpoint.actingReader else {
            throw try absence(of: place, in: endpoint)
        }
        // HEAD is GET without the content, but an action has effects besides its content.
        guard methods.contains(request.method), request.method != .head else {
            response.addField(.allow, Self.list(methods))
            throw Refusal(problem: methodNotAllowed(request.method), suffix: place.suffix)
        }
        guard !RequestOrigin.isForeign(request) else {
            let detail = "The request was sent by a page of another site."
            throw Refusal(problem: problem(.foreignOrigin, detail), suffix: place.suffix)
        }
        let call = try actionCall(request, place, endpoint, reader)
        let content = try content(of: request, suffix: call.suffix, with: &response)
        if place.row == nil {
            try performMany(call, content, with: &response)
        } else if place.isMove {
            let target = try taking(call) { () throws(ContentValidationError) in
                try MoveTarget(content)
            }
            try move(call, to: target, with: &response)
        } else {
            _ = try taking(call) { () throws(ContentValidationError) in
                try BodyFields(content, allowed: [])
            }
            try performOne(call, with: &response)
        }
    }

    /// Returns the methods of an action's address: nil for any other path, and none without the
    /// action.
    func actionMethods(at request: borrowing HTTPRequest) throws -> [HTTPMethod]? {
        if let methods = formMethods(at: request.path) { return methods }
        guard let place = ActionResource(request.path) else { return nil }
        return try methods(at: place, of: endpoint(place.list, request, suffix: nil))
    }

    private func methods(
        at place: ActionResource,
        of endpoint: ServedList?
    ) throws -> [HTTPMethod] {
        if place.isChildren, let row = place.row, let endpoint {
            guard endpoint.reader.hasOutline, try endpoint.readRow(row) else { return [] }
            return [.get, .head, .options]
        }
        guard let endpoint, let reader = endpoint.actingReader else { return [] }
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
        in endpoint: ServedList?
    ) throws -> Refusal {
        guard let endpoint else {
            return Refusal(problem: noList(place.list), suffix: place.suffix)
        }
        let list = endpoint.definition
        let reader = endpoint.actingReader
        let isOffered = (place.isMove ? reader?.offersMoves : reader?.offersActions) ?? false
        guard isOffered, let row = place.row else {
            return Refusal(problem: nothingHere(in: list), suffix: place.suffix)
        }
        guard try endpoint.readRow(row) else {
            return Refusal(problem: noRow(row, in: list), suffix: place.suffix)
        }
        let way = Problem.Way("list", label: list.title, address: addresses.list(list.name))
        return Refusal(
            problem: problem(.notFound, noAction(place.action, row), ways: [way]),
            suffix: place.suffix
        )
    }

    private func actionCall(
        _ request: borrowing HTTPRequest,
        _ place: ActionResource,
        _ endpoint: ServedList,
        _ reader: any ActionReader
    ) throws -> ActionCall {
        let target = target(endpoint, .list, place.suffix)
        return ActionCall(
            endpoint: endpoint,
            reader: reader,
            action: place.action,
            row: place.row,
            answer: try answer(request, at: target, among: [.json, .html]),
            preferences: Preferences(request)
        )
    }

    private func taking<Value>(
        _ call: ActionCall,
        _ body: () throws(ContentValidationError) -> Value
    ) throws(Refusal) -> Value {
        do {
            return try body()
        } catch {
            let detail = "The content was not understood; nothing was done."
            throw refusal(call, .malformedContent, detail, faults: [error.fault])
        }
    }

    // MARK: - One row

    private func performOne(_ call: ActionCall, with response: inout HTTPResponse) throws {
        let row = call.row ?? ""
        let outcome: ActionOutcome
        do {
            outcome = try call.reader.perform(call.action, row: row)
        } catch {
            throw refusal(call, error, row: row)
        }
        switch outcome {
        case .refused(let reason): throw refusal(call, .conflict, reason)
        case .redirected(let address) where !ActionOutcome.isAddress(address):
            throw refusal(call, .failed(reason: "\(address) is no address to lead to"), row: row)
        case .redirected, .done, .removed: break
        }
        answer(call, [.init(row: row, outcome: .performed(outcome))], with: &response)
    }

    private func move(
        _ call: ActionCall,
        to target: MoveTarget,
        with response: inout HTTPResponse
    ) throws {
        let row = call.row ?? ""
        do {
            try call.reader.move(row: row, to: target)
        } catch {
            throw refusal(call, error, row: row)
        }
        answer(call, [.init(row: row, outcome: .moved)], with: &response)
    }
}
