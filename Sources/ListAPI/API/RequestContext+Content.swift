import HTTP
import Listings
import Rendering

/// The content of requests that write.
extension RequestContext {
    /// Reads the content of a request.
    ///
    /// - Throws: ``Refusal`` for content of another type.
    mutating func content(
        of request: borrowing HTTPRequest,
        _ types: [String] = RequestContent.MediaTypes.jsonOrForm,
        suffix: PageFormat?,
        with response: inout HTTPResponse
    ) throws(Refusal) -> RequestContent {
        do {
            return try RequestContent(request, types)
        } catch {
            if let readable = error.readable { response.addField(readable.name, readable.value) }
            throw Refusal(problem: problem(error.kind, error.detail), suffix: suffix)
        }
    }

    /// Refuses requests from pages of other sites, unless their origin may use this service.
    ///
    /// Browsers send a preflight request for JSON, but not for forms.
    mutating func refuseForeign(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ target: ListResource
    ) throws(Refusal) {
        guard RequestOrigin.isForeign(request) else { return }
        if case .form = content {
        } else if state.options.crossOrigin?.allows(request) ?? false {
            return
        }
        throw foreignOrigin(suffix: target.suffix)
    }

    /// Returns the refusal of a request that a page of another site sent.
    mutating func foreignOrigin(suffix: PageFormat? = nil) -> Refusal {
        let detail = "The request was sent by a page of another site."
        return Refusal(problem: problem(.foreignOrigin, detail), suffix: suffix)
    }

    /// Returns the problem of content that the address does not accept.
    mutating func malformed(_ faults: [Problem.Fault], _ target: ListResource) -> Refusal {
        let detail = "The request was not understood; nothing was written."
        return Refusal(
            problem: problem(.malformedContent, detail, faults: faults),
            suffix: target.suffix
        )
    }

    /// Restricts a change to the rows that the caller may write.
    ///
    /// - Returns: The change; for an existing row, on condition that the row keeps its current
    ///   state.
    /// - Throws: ``Refusal``: 404 for a row that the caller cannot see, 403 for a row that would
    ///   leave the caller's view; ``SourceError``.
    mutating func restrict(_ change: RowChange, _ call: WriteCall) throws -> RowChange {
        let endpoint = call.endpoint
        let conditions = endpoint.view.conditions
        guard !conditions.isEmpty else { return change }
        var change = change
        var values = change.values
        if let column = endpoint.schema.idColumn, let id = change.id {
            let type = endpoint.schema.columns[column].type
            values[column] = CellValue.parse(id, as: type) ?? .text(id)
        }
        if change.verb != .insert, let id = change.id {
            guard try endpoint.readRow(id) else {
                guard call.receipt != nil else {
                    throw Refusal(problem: noRow(id, in: call.list), suffix: call.suffix)
                }
                // A repeated request gets its recorded result. Otherwise no state meets the empty
                // condition, so that the row is reported as missing.
                change.conditions = [.isAt([])]
                return change
            }
            if let revision = endpoint.page.revision(ofRow: 0) {
                change.conditions.append(.isAt([revision]))
            }
            if change.verb == .merge {
                for column in conditions.compactMap(\.column) where values[column] == nil {
                    values[column] = endpoint.shownValue(.column(column))
                }
            }
        }
        let isInside = conditions.areMet(in: endpoint.schema) { field in
            switch field {
            case .id: .text(change.id ?? "")
            case .column(let column): values[column] ?? .null
            }
        }
        guard change.verb == .delete || isInside else {
            throw Refusal(
                problem: problem(
                    .forbidden,
                    "The row would be none that who asks may write; nothing was written."
                ),
                suffix: call.suffix
            )
        }
        return change
    }
}
