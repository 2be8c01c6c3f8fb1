import Bytes
import Database
import HTTP
import Listings
import Rendering
import Routing
import Sockets

extension Service {
    /// A request to import, understood before its content is here.
    struct ImportOrder {
        let endpoint: ListEndpoint
        let source: any WritableSource
        let format: FileFormat
        let verb: RowChange.Verb
    }

    /// Makes room for the content of an import; nil where the request is refused whatever it holds.
    func importSink(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures
    ) -> ImportSpool? {
        isLooking = true
        defer { isLooking = false }
        return (try? importOrder(request, captures)).flatMap { try? spool(for: $0) }
    }

    /// Begins an import, or says how far one is.
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
        let work = ImportWork(
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

    /// The list that is imported into, for who may have all of its rows.
    private func importEndpoint(
        _ request: borrowing HTTPRequest,
        _ captures: RouteCaptures
    ) throws -> ListEndpoint {
        guard let endpoint = try endpoint(captures[0], request, suffix: nil) else {
            throw Refusal(problem: noList(captures[0]), suffix: nil)
        }
        guard endpoint.view.conditions.isEmpty else {
            let detail = "Files are imported by those alone for whom all rows are."
            throw Refusal(problem: problem(.forbidden, detail), suffix: nil)
        }
        return endpoint
    }

    /// Content that is of no type that is imported.
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

    /// The problem of an import that another one was before.
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

    /// The problem of content that there is no room for.
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
        let name = SuffixedName(captures[1])
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

    /// How the progress of an import is told: to be known before anything is begun or ended.
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
    /// The media types of files that are imported.
    static let fileTypes: [(mediaType: String, format: FileFormat)] = [
        ("text/csv", .csv), ("text/tab-separated-values", .tsv), (MediaTypes.json, .json),
        (MediaTypes.lines, .ndjson),
    ]

    /// The format of a file that a request brings, by its media type.
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
