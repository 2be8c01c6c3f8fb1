import Bytes
import HTTP
import Listings
import Rendering

enum FormHandler {
    private static let forms: [String: FormDocument.Purpose] = [
        "new": .create, "edit": .edit, "delete": .remove,
    ]

    /// Returns whether the address is that of a form; only writable lists have forms.
    static func respond(to call: inout Call) throws -> Bool {
        guard call.route == .view || call.route == .rowAction || call.route == .bulkAction,
            let purpose = Self.forms[call.captures[call.captures.count - 1]],
            (purpose == .create) == (call.route == .view),
            let endpoint = try call.endpoint(call.captures[0]),
            endpoint.view.mayWrite, let writer = endpoint.writer,
            writer.rules.operations.contains(purpose.operation)
        else { return false }
        if purpose == .create {
            try respondWithNewForm(endpoint, writer, in: &call)
        } else if call.route == .bulkAction {
            guard endpoint.writesMany else { return false }
            try writeChosen(purpose, endpoint, writer, in: &call)
        } else {
            let id = FormatSuffix.name(ofInner: call.captures[1])
            try respondToRowForm(purpose, ofRow: id, endpoint, writer, in: &call)
        }
        return true
    }

    /// Returns the methods of a row's form; nil for any other path.
    static func methods(in call: borrowing Call) -> [HTTPMethod]? {
        let path = call.request.path
        guard path.count == 4, let purpose = Self.forms[path.segment(3)], purpose != .create,
            let endpoint = call.visibleEndpoint(path.segment(0)), endpoint.writer != nil
        else { return nil }
        guard path.segment(1) != "-" else {
            return path.segment(2) == "actions" && endpoint.writesMany ? [.post, .options] : nil
        }
        return path.segment(2) == "-" ? [.get, .head, .post, .options] : nil
    }

    private static func respondWithNewForm(
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in call: inout Call
    ) throws {
        let write = try prepareCall(endpoint, writer, in: &call)
        show(RowForm(creating: write), in: &call)
    }

    private static func respondToRowForm(
        _ purpose: FormDocument.Purpose,
        ofRow id: String,
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in call: inout Call
    ) throws {
        let write = try prepareCall(endpoint, writer, in: &call)
        guard call.request.method == .post else {
            return show(try form(purpose, ofRow: id, write, in: &call), in: &call)
        }
        let content = try RequestContent(call.request, [RequestContent.MediaTypes.form])
        try call.refuseForeign(content)
        guard case .form(let sent) = content else {
            return show(try form(purpose, ofRow: id, write, in: &call), in: &call)
        }
        let items = LocalNumber.plain(sent, endpoint.schema, call.language)
        // Another writer may write between the read and the write; then both are retried.
        for attempt in 1...Self.writeAttempts {
            var form = try form(purpose, ofRow: id, write, in: &call)
            guard let change = try change(of: &form, items, write, in: &call) else {
                call.response.status = HTTPStatus(code: form.document.problem.status)
                return show(form, in: &call)
            }
            do {
                _ = try writer.write(WriteBatch([change]), into: &endpoint.page) { _, _ in [] }
                break
            } catch .refused(let refusals)
                where refusals[0] == .failedCondition(id) && attempt < Self.writeAttempts
            {
                continue
            } catch {
                throw try write.problem(of: error, [.form], in: call)
            }
        }
        let text = FormDocument.success(purpose, in: call.language)
        lead(to: write, saying: text, in: &call)
    }

    private static func lead(to write: WriteCall, saying text: String, in call: inout Call) {
        call.response.status = .seeOther
        call.response.addField(.cacheControl, "no-store" as StaticString)
        let address = call.service.options.notices.address(write.listAddress, showing: [text])
        call.response.addField(.location, address)
    }

    // MARK: - Many rows

    private static func writeChosen(
        _ purpose: FormDocument.Purpose,
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in call: inout Call
    ) throws {
        guard call.request.method == .post else {
            throw Problem.methodNotAllowed(call.request.method, [.post, .options])
        }
        let write = try prepareCall(endpoint, writer, in: &call)
        let content = try RequestContent(call.request, [RequestContent.MediaTypes.form])
        try call.refuseForeign(content)
        let ids = try RowChoice.rows(of: content, write)
        let values = purpose == .edit ? try values(in: content, write, call.language) : [:]
        let verb: RowChange.Verb = purpose == .edit ? .merge : .delete
        let changes = ids.map { RowChange(verb, id: $0, values: values) }
        if let id = ids.first(where: { CellValue.id($0, as: writer.rules.idType) == nil }) {
            throw call.noRow(id, in: write.list)
        }
        var count = 0
        do throws(WriteError) {
            _ = try writer.write(WriteBatch(changes), into: &endpoint.page) { _, results in
                count = results.count {
                    if case .success(let row) = $0 { row.effect != .unchanged } else { false }
                }
                return []
            }
        } catch {
            throw try write.problem(of: error, changes.map { _ in .form }, in: call)
        }
        let text = FormDocument.success(purpose, ofRows: count, in: call.language)
        lead(to: write, saying: text, in: &call)
    }

    private static func values(
        in content: RequestContent,
        _ write: WriteCall,
        _ language: PageLanguage
    ) throws -> [Int: CellValue] {
        var items: [QueryItems.Item] = []
        if case .form(let sent) = content { items = sent }
        let marked = items.filter { $0.name.hasPrefix(RowDecoder.formMarks) }
        let allowed = [ToolbarForm.column, ToolbarForm.value]
        let column = try BodyFields(.form(marked), allowed: allowed).text(ToolbarForm.column)
        let texts = marked.filter { $0.name == ToolbarForm.value }
        guard texts.count == 1 else {
            let location = Problem.Fault.Location.parameter(ToolbarForm.value)
            throw texts.isEmpty
                ? Problem.Fault.missing(location, choices: [ToolbarForm.value])
                : .repeated(location)
        }
        let item = QueryItems.Item(name: column, value: texts[0].value)
        let local = LocalNumber.plain([item], write.endpoint.schema, language)
        let row = try RowDecoder(local, write.writer.rules)
        guard row.id == nil else {
            throw Problem.Fault.unknownColumn(.parameter(ToolbarForm.column))
        }
        let invalid = row.faults(of: RowChange(.merge, id: "0", values: row.values))
        guard invalid.isEmpty else { throw write.invalid(invalid) }
        return row.values
    }

    private static var writeAttempts: Int { 3 }

    private static func form(
        _ purpose: FormDocument.Purpose,
        ofRow id: String,
        _ write: WriteCall,
        in call: inout Call
    ) throws -> RowForm {
        guard try write.endpoint.readRow(id) else {
            throw call.noRow(id, in: write.list)
        }
        return RowForm(purpose, ofRow: id, write)
    }

    private static func change(
        of form: inout RowForm,
        _ items: [QueryItems.Item],
        _ write: WriteCall,
        in call: inout Call
    ) throws -> RowChange? {
        guard form.document.purpose == .edit else {
            guard form.isCurrent(items) else {
                form.refuseRemoval()
                return nil
            }
            return try call.restrict(form.change(.delete), write)
        }
        guard let typed = form.merge(items) else { return nil }
        let row = try RowDecoder(typed, write.writer.rules)
        let change = form.change(.merge, row.values)
        let faults = row.faults(of: change)
        form.mark(faults)
        return faults.isEmpty ? try call.restrict(change, write) : nil
    }

    /// Responds with the form of a new row and its faults; no fault means an empty form.
    static func showAgain(
        _ items: [QueryItems.Item],
        _ write: WriteCall,
        _ faults: [Problem.Fault],
        in call: inout Call
    ) {
        var form = RowForm(creating: write)
        form.show(items, faults)
        call.response.status = HTTPStatus(code: form.document.problem.status)
        show(form, in: &call)
    }

    private static func show(_ form: RowForm, in call: inout Call) {
        var form = form
        let relations = call.service.relations
        let keys = relations.keys(of: form.write.list.name)
        form.offer(keys.compactMap { relations.lookup($0, for: call.caller) }, call.addresses)
        call.response.addUncached(PageFormat.html.contentType)
        ContentSecurityPolicy.add(to: &call.response)
        call.html.render(form.document, to: &call.response.body)
    }

    private static func prepareCall(
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in call: inout Call
    ) throws -> WriteCall {
        WriteCall(
            endpoint: endpoint,
            writer: writer,
            prepared: try call.prepare(at: ListResource(endpoint, in: call), among: [.html]),
            preferences: Preferences(call.request),
            conditions: [],
            receipt: nil
        )
    }
}

extension FormDocument.Purpose {
    fileprivate var operation: RowRules.Operation {
        switch self {
        case .create: .create
        case .edit: .update
        case .remove: .delete
        }
    }
}

extension FormDocument {
    fileprivate var problem: ProblemKind {
        switch notice {
        case .nothingGiven: .malformedContent
        case .changedMeanwhile, .changedBeforeRemoval: .preconditionFailed
        case .notStored, .undecided, nil: .invalidRow
        }
    }
}
