import Bytes
import HTTP
import Listings
import Rendering

/// Responds with HTML forms that create, change and delete rows without a script.
struct FormHandler {
    let service: Service

    /// The forms by the last segments of their addresses.
    private static let forms: [String: FormDocument.Purpose] = [
        "new": .create, "edit": .edit, "delete": .remove,
    ]

    /// Responds to a request for a form, or to a submitted form.
    ///
    /// - Returns: Whether the address is that of a form; only writable lists have forms.
    func respond(
        to request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws -> Bool {
        guard route == .view || route == .rowAction || route == .bulkAction,
            let purpose = Self.forms[captures[captures.count - 1]],
            (purpose == .create) == (route == .view),
            let endpoint = try context.endpoint(captures[0], request),
            endpoint.view.mayWrite, let writer = endpoint.writer,
            writer.rules.operations.contains(purpose.operation)
        else { return false }
        if purpose == .create {
            try respondWithNewForm(request, endpoint, writer, in: &context, with: &response)
        } else if route == .bulkAction {
            guard endpoint.writesMany else { return false }
            try writeChosen(request, purpose, endpoint, writer, in: &context, with: &response)
        } else {
            let id = FormatSuffix.name(ofInner: captures[1])
            try respondToRowForm(
                request,
                purpose,
                ofRow: id,
                endpoint,
                writer,
                in: &context,
                with: &response
            )
        }
        return true
    }

    /// Returns the methods of a row's form; nil for any other path.
    func methods(
        at path: RequestPath,
        in context: borrowing RequestContext
    ) -> [HTTPMethod]? {
        guard path.count == 4, let purpose = Self.forms[path.segment(3)], purpose != .create,
            let endpoint = context.visibleEndpoint(path.segment(0)), endpoint.writer != nil
        else { return nil }
        guard path.segment(1) != "-" else {
            return path.segment(2) == "actions" && endpoint.writesMany ? [.post, .options] : nil
        }
        return path.segment(2) == "-" ? [.get, .head, .post, .options] : nil
    }

    /// Responds with the form of a new row.
    private func respondWithNewForm(
        _ request: borrowing HTTPRequest,
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let call = try prepareCall(request, endpoint, writer, in: &context)
        show(RowForm(creating: call).document, in: context, with: &response)
    }

    /// Responds with the form that changes or deletes a row, or performs a submitted one.
    private func respondToRowForm(
        _ request: borrowing HTTPRequest,
        _ purpose: FormDocument.Purpose,
        ofRow id: String,
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let call = try prepareCall(request, endpoint, writer, in: &context)
        guard request.method == .post else {
            return show(
                try form(purpose, ofRow: id, call, in: &context).document,
                in: context,
                with: &response
            )
        }
        let content = try RequestContent(request, [RequestContent.MediaTypes.form])
        try context.refuseForeign(request, content)
        guard case .form(let sent) = content else {
            return show(
                try form(purpose, ofRow: id, call, in: &context).document,
                in: context,
                with: &response
            )
        }
        let items = LocalNumber.plain(sent, endpoint.schema, context.language)
        // Another writer may write between the read and the write; then both are retried.
        for attempt in 1...Self.writeAttempts {
            var form = try form(purpose, ofRow: id, call, in: &context)
            guard let change = try change(of: &form, items, call, in: &context) else {
                response.status = HTTPStatus(code: form.document.problem.status)
                return show(form.document, in: context, with: &response)
            }
            do {
                _ = try writer.write(WriteBatch([change]), into: &endpoint.page) { _, _ in [] }
                break
            } catch .refused(let refusals)
                where refusals[0] == .failedCondition(id) && attempt < Self.writeAttempts
            {
                continue
            } catch {
                throw try call.problem(of: error, [.form], in: context)
            }
        }
        let text = FormDocument.success(purpose, in: context.language)
        lead(to: call, saying: text, with: &response)
    }

    /// Leads a person back to the list, which shows a text once.
    private func lead(to call: WriteCall, saying text: String, with response: inout HTTPResponse) {
        response.status = .seeOther
        response.addField(.cacheControl, "no-store" as StaticString)
        let address = service.options.notices.address(call.listAddress, showing: [text])
        response.addField(.location, address)
    }

    // MARK: - Many rows

    /// Sets a column of the chosen rows, or deletes them, in one transaction.
    private func writeChosen(
        _ request: borrowing HTTPRequest,
        _ purpose: FormDocument.Purpose,
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        guard request.method == .post else {
            throw Problem.methodNotAllowed(request.method, [.post, .options])
        }
        let call = try prepareCall(request, endpoint, writer, in: &context)
        let content = try RequestContent(request, [RequestContent.MediaTypes.form])
        try context.refuseForeign(request, content)
        let ids = try RowChoice.rows(of: content, call)
        let values = purpose == .edit ? try values(in: content, call, context.language) : [:]
        let verb: RowChange.Verb = purpose == .edit ? .merge : .delete
        let changes = ids.map { RowChange(verb, id: $0, values: values) }
        if let id = ids.first(where: { CellValue.id($0, as: writer.rules.idType) == nil }) {
            throw context.noRow(id, in: call.list)
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
            throw try call.problem(of: error, changes.map { _ in .form }, in: context)
        }
        let text = FormDocument.success(purpose, ofRows: count, in: context.language)
        lead(to: call, saying: text, with: &response)
    }

    /// Reads the column and its value for all chosen rows.
    private func values(
        in content: RequestContent,
        _ call: WriteCall,
        _ language: PageLanguage
    ) throws -> [Int: CellValue] {
        var items: [QueryItems.Item] = []
        if case .form(let sent) = content { items = sent }
        let marked = items.filter { $0.name.hasPrefix(RowDecoder.formMarks) }
        let allowed = [ToolbarForm.column, ToolbarForm.value]
        let column = try BodyFields(.form(marked), allowed: allowed).text(ToolbarForm.column)
        let texts = marked.filter { $0.name == ToolbarForm.value }
        guard texts.count == 1 else {
            let place = Problem.Fault.Place.parameter(ToolbarForm.value)
            throw texts.isEmpty
                ? Problem.Fault.missing(place, choices: [ToolbarForm.value]) : .repeated(place)
        }
        let item = QueryItems.Item(name: column, value: texts[0].value)
        let local = LocalNumber.plain([item], call.endpoint.schema, language)
        let row = try RowDecoder(local, call.writer.rules)
        guard row.id == nil else {
            throw Problem.Fault.unknownColumn(.parameter(ToolbarForm.column))
        }
        let invalid = row.faults(of: RowChange(.merge, id: "0", values: row.values))
        guard invalid.isEmpty else { throw call.invalid(invalid) }
        return row.values
    }

    private static var writeAttempts: Int { 3 }

    /// Returns the form of the current row.
    private func form(
        _ purpose: FormDocument.Purpose,
        ofRow id: String,
        _ call: WriteCall,
        in context: inout RequestContext
    ) throws -> RowForm {
        guard try call.endpoint.readRow(id) else {
            throw context.noRow(id, in: call.list)
        }
        return RowForm(purpose, ofRow: id, call)
    }

    /// Returns the change of a submitted form; nil where the form has to be shown again.
    private func change(
        of form: inout RowForm,
        _ items: [QueryItems.Item],
        _ call: WriteCall,
        in context: inout RequestContext
    ) throws -> RowChange? {
        guard form.document.purpose == .edit else {
            guard form.isCurrent(items) else {
                form.refuseRemoval()
                return nil
            }
            return try context.restrict(form.change(.delete), call)
        }
        guard let typed = form.merge(items) else { return nil }
        let row = try RowDecoder(typed, call.writer.rules)
        let change = form.change(.merge, row.values)
        let faults = row.faults(of: change)
        form.mark(faults)
        return faults.isEmpty ? try context.restrict(change, call) : nil
    }

    /// Responds with the form of a new row and its faults; no fault means an empty form.
    func showAgain(
        _ items: [QueryItems.Item],
        _ call: WriteCall,
        _ faults: [Problem.Fault],
        in context: borrowing RequestContext,
        with response: inout HTTPResponse
    ) {
        var form = RowForm(creating: call)
        form.show(items, faults)
        response.status = HTTPStatus(code: form.document.problem.status)
        show(form.document, in: context, with: &response)
    }

    private func show(
        _ form: FormDocument,
        in context: borrowing RequestContext,
        with response: inout HTTPResponse
    ) {
        response.addField(.contentType, PageFormat.html.contentType)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        DocumentFields.addPolicy(to: &response)
        context.html.render(form, to: &response.body)
    }

    private func prepareCall(
        _ request: borrowing HTTPRequest,
        _ endpoint: ServedList,
        _ writer: any ListWriter,
        in context: inout RequestContext
    ) throws -> WriteCall {
        WriteCall(
            endpoint: endpoint,
            writer: writer,
            prepared: try context.prepare(
                request,
                at: ListResource(endpoint, in: context),
                among: [.html]
            ),
            preferences: Preferences(request),
            conditions: [],
            receipt: nil
        )
    }
}

extension FormDocument.Purpose {
    /// The write of the form.
    fileprivate var operation: RowRules.Operation {
        switch self {
        case .create: .create
        case .edit: .update
        case .remove: .delete
        }
    }
}

extension FormDocument {
    /// The kind of problem of a form that is shown again.
    fileprivate var problem: ProblemKind {
        switch notice {
        case .nothingGiven: .malformedContent
        case .changedMeanwhile, .changedBeforeRemoval: .preconditionFailed
        case .notStored, .undecided, nil: .invalidRow
        }
    }
}
