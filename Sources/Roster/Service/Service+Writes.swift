import Bytes
import HTTP
import JSON
import Listings
import Rendering

extension Service {
    /// Writes the row or the rows of a request.
    func write(
        _ request: borrowing HTTPRequest,
        _ route: Route,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) throws {
        let target = try writeTarget(of: route, captures, request)
        guard let writer = target.endpoint.writer else {
            guard route != .rows else {
                throw Refusal(
                    problem: nothingHere(in: target.endpoint.definition),
                    suffix: target.suffix
                )
            }
            response.addField(.allow, Self.list([.get, .head, .options]))
            throw Refusal(problem: methodNotAllowed(request.method), suffix: target.suffix)
        }
        let types = Self.mediaTypes(of: request.method, route)
        let content = try content(
            of: request,
            types,
            suffix: target.suffix,
            with: &response
        )
        try refuseForeign(request, content, target)
        let call = try writeCall(request, content, target, writer, takesDuplicates: route == .rows)
        switch (target.place, request.method) {
        case (.row(let id), _): try writeRow(id, request, content, call, with: &response)
        case _ where route == .rows: try writeRows(request, content, call, with: &response)
        default: try createRow(request, content, call, with: &response)
        }
    }

    private func writeTarget(
        of route: Route,
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest
    ) throws(Refusal) -> ListResource {
        guard route == .rows else { return try target(of: route, captures, request) }
        guard let endpoint = try endpoint(captures[0], request, suffix: nil) else {
            throw Refusal(problem: noList(captures[0]), suffix: nil)
        }
        return target(endpoint, .list, nil)
    }

    private static func mediaTypes(of method: HTTPMethod, _ route: Route) -> [String] {
        switch (method, route) {
        case (.patch, _):
            [RequestContent.MediaTypes.mergePatch, RequestContent.MediaTypes.json]
        case (.post, .list): RequestContent.MediaTypes.jsonOrForm
        case (_, .rows): [RequestContent.MediaTypes.json, RequestContent.MediaTypes.lines]
        default: [RequestContent.MediaTypes.json]
        }
    }

    func content(
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
    func refuseForeign(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ target: ListResource
    ) throws(Refusal) {
        guard RequestOrigin.isForeign(request) else { return }
        if case .form = content {} else if options.crossOrigin?.allows(request) ?? false { return }
        let detail = "The request was sent by a page of another site."
        throw Refusal(problem: problem(.foreignOrigin, detail), suffix: target.suffix)
    }

    private func writeCall(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ target: ListResource,
        _ writer: any ListWriter,
        takesDuplicates: Bool
    ) throws -> WriteCall {
        // A form without fields has no content.
        let mayBeForm =
            switch content {
            case .form: true
            case .empty: request.method == .post
            case .json: false
            }
        let formats: [PageFormat] = mayBeForm ? [.json, .html] : [.json]
        var accepted = takesDuplicates ? .duplicates : target.accepted
        if case .row = target.place {
            accepted = target.segments.isEmpty ? .columns : [.columns, .segment]
        }
        let answer = try answer(request, at: target, among: formats, accepting: accepted)
        var conditions: [RowCondition] = []
        if case .row(let id) = target.place {
            conditions = RowCondition.conditions(of: request, row: id)
            if options.writing.requiresCondition, conditions.isEmpty {
                let detail = "The request does not say which state of row '\(id)' it means."
                throw Refusal(
                    problem: problem(.preconditionRequired, detail),
                    suffix: target.suffix
                )
            }
        }
        let receipt: WriteReceipt?
        do throws(ContentValidationError) {
            receipt = try WriteReceipt(request, of: caller?.name)
        } catch {
            throw malformed([error.fault], target)
        }
        return WriteCall(
            endpoint: target.endpoint,
            writer: writer,
            answer: answer,
            preferences: Preferences(request),
            conditions: conditions,
            receipt: receipt
        )
    }

    /// Returns the problem of content that the address does not accept.
    func malformed(_ faults: [Problem.Fault], _ target: ListResource) -> Refusal {
        let detail = "The request was not understood; nothing was written."
        return Refusal(
            problem: problem(.malformedContent, detail, faults: faults),
            suffix: target.suffix
        )
    }

    // MARK: - One row

    private func createRow(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ call: WriteCall,
        with response: inout HTTPResponse
    ) throws {
        let tag = call.answer.entityTag(try call.endpoint.reader.version(), isStale: false)
        guard EntityTagCondition.allows(request, tag) else {
            throw refusal(call, .preconditionFailed, "The list is in another state.")
        }
        let row = try row(of: content, call, .insert)
        let change = RowChange(.insert, id: row.id, values: row.values)
        let faults = row.faults(of: change)
        if call.isOfPerson, case .form(let items) = content, row.isBlank || !faults.isEmpty {
            return showAgain(items, call, faults, with: &response)
        }
        try check(faults, call)
        try perform(change, row.notation, call, request.method, with: &response)
    }

    private func writeRow(
        _ id: String,
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ call: WriteCall,
        with response: inout HTTPResponse
    ) throws {
        let verb: RowChange.Verb =
            switch request.method {
            case .put: .replace
            case .patch: .merge
            default: .delete
            }
        // A repeated request gets its stored response, even if the row is gone.
        if verb != .replace, call.receipt == nil { try requireRow(id, call) }
        guard verb != .delete else {
            let change = RowChange(.delete, id: id, conditions: call.conditions)
            return try perform(change, .form, call, request.method, with: &response)
        }
        var row = try row(of: content, call, verb)
        row.refuseOtherID(than: id)
        let change = RowChange(verb, id: id, values: row.values, conditions: call.conditions)
        let faults = row.faults(of: change)
        if !faults.isEmpty {
            if verb != .replace { try requireRow(id, call) }
            // A failed condition is reported before faults (RFC 9110 §13.2.1).
            try requireConditions(of: call, row: id)
        }
        try check(faults, call)
        try perform(change, row.notation, call, request.method, with: &response)
    }

    /// Requires the row to exist; a missing row wins over all other errors.
    private func requireRow(_ id: String, _ call: WriteCall) throws {
        guard try call.endpoint.readRow(id) else {
            throw Refusal(problem: noRow(id, in: call.list), suffix: call.suffix)
        }
    }

    private func requireConditions(of call: WriteCall, row id: String) throws {
        guard !call.conditions.isEmpty else { return }
        let exists = try call.endpoint.readRow(id)
        let revision = exists ? call.endpoint.page.revision(ofRow: 0) : nil
        guard call.conditions.allSatisfy({ $0.holds(exists: exists, revision: revision) }) else {
            throw try refusal(call, .failedCondition(id))
        }
    }

    /// Reads the row of a request; only a merge may be empty.
    private func row(
        of content: RequestContent,
        _ call: WriteCall,
        _ verb: RowChange.Verb
    ) throws(Refusal) -> RowDecoder {
        let rules = call.writer.rules
        do throws(ContentValidationError) {
            switch content {
            case .json(let json): return try RowDecoder(json, rules)
            case .form(let items):
                let texts = call.isOfPerson ? items.map(LineBreaks.unified) : items
                let row = try RowDecoder(texts, rules)
                // People get the form again.
                if row.isBlank, !call.isOfPerson { throw Self.missingContent(rules) }
                return row
            case .empty:
                guard verb == .merge else { throw Self.missingContent(rules) }
                return try RowDecoder([], rules)
            }
        } catch {
            throw malformed([error.fault], call.answer.target)
        }
    }

    private static func missingContent(_ rules: RowRules) -> ContentValidationError {
        let columns = ["id"] + rules.columns.map(\.id)
        return ContentValidationError(place: nil, kind: .missingContent(columns: columns))
    }

    /// Refuses a row that has faults.
    private func check(_ faults: [Problem.Fault], _ call: WriteCall) throws(Refusal) {
        guard faults.isEmpty else { throw invalid(faults, call) }
    }

    private func perform(
        _ change: RowChange,
        _ notation: RowDecoder.Notation,
        _ call: WriteCall,
        _ method: HTTPMethod,
        with response: inout HTTPResponse
    ) throws {
        let change = try within(change, call)
        let answer: WriteResponse
        do {
            answer = try call.writer.write(
                WriteBatch(
                    [change],
                    receipt: call.receipt,
                    columns: call.answer.query.columns
                ),
                into: &call.endpoint.page
            ) { page, results in
                guard case .success(let row)? = results.first else { return [] }
                return self.answer(call, page, row, method).bytes
            }
        } catch {
            throw try refusal(call, error, [notation])
        }
        try send(answer, call, with: &response)
    }

    // MARK: - Many rows

    private func writeRows(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ call: WriteCall,
        with response: inout HTTPResponse
    ) throws {
        let target = call.answer.target
        guard call.endpoint.view.conditions.isEmpty else {
            let detail = "Who may write some rows only writes them one by one."
            throw refusal(call, .forbidden, detail)
        }
        var parameters = ListParameters(request, of: call.endpoint, accepted: .duplicates)
        guard let verb = parameters.duplicateVerb() else {
            throw refusal(parameters, request, target)
        }
        if options.writing.requiresCondition, verb == .replace || verb == .mergeOrInsert {
            let detail = "Rows are changed one by one here, each with its entity tag in If-Match."
            throw refusal(call, .preconditionRequired, detail)
        }
        guard case .json(.array(let elements, _)) = content else {
            let fault = ContentValidationError(place: .pointer(""), kind: .malformed(wanted: .rows))
            throw malformed([fault.fault], target)
        }
        let maximum = RowChoice.maximumRows
        guard elements.count <= maximum else {
            let fault = ContentValidationError(
                place: .pointer(""),
                kind: .tooMany(maximum: maximum)
            )
            throw malformed([fault.fault], target)
        }
        let isLenient = call.preferences.isLenient
        let rows = BulkRows(elements, call.writer.rules, verb, isLenient: isLenient)
        if !isLenient { try check(rows.allFaults, call) }
        let batch = WriteBatch(
            rows.changes,
            manner: isLenient ? .each : .allOrNothing,
            receipt: call.receipt
        )
        let answer: WriteResponse
        do {
            answer = try call.writer.write(batch, into: &call.endpoint.page) { _, results in
                self.answer(call, rows, results).bytes
            }
        } catch {
            throw try refusal(call, error, rows.notations)
        }
        try send(answer, call, with: &response)
    }
}

extension EntityTagCondition {
    /// Whether the conditions of a write hold for the tag of its target.
    fileprivate static func allows(_ request: borrowing HTTPRequest, _ tag: EntityTag) -> Bool {
        if let field = request.field(.ifMatch) {
            guard EntityTagCondition(parsing: field)?.matchesStrongly(tag) ?? false else {
                return false
            }
        }
        guard let field = request.field(.ifNoneMatch) else { return true }
        return !(EntityTagCondition(parsing: field)?.matchesWeakly(tag) ?? false)
    }
}
