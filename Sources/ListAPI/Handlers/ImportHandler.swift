import Bytes
import Database
import HTTP
import Listings
import Rendering
import System
import TableFiles

/// Begins imports of files, and responds with their progress.
struct ImportHandler {
    let state: ServiceState

    /// A request to import, checked before its content arrives.
    struct ImportOrder {
        let endpoint: ServedList
        let source: any WritableSource
        let format: FileFormat
        let verb: RowChange.Verb
    }

    /// Returns a spool for the content of an import; nil where the request will be refused.
    func sink(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        in context: inout RequestContext
    ) -> ImportSpool? {
        context.isPreflightOnly = true
        defer {
            // The handling of the request reports the problems.
            context.isPreflightOnly = false
            context.problems.removeAll()
        }
        guard let order = try? importOrder(request, captures, in: &context) else { return nil }
        return try? spool(for: order, in: &context)
    }

    /// Begins an import, or responds with the progress of one.
    func respond(
        to request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        guard route == .importing else {
            return try respondWithProgress(request, captures, in: &context, with: &response)
        }
        let order: ImportOrder
        let chosen = try progressFormat(request, suffix: nil, in: &context)
        do {
            order = try importOrder(request, captures, in: &context)
        } catch let refusal as UnreadContent {
            if let readable = refusal.error.readable {
                response.addField(readable.name, readable.value)
            }
            throw Refusal(
                problem: context.problem(refusal.error.kind, refusal.error.detail),
                suffix: nil
            )
        }
        let spool: ImportSpool
        if let sink = request.sink as? ImportSpool {
            spool = sink
        } else {
            // Another import has ended since this one was refused.
            guard !context.isWithoutContent else {
                throw conflict(order.endpoint.definition, in: &context)
            }
            spool = try self.spool(for: order, in: &context)
            if !request.body.isEmpty { spool.take(request.body.span) }
        }
        if let failure = spool.failure { throw unkept(failure, in: &context) }
        let list = order.endpoint.definition
        let progress = ListImport(into: list.name, totalBytes: spool.count)
        let work = ImportJob(
            source: order.source,
            format: order.format,
            verb: order.verb,
            spool: spool,
            progress: progress,
            isDraining: state.isDraining,
            changeSignal: state.options.changeSignal
        )
        do throws(SystemError) {
            try state.options.imports.begin(work)
        } catch {
            throw unkept(error, in: &context)
        }
        response.status = .accepted
        response.addField(.location, context.addresses.imported(progress.id, of: list.name))
        show(progress, of: list, as: chosen, suffix: nil, in: &context, with: &response)
    }

    // MARK: - Requests

    private func importOrder(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        in context: inout RequestContext
    ) throws -> ImportOrder {
        let endpoint = try importEndpoint(request, captures, in: &context)
        guard endpoint.writer is any StreamingWriter,
            let source = endpoint.definition.source as? any WritableSource
        else { throw Refusal(problem: context.nothingHere(in: endpoint.definition), suffix: nil) }
        guard !state.isDraining() else {
            let detail = "The server is about to stop; nothing was imported."
            throw Refusal(problem: context.problem(.unavailable, detail), suffix: nil)
        }
        let isAllowed = state.options.crossOrigin?.allows(request) ?? false
        guard !RequestOrigin.isForeign(request) || isAllowed else { throw context.foreignOrigin() }
        var parameters = ListParameters(request, of: endpoint, accepted: .duplicates)
        guard let verb = parameters.duplicateVerb() else {
            throw context.refusal(parameters, request, ListResource(endpoint, in: context))
        }
        if state.options.writing.requiresCondition, verb == .replace || verb == .mergeOrInsert {
            let detail = "Rows are changed one by one here, each with its entity tag in If-Match."
            throw Refusal(problem: context.problem(.preconditionRequired, detail), suffix: nil)
        }
        let format: FileFormat
        do {
            format = try RequestContent.fileFormat(of: request)
        } catch {
            throw UnreadContent(error: error)
        }
        return ImportOrder(endpoint: endpoint, source: source, format: format, verb: verb)
    }

    /// Returns the list of an import, if the caller may access all of its rows.
    private func importEndpoint(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        in context: inout RequestContext
    ) throws -> ServedList {
        let endpoint = try context.requireEndpoint(captures[0], request)
        guard endpoint.view.conditions.isEmpty else {
            let detail = "Files are imported by those alone for whom all rows are."
            throw Refusal(problem: context.problem(.forbidden, detail), suffix: nil)
        }
        return endpoint
    }

    /// An error about content of a type that cannot be imported.
    private struct UnreadContent: Error {
        let error: ContentError
    }

    private func spool(
        for order: ImportOrder,
        in context: inout RequestContext
    ) throws -> ImportSpool {
        let list = order.endpoint.definition
        guard let hold = state.options.imports.take(list.name) else {
            throw conflict(list, in: &context)
        }
        do throws(SystemError) {
            return try ImportSpool(hold, in: state.options.importFolder)
        } catch {
            throw unkept(error, in: &context)
        }
    }

    /// Returns the problem of an import while another one runs.
    private func conflict(_ list: ListDefinition, in context: inout RequestContext) -> Refusal {
        let running = state.options.imports.running(in: list.name)
        let way = running.map { running in
            Problem.Way(
                "import",
                label: "The import",
                address: context.addresses.imported(running.id, of: list.name)
            )
        }
        let detail = "Another import into \(list.name) goes on; nothing was imported."
        return Refusal(
            problem: context.problem(.conflict, detail, ways: [way].compactMap { $0 }),
            suffix: nil
        )
    }

    /// Returns the problem of content that cannot be spooled.
    private func unkept(_ error: SystemError, in context: inout RequestContext) -> Refusal {
        context.log("an import cannot be stored: \(error.reason)")
        let detail = "There is no room for the content; nothing was imported."
        return Refusal(problem: context.problem(.outOfRoom, detail), suffix: nil)
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
        guard let progress = state.options.imports.find(name.name, of: list.name) else {
            let way = Problem.Way(
                "list",
                label: list.title,
                address: context.addresses.list(list.name)
            )
            let detail = "No import '\(name.name)' into \(list.name), or not any more."
            throw Refusal(
                problem: context.problem(.notFound, detail, ways: [way]),
                suffix: name.format
            )
        }
        let parameters = ListParameters(request)
        guard parameters.errors.isEmpty else {
            throw context.refusal(
                parameters,
                request,
                ListResource(endpoint, .list, name.format, in: context)
            )
        }
        let chosen = try progressFormat(request, suffix: name.format, in: &context)
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
            state.options.imports.forget(progress)
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
        suffix: PageFormat?,
        in context: inout RequestContext
    ) throws -> PageFormat {
        let chosen = Representation(
            suffix: suffix,
            accept: request.field(.accept),
            among: [.json, .html]
        )
        guard let chosen else {
            let detail = "This is to be had as application/json and text/html."
            throw Refusal(problem: context.problem(.notAcceptable, detail), suffix: suffix)
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
    ) throws(ContentError) -> FileFormat {
        let types = fileTypes.map(\.mediaType)
        let type = try mediaType(of: request, types)
        guard let found = fileTypes.first(where: { $0.mediaType == type }) else {
            throw .unsupportedMediaType(type, allowed: types)
        }
        return found.format
    }
}
