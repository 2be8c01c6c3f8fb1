import HTTP
import Listings
import Rendering

extension Service {
    /// Performs an action on all requested rows.
    ///
    /// It performs none if a row does not offer the action, unless the client prefers leniency.
    func performMany(
        _ call: ActionCall,
        _ content: RequestContent,
        with response: inout HTTPResponse
    ) throws {
        let rows = try rows(call, content)
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
            let detail = "\(results.count - refused.count) of \(rows.count) rows are done."
            throw refusal(call, .conflict, detail, faults: faults(refused, call))
        }
        answer(call, results, with: &response)
    }

    private func rows(_ call: ActionCall, _ content: RequestContent) throws -> [String] {
        do throws(ContentValidationError) {
            switch try RowChoice(content) {
            case .ids(let ids): return ids
            case .all: break
            }
        } catch {
            let detail = "The content was not understood; nothing was done."
            throw refusal(call, .malformedContent, detail, faults: [error.fault])
        }
        do {
            return try matchingRows(call)
        } catch SourceError.unknownSection(let id) {
            throw refusal(call, .notFound, "No section '\(id)' in \(call.list.name).")
        }
    }

    /// Returns the expected outcome of the action on a row.
    private func offer(_ call: ActionCall, _ row: String) throws -> RowOutcome {
        guard try call.endpoint.readRow(row) else { return .unknownRow }
        let action = call.endpoint.actions.first { $0.name == call.action }
        return action?.method == .post ? .performed(.done()) : .unknownAction
    }

    /// Performs the action on one of many rows; a failure does not stop the others.
    private func perform(_ call: ActionCall, _ row: String) -> ActionDocument.Result {
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
            Diagnostics.write("\(requestID()): \(call.action) of row '\(row)': \(error)", .error)
            outcome = .failed
        }
        return .init(row: row, outcome: outcome)
    }

    /// Returns the ids of all rows that match the parameters.
    private func matchingRows(_ call: ActionCall) throws -> [String] {
        let endpoint = call.endpoint
        var query = call.answer.query
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
                throw refusal(call, .malformedContent, detail, faults: [fault.fault])
            }
            guard let next = endpoint.page.next else { return rows }
            query.start = .after(next)
        }
    }
}
