import HTTP
import Listings
import Rendering

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
        let rows = try rows(call, content, in: &context)
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

    private func rows(
        _ call: ActionCall,
        _ content: RequestContent,
        in context: inout RequestContext
    ) throws -> [String] {
        do throws(ContentValidationError) {
            switch try RowChoice(content) {
            case .ids(let ids): return ids
            case .all: break
            }
        } catch {
            let detail = "The content was not understood; nothing was done."
            throw context.refusal(call, .malformedContent, detail, faults: [error.fault])
        }
        do {
            return try matchingRows(call, in: &context)
        } catch SourceError.unknownSection(let id) {
            throw context.refusal(call, .notFound, "No section '\(id)' in \(call.list.name).")
        }
    }

    /// Returns the expected outcome of the action on a row.
    private func offer(
        _ call: ActionCall,
        _ row: String,
        in context: inout RequestContext
    ) throws -> RowOutcome {
        guard try call.endpoint.readRow(row) else { return .unknownRow }
        let action = call.endpoint.actions.first { $0.name == call.action }
        return action?.method == .post ? .performed(.done()) : .unknownAction
    }

    /// Performs the action on one of many rows; a failure does not stop the others.
    private func perform(
        _ call: ActionCall,
        _ row: String,
        in context: inout RequestContext
    ) -> ActionDocument.Result {
        let outcome: RowOutcome
        do {
            let performed = try call.reader.perform(call.action, row: row)
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

    /// Returns the ids of all rows that match the parameters.
    private func matchingRows(
        _ call: ActionCall,
        in context: inout RequestContext
    ) throws -> [String] {
        let endpoint = call.endpoint
        var query = call.prepared.query
        query.shape = .flow(limit: endpoint.schema.maximumLimit)
        query.start = .beginning
        var rows: [String] = []
        while true {
            try endpoint.read(query)
            for row in 0..<endpoint.page.rowCount { rows.append(endpoint.page.id(ofRow: row)) }
            guard rows.count <= RowChoice.maximumRows else {
                let fault = ContentValidationError(
                    place: nil,
                    kind: .tooMany(maximum: RowChoice.maximumRows)
                )
                let detail = "Too many rows match; nothing was done."
                throw context.refusal(call, .malformedContent, detail, faults: [fault.fault])
            }
            guard let next = endpoint.page.next else { return rows }
            query.start = .after(next)
        }
    }
}
