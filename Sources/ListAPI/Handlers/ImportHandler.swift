import Bytes
import Database
import HTTP
import Listings
import Rendering
import System
import TableFiles

/// Begins imports of files, and responds with their progress.
struct ImportHandler {
    let service: Service

    /// A request to import, checked before its content arrives.
    struct ImportOrder {
        let endpoint: ServedList
        let source: any WritableSource
        /// The format by the media type, or nil for a form with a file.
        let format: FileFormat?
        /// The envelope of a form.
        var envelope: FileEnvelope?
        let verb: RowChange.Verb
    }

    /// Whether a request checks a file.
    static func isPreview(_ route: Route, _ captures: RouteCaptures, _ method: HTTPMethod) -> Bool {
        route == .imported && method == .post && captures[1] == Address.preview
    }

    /// Returns a spool for the content of an import; nil where the request will be refused.
    func sink(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        in context: inout RequestContext
    ) -> ImportSpool? {
        // The handling of the request reports the problems.
        guard let order = try? importOrder(request, captures, in: &context) else { return nil }
        return try? spool(for: order, context.addresses)
    }

    /// Begins an import, or responds with the progress of one.
    func respond(
        to request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let isPreview = Self.isPreview(route, captures, request.method)
        guard route == .importing || isPreview else {
            if request.method == .post {
                return try beginChecked(request, captures, in: &context, with: &response)
            }
            return try respondWithProgress(request, captures, in: &context, with: &response)
        }
        let chosen = try progressFormat(request, suffix: nil)
        let order = try importOrder(request, captures, in: &context)
        let spool: ImportSpool
        if let sink = request.sink as? ImportSpool {
            spool = sink
        } else {
            // Another import has ended since this one was refused.
            guard !context.isWithoutContent else {
                throw conflict(order.endpoint.definition, context.addresses)
            }
            spool = try self.spool(for: order, context.addresses)
            if !request.body.isEmpty { spool.take(request.body.span) }
        }
        if let failure = spool.failure { throw unkept(failure) }
        let file = try file(in: spool, order)
        try begin(file, order, isPreview: isPreview, as: chosen, in: &context, with: &response)
    }

    private func begin(
        _ file: ListImport.CheckedFile,
        _ order: ImportOrder,
        isPreview: Bool,
        as format: PageFormat,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let list = order.endpoint.definition
        let progress = ListImport(into: list.name, totalBytes: file.spool.count)
        let work = ImportJob(
            source: order.source,
            format: file.format,
            verb: file.verb,
            spool: file.spool,
            progress: progress,
            isDraining: service.isDraining,
            changeSignal: service.options.changeSignal,
            isPreview: isPreview
        )
        do throws(SystemError) {
            try service.options.imports.begin(work)
        } catch {
            throw unkept(error)
        }
        response.addField(.location, context.addresses.imported(progress.id, of: list.name))
        // A page that is reloaded must not import again.
        response.status = format == .html ? .seeOther : .accepted
        show(progress, of: list, as: format, suffix: nil, in: &context, with: &response)
    }

    /// Returns the file of a request, whose format a form tells by its name.
    private func file(
        in spool: ImportSpool,
        _ order: ImportOrder
    ) throws(Problem) -> ListImport.CheckedFile {
        if let format = order.format {
            return .init(spool: spool, format: format, verb: order.verb)
        }
        let envelope = spool.envelope
        do throws(FileEnvelope.Failure) {
            try envelope?.finish()
        } catch {
            throw Problem(
                .malformedContent,
                "The form has no file, or more than one; nothing was imported."
            )
        }
        let name = envelope?.fileName ?? ""
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        let formats = RequestContent.fileTypes.map(\.format)
        guard let format = formats.first(where: { $0.fileExtensions.contains(ending) }) else {
            let endings = formats.compactMap(\.fileExtensions.first).joined(separator: ", ")
            throw Problem(
                .malformedContent,
                "The name '\(name)' ends like no file that can be imported: \(endings)."
            )
        }
        let choice = envelope?.fields["on_duplicate"] ?? "error"
        let verbs = ListParameters.duplicateVerbs
        guard let verb = verbs.first(where: { $0.name == choice })?.verb else {
            let names = verbs.map(\.name).joined(separator: ", ")
            let detail = "on_duplicate is one of \(names), not '\(choice)'."
            throw Problem(.malformedContent, detail)
        }
        return .init(spool: spool, format: format, verb: verb)
    }

    /// Begins the import of a file that was checked.
    private func beginChecked(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let format = try progressFormat(request, suffix: nil)
        var order = try importOrder(request, captures, isChecked: true, in: &context)
        let list = order.endpoint.definition
        let preview = service.options.imports.find(captures[1], of: list.name)
        guard let preview, let checked = preview.checked else {
            let detail = "No checked file '\(captures[1])' for \(list.name), or not any more."
            throw context.missing(detail, in: list)
        }
        guard let hold = service.options.imports.take(list.name) else {
            throw conflict(list, context.addresses)
        }
        preview.checked = nil
        let spool = ImportSpool(hold, sharing: checked.spool)
        let file = ListImport.CheckedFile(spool: spool, format: checked.format, verb: checked.verb)
        order.envelope = nil
        try begin(file, order, isPreview: false, as: format, in: &context, with: &response)
    }

    // MARK: - Requests

    private func importOrder(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        isChecked: Bool = false,
        in context: inout RequestContext
    ) throws -> ImportOrder {
        let endpoint = try importEndpoint(request, captures, in: &context)
        guard endpoint.writer is any StreamingWriter,
            let source = endpoint.definition.source as? any WritableSource
        else {
            // The address of an import shows progress too.
            let reading: [HTTPMethod] = captures.count > 1 ? [.get, .head] : []
            throw Problem.methodNotAllowed(.post, reading + [.options], by: endpoint)
        }
        guard !service.isDraining() else {
            throw Problem(.unavailable, "The server is about to stop; nothing was imported.")
        }
        let isAllowed = service.options.crossOrigin?.allows(request) ?? false
        guard !RequestOrigin.isForeign(request) || isAllowed else { throw Problem.foreignOrigin }
        let target = ListResource(endpoint, in: context)
        var parameters = ListParameters(request, at: target, accepted: .accepted(at: .importing))
        guard let verb = parameters.duplicateVerb() else {
            throw context.problem(of: parameters, request, target)
        }
        if service.options.writing.requiresCondition, verb == .replace || verb == .mergeOrInsert {
            let detail = "Rows are changed one by one here, each with its entity tag in If-Match."
            throw Problem(.preconditionRequired, detail)
        }
        let envelope = request.field(.contentType).flatMap(FileEnvelope.init(mediaType:))
        guard envelope == nil, !isChecked else {
            return ImportOrder(
                endpoint: endpoint,
                source: source,
                format: nil,
                envelope: envelope,
                verb: verb
            )
        }
        let format = try RequestContent.fileFormat(of: request)
        return ImportOrder(endpoint: endpoint, source: source, format: format, verb: verb)
    }

    /// Returns the list of an import, if the caller may access all of its rows.
    private func importEndpoint(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        in context: inout RequestContext
    ) throws -> ServedList {
        let endpoint = try context.requireEndpoint(captures[0], request)
        guard endpoint.view.scope.isEveryRow else {
            let detail = "Files are imported by those alone for whom all rows are."
            throw Problem(.forbidden, detail)
        }
        return endpoint
    }

    private func spool(
        for order: ImportOrder,
        _ addresses: Address
    ) throws -> ImportSpool {
        let list = order.endpoint.definition
        guard let hold = service.options.imports.take(list.name) else {
            throw conflict(list, addresses)
        }
        do throws(SystemError) {
            return try ImportSpool(
                hold,
                in: service.options.importFolder,
                envelope: order.envelope
            )
        } catch {
            throw unkept(error)
        }
    }

    /// Returns the problem of an import while another one runs.
    private func conflict(_ list: ListDefinition, _ addresses: Address) -> Problem {
        let running = service.options.imports.running(in: list.name)
        let way = running.map { running in
            Problem.Way(
                "import",
                label: "The import",
                address: addresses.imported(running.id, of: list.name)
            )
        }
        let detail = "Another import into \(list.name) goes on; nothing was imported."
        return Problem(.conflict, detail, ways: [way].compactMap { $0 })
    }

    /// Returns the problem of content that cannot be spooled.
    private func unkept(_ error: SystemError) -> Problem {
        Problem(
            .outOfRoom,
            "There is no room for the content; nothing was imported.",
            cause: "an import cannot be stored: \(error.reason)"
        )
    }

    // MARK: - Progress

    private func respondWithProgress(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = try importEndpoint(request, captures, in: &context)
        let list = endpoint.definition
        let name = FormatSuffix(captures[1])
        guard let progress = service.options.imports.find(name.name, of: list.name) else {
            let detail = "No import '\(name.name)' into \(list.name), or not any more."
            throw context.missing(detail, in: list)
        }
        let parameters = ListParameters(request)
        guard parameters.errors.isEmpty else {
            let target = ListResource(endpoint, .list, name.format, in: context)
            throw context.problem(of: parameters, request, target)
        }
        let chosen = try progressFormat(request, suffix: name.format)
        guard request.method == .delete else {
            return show(
                progress,
                of: list,
                as: chosen,
                suffix: name.format,
                in: &context,
                with: &response
            )
        }
        guard progress.isRunning else {
            service.options.imports.forget(progress)
            response.status = .noContent
            return
        }
        progress.interrupt()
        response.status = .accepted
        show(progress, of: list, as: chosen, suffix: name.format, in: &context, with: &response)
    }

    /// Chooses the format of the progress, before anything begins or ends.
    private func progressFormat(
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?
    ) throws -> PageFormat {
        let chosen = Representation(
            suffix: suffix,
            accept: request.field(.accept),
            among: [.json, .html]
        )
        guard let chosen else {
            throw Problem(.notAcceptable, "This is to be had as application/json and text/html.")
        }
        return chosen.format
    }

    private func show(
        _ progress: ListImport,
        of list: ListDefinition,
        as format: PageFormat,
        suffix: PageFormat?,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) {
        response.addField(.cacheControl, "no-store" as StaticString)
        if suffix == nil { response.addField(.vary, "Accept" as StaticString) }
        response.addField(.contentType, format.contentType)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if format == .html { DocumentFields.addPolicy(to: &response) }
        let document = progress.document(of: list, context.addresses)
        context.render(format, into: &response) { $0.render(document, to: &$1) }
    }
}

extension RequestContent {
    /// The media types of files that can be imported.
    static let fileTypes: [(mediaType: String, format: FileFormat)] = [
        ("text/csv", .csv), ("text/tab-separated-values", .tsv), (MediaTypes.json, .json),
        (MediaTypes.lines, .ndjson),
    ]

    /// Returns the format of a request's file, by its media type.
    static func fileFormat(
        of request: borrowing HTTPRequest
    ) throws(Problem) -> FileFormat {
        let types = fileTypes.map(\.mediaType)
        let type = try mediaType(of: request, types)
        guard let found = fileTypes.first(where: { $0.mediaType == type }) else {
            throw .unsupportedMediaType(type, allowed: types)
        }
        return found.format
    }
}
