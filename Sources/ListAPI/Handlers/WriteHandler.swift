import Bytes
import HTTP
import JSON
import Listings
import Rendering

enum WriteHandler {
    static func respond(to call: inout Call) throws {
        let target = try writeTarget(of: call.route, in: &call)
        guard let writer = target.endpoint.writer,
            writer.rules.operations.contains(RowRules.Operation(call.request.method, call.route))
        else {
            let allowed = HTTPMethod.allowed(at: call.route, of: target.endpoint)
            throw Problem.methodNotAllowed(call.request.method, allowed, by: target.endpoint)
        }
        let types = Self.mediaTypes(of: call.request.method, call.route)
        let content = try RequestContent(call.request, types)
        try call.refuseForeign(content)
        let write = try writeCall(
            content,
            target,
            writer,
            takesDuplicates: call.route == .rows,
            in: &call
        )
        switch (target.place, call.request.method) {
        case (.row(let id), _):
            try writeRow(id, content, write, in: &call)
        case _ where call.route == .rows:
            try writeRows(content, write, in: &call)
        default: try createRow(content, write, in: &call)
        }
    }

    private static func writeTarget(of route: Route, in call: inout Call) throws -> ListResource {
        guard route == .rows else {
            return try ListResource(in: &call)
        }
        return ListResource(try call.requireEndpoint(call.captures[0]), in: call)
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

    private static func writeCall(
        _ content: RequestContent,
        _ target: ListResource,
        _ writer: any ListWriter,
        takesDuplicates: Bool,
        in call: inout Call
    ) throws -> WriteCall {
        // A form without fields has no content.
        let mayBeForm =
            switch content {
            case .form: true
            case .empty: call.request.method == .post
            case .json: false
            }
        let formats: [PageFormat] = mayBeForm ? [.json, .html] : [.json]
        var accepted: ParameterSet? = takesDuplicates ? .accepted(at: .writtenRows) : nil
        if case .row = target.place {
            accepted = .accepted(at: .writtenRow).offered(by: target.traits)
        }
        let prepared = try call.prepare(at: target, among: formats, accepting: accepted)
        var conditions: [RowCondition] = []
        if case .row(let id) = target.place {
            conditions = try call.conditions(ofRow: id)
        }
        return WriteCall(
            endpoint: target.endpoint,
            writer: writer,
            prepared: prepared,
            preferences: Preferences(call.request),
            conditions: conditions,
            receipt: try WriteReceipt(call.request, of: call.caller?.name)
        )
    }

    // MARK: - One row

    private static func createRow(
        _ content: RequestContent,
        _ write: WriteCall,
        in call: inout Call
    ) throws {
        if call.request.field(.ifMatch) != nil || call.request.field(.ifNoneMatch) != nil {
            let tag = write.prepared.entityTag(try write.endpoint.reader.version(), isStale: false)
            guard EntityTagCondition.allows(call.request, tag) else {
                throw write.problem(.preconditionFailed, "The list is in another state.")
            }
        }
        let row = try row(of: content, write, .insert, call.language)
        let change = RowChange(.insert, id: row.id, values: row.values)
        let faults = row.faults(of: change)
        if write.isFromBrowser, case .form(let items) = content, row.isBlank || !faults.isEmpty {
            return FormHandler.showAgain(items, write, faults, in: &call)
        }
        guard faults.isEmpty else { throw write.invalid(faults) }
        try perform(change, row.notation, write, in: &call)
    }

    private static func writeRow(
        _ id: String,
        _ content: RequestContent,
        _ write: WriteCall,
        in call: inout Call
    ) throws {
        let verb: RowChange.Verb =
            switch call.request.method {
            case .put: .replace
            case .patch: .merge
            default: .delete
            }
        // A repeated request gets its stored response, even if the row is gone.
        if verb != .replace, write.receipt == nil { try requireRow(id, write, in: call) }
        guard verb != .delete else {
            let change = RowChange(.delete, id: id, conditions: write.conditions)
            return try perform(change, .form, write, in: &call)
        }
        var row = try row(of: content, write, verb, call.language)
        row.refuseOtherID(than: id)
        let change = RowChange(verb, id: id, values: row.values, conditions: write.conditions)
        let faults = row.faults(of: change)
        if !faults.isEmpty {
            if verb != .replace { try requireRow(id, write, in: call) }
            // A failed condition is reported before faults (RFC 9110 §13.2.1).
            try requireConditions(of: write, row: id, in: call)
        }
        guard faults.isEmpty else { throw write.invalid(faults) }
        try perform(change, row.notation, write, in: &call)
    }

    private static func requireRow(_ id: String, _ write: WriteCall, in call: borrowing Call) throws
    {
        guard try write.endpoint.readRow(id) else { throw call.noRow(id, in: write.list) }
    }

    private static func requireConditions(
        of write: WriteCall,
        row id: String,
        in call: borrowing Call
    ) throws {
        guard !write.conditions.isEmpty else { return }
        let exists = try write.endpoint.readRow(id)
        let revision = exists ? write.endpoint.page.revision(ofRow: 0) : nil
        guard write.conditions.allSatisfy({ $0.holds(exists: exists, revision: revision) }) else {
            throw try write.problem(of: .failedCondition(id), in: call)
        }
    }

    private static func row(
        of content: RequestContent,
        _ write: WriteCall,
        _ verb: RowChange.Verb,
        _ language: PageLanguage
    ) throws(Problem.Fault) -> RowDecoder {
        let rules = write.writer.rules
        switch content {
        case .json(let json): return try RowDecoder(json, rules)
        case .form(let items):
            let local = LocalNumber.plain(items, write.endpoint.schema, language)
            let texts = write.isFromBrowser ? local.map(LineBreaks.unified) : items
            let row = try RowDecoder(texts, rules)
            // People get the form again.
            if row.isBlank, !write.isFromBrowser { throw .missingContent(rules) }
            return row
        case .empty:
            guard verb == .merge else { throw .missingContent(rules) }
            return try RowDecoder([], rules)
        }
    }

    private static func perform(
        _ change: RowChange,
        _ notation: RowDecoder.Notation,
        _ write: WriteCall,
        in call: inout Call
    ) throws {
        let batch = WriteBatch(
            [try call.restrict(change, write)],
            receipt: write.receipt,
            columns: write.prepared.query.columns,
            readsRow: !write.preferences.wantsMinimal && !write.isFromBrowser
        )
        let (method, service, language) = (call.request.method, call.service, call.language)
        try perform(batch, [notation], write, in: &call) { page, results in
            guard case .success(let row)? = results.first else { return nil }
            return write.response(for: row, on: page, to: method, by: service, language)
        }
    }

    // MARK: - Many rows

    private static func writeRows(
        _ content: RequestContent,
        _ write: WriteCall,
        in call: inout Call
    ) throws {
        guard write.endpoint.view.scope.isEveryRow else {
            let detail: Text = "Who may write some rows only writes them one by one."
            throw write.problem(.forbidden, detail)
        }
        let accepted = ParameterSet.accepted(at: .writtenRows)
        var parameters = ListParameters(call.request, at: write.prepared.target, accepted: accepted)
        let chosen = parameters.duplicateVerb()
        let columns = chosen.map { parameters.matchedColumns(for: $0, write.writer) } ?? []
        guard let verb = chosen, parameters.errors.isEmpty else {
            throw call.problem(of: parameters, write.prepared.target)
        }
        if call.service.options.writing.requiresCondition,
            verb == .replace || verb == .mergeOrInsert
        {
            let detail: Text =
                "Rows are changed one by one here, each with its entity tag in If-Match."
            throw write.problem(.preconditionRequired, detail)
        }
        guard case .json(.array(let elements, _)) = content else {
            throw Problem.Fault.malformed(.pointer(""), "an array of rows, each an object")
        }
        let maximum = RowChoice.maximumRows
        guard elements.count <= maximum else {
            throw Problem.Fault.tooManyRows(.pointer(""), maximum: maximum)
        }
        let isLenient = write.preferences.isLenient
        let rows = BulkRows(
            elements,
            write.writer.rules,
            verb,
            matching: columns,
            isLenient: isLenient
        )
        let faults = rows.allFaults
        guard isLenient || faults.isEmpty else { throw write.invalid(faults) }
        let batch = WriteBatch(
            rows.changes,
            manner: isLenient ? .each : .allOrNothing,
            receipt: write.receipt
        )
        try perform(batch, rows.notations, write, in: &call) { _, results in
            write.response(for: rows, results)
        }
    }

    /// Performs changes, and sends the new response, or the stored one of a repeated request.
    private static func perform(
        _ batch: WriteBatch,
        _ notations: [RowDecoder.Notation],
        _ write: WriteCall,
        in call: inout Call,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> IdempotentResponse?
    ) throws {
        var made: IdempotentResponse?
        let written: WriteResponse
        do {
            written = try write.writer.write(batch, into: &write.endpoint.page) { page, results in
                made = response(page, results)
                return write.receipt == nil ? [] : made?.bytes ?? []
            }
        } catch {
            throw try write.problem(of: error, notations, in: call)
        }
        if case .repeated(let bytes) = written { made = IdempotentResponse(bytes) }
        guard let made else {
            throw SourceError.corrupted(reason: "the stored response to a request cannot be read")
        }
        made.send(with: &call.response)
        if case .repeated = written {
            call.response.addField("Idempotent-Replayed", "true" as StaticString)
        }
    }
}

extension RowRules.Operation {
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
    static func allowed(at route: Route, of endpoint: ServedList) -> [HTTPMethod] {
        let operations = endpoint.writer?.rules.operations ?? []
        let writing: [HTTPMethod] = route == .row ? [.put, .patch, .delete] : [.post]
        return (route == .rows ? [] : [.get, .head])
            + writing.filter { operations.contains(.init($0, route)) } + [.options]
    }
}

extension EntityTagCondition {
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
