import Bytes
import HTTP
import JSON
import Listings
import Rendering

/// Creates, changes and deletes rows.
struct WriteHandler {
    let service: Service
    private let forms: FormHandler

    init(_ service: Service) {
        self.service = service
        forms = FormHandler(service: service)
    }

    /// Writes the row or the rows of a request.
    func respond(
        to request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let target = try writeTarget(of: route, captures, request, in: &context)
        guard let writer = target.endpoint.writer,
            writer.rules.operations.contains(RowRules.Operation(request.method, route))
        else {
            let allowed = HTTPMethod.allowed(at: route, of: target.endpoint)
            throw Problem.methodNotAllowed(request.method, allowed, by: target.endpoint)
        }
        let types = Self.mediaTypes(of: request.method, route)
        let content = try RequestContent(request, types)
        try context.refuseForeign(request, content)
        let call = try writeCall(
            request,
            content,
            target,
            writer,
            takesDuplicates: route == .rows,
            in: &context
        )
        switch (target.place, request.method) {
        case (.row(let id), _):
            try writeRow(id, request, content, call, in: &context, with: &response)
        case _ where route == .rows:
            try writeRows(request, content, call, in: &context, with: &response)
        default: try createRow(request, content, call, in: &context, with: &response)
        }
    }

    private func writeTarget(
        of route: Route,
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) throws -> ListResource {
        guard route == .rows else {
            return try ListResource(at: route, captures, request, in: &context)
        }
        return ListResource(try context.requireEndpoint(captures[0], request), in: context)
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

    private func writeCall(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ target: ListResource,
        _ writer: any ListWriter,
        takesDuplicates: Bool,
        in context: inout RequestContext
    ) throws -> WriteCall {
        // A form without fields has no content.
        let mayBeForm =
            switch content {
            case .form: true
            case .empty: request.method == .post
            case .json: false
            }
        let formats: [PageFormat] = mayBeForm ? [.json, .html] : [.json]
        var accepted: ParameterSet? = takesDuplicates ? .accepted(at: .writtenRows) : nil
        if case .row = target.place {
            accepted = .accepted(at: .writtenRow).offered(by: target.traits)
        }
        let prepared = try context.prepare(
            request,
            at: target,
            among: formats,
            accepting: accepted
        )
        var conditions: [RowCondition] = []
        if case .row(let id) = target.place {
            conditions = RowCondition.conditions(of: request, row: id)
            if service.options.writing.requiresCondition, conditions.isEmpty {
                let detail = "The request does not say which state of row '\(id)' it means."
                throw Problem(.preconditionRequired, detail)
            }
        }
        return WriteCall(
            endpoint: target.endpoint,
            writer: writer,
            prepared: prepared,
            preferences: Preferences(request),
            conditions: conditions,
            receipt: try WriteReceipt(request, of: context.caller?.name)
        )
    }

    // MARK: - One row

    private func createRow(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ call: WriteCall,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        if request.field(.ifMatch) != nil || request.field(.ifNoneMatch) != nil {
            let tag = call.prepared.entityTag(try call.endpoint.reader.version(), isStale: false)
            guard EntityTagCondition.allows(request, tag) else {
                throw call.problem(.preconditionFailed, "The list is in another state.")
            }
        }
        let row = try row(of: content, call, .insert, context.language)
        let change = RowChange(.insert, id: row.id, values: row.values)
        let faults = row.faults(of: change)
        if call.isFromBrowser, case .form(let items) = content, row.isBlank || !faults.isEmpty {
            return forms.showAgain(items, call, faults, in: context, with: &response)
        }
        guard faults.isEmpty else { throw call.invalid(faults) }
        try perform(change, row.notation, call, request.method, in: &context, with: &response)
    }

    private func writeRow(
        _ id: String,
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ call: WriteCall,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let verb: RowChange.Verb =
            switch request.method {
            case .put: .replace
            case .patch: .merge
            default: .delete
            }
        // A repeated request gets its stored response, even if the row is gone.
        if verb != .replace, call.receipt == nil { try requireRow(id, call, in: context) }
        guard verb != .delete else {
            let change = RowChange(.delete, id: id, conditions: call.conditions)
            return try perform(change, .form, call, request.method, in: &context, with: &response)
        }
        var row = try row(of: content, call, verb, context.language)
        row.refuseOtherID(than: id)
        let change = RowChange(verb, id: id, values: row.values, conditions: call.conditions)
        let faults = row.faults(of: change)
        if !faults.isEmpty {
            if verb != .replace { try requireRow(id, call, in: context) }
            // A failed condition is reported before faults (RFC 9110 §13.2.1).
            try requireConditions(of: call, row: id, in: context)
        }
        guard faults.isEmpty else { throw call.invalid(faults) }
        try perform(change, row.notation, call, request.method, in: &context, with: &response)
    }

    /// Requires the row to exist; a missing row wins over all other errors.
    private func requireRow(
        _ id: String,
        _ call: WriteCall,
        in context: borrowing RequestContext
    ) throws {
        guard try call.endpoint.readRow(id) else { throw context.noRow(id, in: call.list) }
    }

    private func requireConditions(
        of call: WriteCall,
        row id: String,
        in context: borrowing RequestContext
    ) throws {
        guard !call.conditions.isEmpty else { return }
        let exists = try call.endpoint.readRow(id)
        let revision = exists ? call.endpoint.page.revision(ofRow: 0) : nil
        guard call.conditions.allSatisfy({ $0.holds(exists: exists, revision: revision) }) else {
            throw try call.problem(of: .failedCondition(id), in: context)
        }
    }

    /// Reads the row of a request; only a merge may be empty.
    private func row(
        of content: RequestContent,
        _ call: WriteCall,
        _ verb: RowChange.Verb,
        _ language: PageLanguage
    ) throws(Problem.Fault) -> RowDecoder {
        let rules = call.writer.rules
        switch content {
        case .json(let json): return try RowDecoder(json, rules)
        case .form(let items):
            let local = LocalNumber.plain(items, call.endpoint.schema, language)
            let texts = call.isFromBrowser ? local.map(LineBreaks.unified) : items
            let row = try RowDecoder(texts, rules)
            // People get the form again.
            if row.isBlank, !call.isFromBrowser { throw .missingContent(rules) }
            return row
        case .empty:
            guard verb == .merge else { throw .missingContent(rules) }
            return try RowDecoder([], rules)
        }
    }

    private func perform(
        _ change: RowChange,
        _ notation: RowDecoder.Notation,
        _ call: WriteCall,
        _ method: HTTPMethod,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let change = try context.restrict(change, call)
        var made: IdempotentResponse?
        let written: WriteResponse
        do {
            written = try call.writer.write(
                WriteBatch(
                    [change],
                    receipt: call.receipt,
                    columns: call.prepared.query.columns,
                    readsRow: !call.preferences.wantsMinimal && !call.isFromBrowser
                ),
                into: &call.endpoint.page
            ) { page, results in
                guard case .success(let row)? = results.first else { return [] }
                let response = call.response(for: row, on: page, to: method, service.json)
                made = response
                return call.receipt == nil ? [] : response.bytes
            }
        } catch {
            throw try call.problem(of: error, [notation], in: context)
        }
        try Self.send(written, made, with: &response)
    }

    // MARK: - Many rows

    private func writeRows(
        _ request: borrowing HTTPRequest,
        _ content: RequestContent,
        _ call: WriteCall,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        guard call.endpoint.view.scope.isEveryRow else {
            let detail = "Who may write some rows only writes them one by one."
            throw call.problem(.forbidden, detail)
        }
        let accepted = ParameterSet.accepted(at: .writtenRows)
        var parameters = ListParameters(request, at: call.prepared.target, accepted: accepted)
        let chosen = parameters.duplicateVerb()
        let columns = chosen.map { parameters.matchedColumns(for: $0, call.writer) } ?? []
        guard let verb = chosen, parameters.errors.isEmpty else {
            throw context.problem(of: parameters, request, call.prepared.target)
        }
        if service.options.writing.requiresCondition, verb == .replace || verb == .mergeOrInsert {
            let detail = "Rows are changed one by one here, each with its entity tag in If-Match."
            throw call.problem(.preconditionRequired, detail)
        }
        guard case .json(.array(let elements, _)) = content else {
            throw Problem.Fault.malformed(.pointer(""), "an array of rows, each an object")
        }
        let maximum = RowChoice.maximumRows
        guard elements.count <= maximum else {
            throw Problem.Fault.tooManyRows(.pointer(""), maximum: maximum)
        }
        let isLenient = call.preferences.isLenient
        let rows = BulkRows(
            elements,
            call.writer.rules,
            verb,
            matching: columns,
            isLenient: isLenient
        )
        let faults = rows.allFaults
        guard isLenient || faults.isEmpty else { throw call.invalid(faults) }
        let batch = WriteBatch(
            rows.changes,
            manner: isLenient ? .each : .allOrNothing,
            receipt: call.receipt
        )
        var made: IdempotentResponse?
        let written: WriteResponse
        do {
            written = try call.writer.write(batch, into: &call.endpoint.page) { _, results in
                let response = call.response(for: rows, results)
                made = response
                return call.receipt == nil ? [] : response.bytes
            }
        } catch {
            throw try call.problem(of: error, rows.notations, in: context)
        }
        try Self.send(written, made, with: &response)
    }

    /// Sends the response of a write, either new or stored for its key.
    private static func send(
        _ written: WriteResponse,
        _ made: IdempotentResponse?,
        with response: inout HTTPResponse
    ) throws {
        let answer =
            switch written {
            case .performed: made
            case .repeated(let bytes): IdempotentResponse(bytes)
            }
        guard let stored = answer else {
            throw SourceError.corrupted(reason: "the stored response to a request cannot be read")
        }
        stored.send(with: &response)
        if case .repeated = written {
            response.addField("Idempotent-Replayed", "true" as StaticString)
        }
    }
}

extension RowRules.Operation {
    /// Returns the operation of a method at the address of a list, a row or all rows.
    init(_ method: HTTPMethod, _ route: Route) {
        switch method {
        case _ where route == .rows: self = .bulk
        case .put: self = .put
        case .patch: self = .update
        case .delete: self = .delete
        default: self = .create
        }
    }
}

extension HTTPMethod {
    /// Returns the methods that a list takes at the address of itself, of a row or of all rows.
    static func allowed(at route: Route, of endpoint: ServedList) -> [HTTPMethod] {
        let operations = endpoint.writer?.rules.operations ?? []
        let writing: [HTTPMethod] = route == .row ? [.put, .patch, .delete] : [.post]
        return (route == .rows ? [] : [.get, .head])
            + writing.filter { operations.contains(.init($0, route)) } + [.options]
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
