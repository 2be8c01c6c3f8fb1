import Bytes
import HTTP
import Listings
import Rendering
import Routing

extension Service {
    /// Does what a request asks for with a row, or with many.
    func act(
        on request: borrowing HTTPRequest,
        _ route: Route,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) throws {
        let call = try actionCall(request, route, captures)
        let content = try content(of: request, call)
        if call.row == nil {
            try performMany(call, content, with: &response)
        } else if call.action == ActionCall.move {
            let target = try taking(call) { () throws(ContentFault) in try MoveTarget(content) }
            try move(call, to: target, with: &response)
        } else {
            _ = try taking(call) { () throws(ContentFault) in
                try ContentMembers(content, allowed: [])
            }
            try performOne(call, with: &response)
        }
    }

    /// Whether a path would lead to an action if its list had any.
    func isAbsentAction(_ path: RequestPath) -> Bool {
        guard path.count == 4 else { return false }
        let segments = path.segments
        let isBulk = segments[1] == "-" && segments[2] == "actions"
        guard isBulk || segments[2] == "-" else { return false }
        let action = SuffixedName(segments[3]).name
        return reader(of: segments[0], for: isBulk ? nil : action) == nil
    }

    /// The reader that acts on a list's rows; nil when the list has no such actions.
    private func reader(of list: String, for action: String?) -> (any ActingReader)? {
        guard let reader = endpoints[list]?.actingReader else { return nil }
        let isOffered = action == ActionCall.move ? reader.offersMoves : reader.offersActions
        return isOffered ? reader : nil
    }

    private func actionCall(
        _ request: borrowing HTTPRequest,
        _ route: Route,
        _ captures: RouteCaptures
    ) throws -> ActionCall {
        let list = captures[0]
        let name = SuffixedName(captures[captures.count - 1])
        let row = route == .rowAction ? captures[1] : nil
        guard let endpoint = endpoints[list] else {
            throw Refusal(problem: noList(list), suffix: name.format)
        }
        guard let reader = reader(of: list, for: row.map { _ in name.name }) else {
            throw Refusal(problem: nothingHere(in: endpoint.definition), suffix: name.format)
        }
        guard !RequestOrigin.isForeign(request) else {
            let detail = "The request was sent by a page of another site."
            throw Refusal(problem: problem(.foreignOrigin, detail), suffix: name.format)
        }
        let choice = try choose(among: [.json, .html], suffix: name.format, request)
        let target = ListTarget(endpoint, .list, name.format)
        var parameters = ListParameters(
            request,
            list: endpoint.definition,
            accepted: target.accepted
        )
        guard let query = target.query(&parameters) else {
            throw refusal(parameters, request, target)
        }
        return ActionCall(
            endpoint: endpoint,
            reader: reader,
            action: name.name,
            row: row,
            answer: ListAnswer(
                target: target,
                representation: choice,
                query: query,
                sent: parameters.sent
            ),
            preferences: Preferences(request)
        )
    }

    private func content(
        of request: borrowing HTTPRequest,
        _ call: ActionCall
    ) throws(Refusal) -> RequestContent {
        do {
            return try RequestContent(request)
        } catch {
            throw Refusal(problem: problem(error.kind, error.detail), suffix: call.suffix)
        }
    }

    private func taking<Value>(
        _ call: ActionCall,
        _ body: () throws(ContentFault) -> Value
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

    // MARK: - Many rows

    private func performMany(
        _ call: ActionCall,
        _ content: RequestContent,
        with response: inout HTTPResponse
    ) throws {
        let rows: [String]
        switch try taking(call, { () throws(ContentFault) in try RowChoice(content) }) {
        case .ids(let ids): rows = ids
        case .all: rows = try matchingRows(call)
        }
        var results: [ActionDocument.Result] = []
        for row in rows { results.append(.init(row: row, outcome: try offer(call, row))) }
        let absent = results.filter { !$0.outcome.isDone }
        guard absent.isEmpty || call.preferences.isLenient else {
            let isUnknown = absent.contains { $0.outcome == .unknownRow }
            throw refusal(
                call,
                isUnknown ? .notFound : .conflict,
                "\(absent.count) of \(rows.count) rows do not offer '\(call.action)'; nothing was "
                    + "done.",
                faults: faults(absent, call)
            )
        }
        for index in results.indices where results[index].outcome.isDone {
            results[index] = perform(call, rows[index])
        }
        let refused = results.filter { !$0.outcome.isDone }
        guard !call.isOfPerson || refused.isEmpty else {
            throw refusal(
                call,
                .conflict,
                "\(results.count - refused.count) of \(rows.count) rows are done.",
                faults: faults(refused, call)
            )
        }
        answer(call, results, with: &response)
    }

    /// Whether a row offers the action, as the outcome it would have.
    private func offer(_ call: ActionCall, _ row: String) throws(Refusal) -> RowOutcome {
        do {
            switch try call.reader.offer(of: call.action, row: row) {
            case .offered: return .performed(.done())
            case .unknownRow: return .unknownRow
            case .unknownAction: return .unknownAction
            }
        } catch {
            throw refusal(call, error, row: row)
        }
    }

    /// Performs the action of one row among many: what fails there does not keep it from the others.
    private func perform(_ call: ActionCall, _ row: String) -> ActionDocument.Result {
        let outcome: RowOutcome
        do {
            let performed = try call.reader.perform(call.action, row: row)
            // Only one page can be shown, so none of theirs is.
            if case .redirected = performed {
                outcome = .performed(.done())
            } else {
                outcome = .performed(performed)
            }
        } catch .unknownRow {
            outcome = .unknownRow
        } catch .unknownAction {
            outcome = .unknownAction
        } catch {
            Diagnostics.write("\(requestID()): \(call.action) of row '\(row)': \(error)")
            outcome = .failed
        }
        return .init(row: row, outcome: outcome)
    }

    /// The ids of all rows that the parameters ask for.
    private func matchingRows(_ call: ActionCall) throws -> [String] {
        let endpoint = call.endpoint
        var query = call.answer.query
        query.shape = .flow(limit: endpoint.schema.maximumLimit)
        query.start = .beginning
        var rows: [String] = []
        while true {
            try endpoint.reader.read(query, into: &endpoint.page)
            for row in 0..<endpoint.page.rowCount { rows.append(endpoint.page.id(ofRow: row)) }
            guard rows.count <= RowChoice.maximumRows else {
                let fault = ContentFault(
                    place: nil,
                    kind: .tooMany(maximum: RowChoice.maximumRows)
                )
                let detail = "Too many rows match; nothing was done."
                throw refusal(call, .malformedContent, detail, faults: [fault.fault])
            }
            guard let next = endpoint.page.next else { return rows }
            query.start = .after(next)
        }
    }
}
