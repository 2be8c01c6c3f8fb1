import Bytes
import Database
import HTTP
import Listings
import Rendering
import System
import TableFiles

extension Service {
    /// A request to import, checked before its content arrives.
    struct ImportOrder {
        let endpoint: ServedList
        let source: any WritableSource
        let format: FileFormat
        let verb: RowChange.Verb
    }

    /// Returns a spool for the content of an import; nil where the request will be refused.
    func importSink(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures
    ) -> ImportSpool? {
        isLooking = true
        defer { isLooking = false }
        return (try? importOrder(request, captures)).flatMap { try? spool(for: $0) }
    }

    /// Begins an import, or responds with the progress of one.
    func answerImport(
        _ request: borrowing HTTPRequest,
        _ route: Route,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) throws {
        guard route == .importing else {
            return try answerProgress(request, captures, with: &response)
        }
        let order: ImportOrder
        let chosen = try progressFormat(request, suffix: nil)
        do {
            order = try importOrder(request, captures)
        } catch let refusal as UnreadContent {
            if let readable = refusal.error.readable {
                response.addField(readable.name, readable.value)
            }
            throw Refusal(
                problem: problem(refusal.error.kind, refusal.error.detail),
                suffix: nil
            )
        }
        let spool: ImportSpool
        if let sink = request.sink as? ImportSpool {
            spool = sink
        } else {
            // Another import has ended since this one was refused.
            guard !isWithoutContent else { throw conflict(order.endpoint.definition) }
            spool = try self.spool(for: order)
            if !request.body.isEmpty { spool.take(request.body.span) }
        }
        if let failure = spool.failure { throw unkept(failure) }
        let list = order.endpoint.definition
        let progress = ListImport(into: list.name, totalBytes: spool.count)
        let work = ImportJob(
            source: order.source,
            format: order.format,
            verb: order.verb,
            spool: spool,
            progress: progress,
            isDraining: isDraining,
            bell: options.bell
        )
        do throws(SystemError) {
            try options.imports.begin(work)
        } catch {
            throw unkept(error)
        }
        response.status = .accepted
        response.addField(.location, addresses.imported(progress.id, of: list.name))
        show(progress, of: list, as: chosen, suffix: nil, with: &response)
    }

    // MARK: - What is asked for

    private func importOrder(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures
    ) throws -> ImportOrder {
        let endpoint = try importEndpoint(request, captures)
        guard endpoint.writer is any StreamingWriter,
            let source = endpoint.definition.source as? any WritableSource
        else { throw Refusal(problem: nothingHere(in: endpoint.definition), suffix: nil) }
        guard !isDraining() else {
            let detail = "The server is about to stop; nothing was imported."
            throw Refusal(problem: problem(.unavailable, detail), suffix: nil)
        }
        let isAllowed = options.crossOrigin?.allows(request) ?? false
        guard !RequestOrigin.isForeign(request) || isAllowed else {
            let detail = "The request was sent by a page of another site."
            throw Refusal(problem: problem(.foreignOrigin, detail), suffix: nil)
        }
        var parameters = ListParameters(request, of: endpoint, accepted: .duplicates)
        guard let verb = parameters.duplicateVerb() else {
            throw refusal(parameters, request, target(endpoint, .list, nil))
        }
        if options.writing.requiresCondition, verb == .replace || verb == .mergeOrInsert {
            let detail = "Rows are changed one by one here, each with its entity tag in If-Match."
            throw Refusal(problem: problem(.preconditionRequired, detail), suffix: nil)
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
        _ captures: RouteCaptures
    ) throws -> ServedList {
        guard let endpoint = try endpoint(captures[0], request, suffix: nil) else {
            throw Refusal(problem: noList(captures[0]), suffix: nil)
        }
        guard endpoint.view.conditions.isEmpty else {
            let detail = "Files are imported by those alone for whom all rows are."
            throw Refusal(problem: problem(.forbidden, detail), suffix: nil)
        }
        return endpoint
    }

    /// An error about content of a type that cannot be imported.
    private struct UnreadContent: Error {
        let error: ContentError
    }

    private func spool(for order: ImportOrder) throws -> ImportSpool {
        let list = order.endpoint.definition
        guard let hold = options.imports.take(list.name) else { throw conflict(list) }
        do throws(SystemError) {
            return try ImportSpool(hold, in: options.importFolder)
        } catch {
            throw unkept(error)
        }
    }

    /// Returns the problem of an import while another one runs.
    private func conflict(_ list: ListDefinition) -> Refusal {
        let running = options.imports.running(in: list.name)
        let way = running.map { running in
            Problem.Way(
                "import",
                label: "The import",
                address: addresses.imported(running.id, of: list.name)
            )
        }
        let detail = "Another import into \(list.name) goes on; nothing was imported."
        return Refusal(
            problem: problem(.conflict, detail, ways: [way].compactMap { $0 }),
            suffix: nil
        )
    }

    /// Returns the problem of content that cannot be spooled.
    private func unkept(_ error: SystemError) -> Refusal {
        if !isSilent {
            Diagnostics.write("\(requestID()): an import cannot be kept: \(error.reason)", .error)
        }
        let detail = "There is no room for the content; nothing was imported."
        return Refusal(problem: problem(.outOfRoom, detail), suffix: nil)
    }

    // MARK: - Progress

    private func answerProgress(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = try importEndpoint(request, captures)
        let list = endpoint.definition
        let name = FormatSuffix(captures[1])
        guard let progress = options.imports.find(name.name, of: list.name) else {
            let way = Problem.Way("list", label: list.title, address: addresses.list(list.name))
            let detail = "No import '\(name.name)' into \(list.name), or not any more."
            throw Refusal(problem: problem(.notFound, detail, ways: [way]), suffix: name.format)
        }
        let parameters = ListParameters(request)
        guard parameters.errors.isEmpty else {
            throw refusal(parameters, request, target(endpoint, .list, name.format))
        }
        let chosen = try progressFormat(request, suffix: name.format)
        guard request.method == .delete else {
            return show(progress, of: list, as: chosen, suffix: name.format, with: &response)
        }
        guard progress.isRunning else {
            options.imports.forget(progress)
            response.status = .noContent
            return
        }
        progress.interrupt()
        response.status = .accepted
        show(progress, of: list, as: chosen, suffix: name.format, with: &response)
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
            let detail = "This is to be had as application/json and text/html."
            throw Refusal(problem: problem(.notAcceptable, detail), suffix: suffix)
        }
        return chosen.format
    }

    private func show(
        _ progress: ListImport,
        of list: ListDefinition,
        as format: PageFormat,
        suffix: PageFormat?,
        with response: inout HTTPResponse
    ) {
        response.addField(.cacheControl, "no-store" as StaticString)
        if suffix == nil { response.addField(.vary, "Accept" as StaticString) }
        response.addField(.contentType, format.contentType)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if format == .html { Self.addPageFields(to: &response) }
        let document = progress.document(of: list, addresses)
        draw(format, into: &response) { $0.render(document, to: &$1) }
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
