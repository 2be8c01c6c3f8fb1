import Bytes
import Database
import HTTP
import Listings
import Rendering
import System
import TableFiles

enum ImportHandler {
    /// A request to import, checked before its content arrives.
    struct ImportOrder {
        let endpoint: ServedList
        /// The format by the media type, or nil for a form with a file.
        let format: FileFormat?
        let envelope: FileEnvelope?
        let verb: RowChange.Verb
    }

    static func isPreview(_ call: borrowing Call) -> Bool {
        call.route == .imported && call.request.method == .post
            && call.captures[1] == Address.preview
    }

    static func sink(in call: inout Call) -> ImportSpool? {
        // The handling of the request reports the problems.
        guard let order = try? importOrder(in: &call) else { return nil }
        return try? spool(for: order, in: call)
    }

    static func respond(to call: inout Call) throws {
        let isPreview = Self.isPreview(call)
        guard call.route == .importing || isPreview else {
            if call.request.method == .post {
                return try beginChecked(in: &call)
            }
            return try respondWithProgress(in: &call)
        }
        let chosen = try progressFormat(call.request, suffix: nil)
        let order = try importOrder(in: &call)
        let spool: ImportSpool
        if let sink = call.request.sink as? ImportSpool {
            spool = sink
        } else {
            // Another import has ended since this one was refused.
            guard !call.isWithoutContent else {
                throw conflict(order.endpoint.definition, in: call)
            }
            spool = try Self.spool(for: order, in: call)
            if !call.request.body.isEmpty { spool.take(call.request.body.span) }
        }
        if let failure = spool.failure { throw unkept(failure) }
        let file = try file(in: spool, order)
        try begin(file, order.endpoint, isPreview: isPreview, as: chosen, in: &call)
    }

    private static func begin(
        _ file: ListImport.CheckedFile,
        _ endpoint: ServedList,
        isPreview: Bool,
        as format: PageFormat,
        in call: inout Call
    ) throws {
        let list = endpoint.definition
        let progress = ListImport(into: list.name, totalBytes: file.spool.count)
        let work = ImportJob(
            source: endpoint.definition.source,
            format: file.format,
            verb: file.verb,
            spool: file.spool,
            progress: progress,
            isDraining: call.service.isDraining,
            changeSignal: call.service.options.changeSignal,
            isPreview: isPreview
        )
        do throws(SystemError) {
            try call.service.options.imports.begin(work)
        } catch {
            throw unkept(error)
        }
        call.response.addField(.location, call.addresses.imported(progress.id, of: list.name))
        // A page that is reloaded must not import again.
        call.response.status = format == .html ? .seeOther : .accepted
        show(progress, of: list, as: format, suffix: nil, in: &call)
    }

    private static func file(
        in spool: ImportSpool,
        _ order: ImportOrder
    ) throws(Problem) -> ListImport.CheckedFile {
        if let format = order.format {
            return .init(spool: spool, format: format, verb: order.verb)
        }
        let envelope = spool.envelope
        let name = try spool.fileName()
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
            let detail: Text = "on_duplicate is one of \(names), not '\(choice)'."
            throw Problem(.malformedContent, detail)
        }
        return .init(spool: spool, format: format, verb: verb)
    }

    private static func beginChecked(in call: inout Call) throws {
        let format = try progressFormat(call.request, suffix: nil)
        let endpoint = try importOrder(isChecked: true, in: &call).endpoint
        let list = endpoint.definition
        let preview = call.service.options.imports.find(call.captures[1], of: list.name)
        guard let preview, let checked = preview.checked else {
            let detail: Text =
                "No checked file '\(call.captures[1])' for \(list.name), or not any more."
            throw call.missing(detail, in: list)
        }
        guard let hold = call.service.options.imports.take(list.name) else {
            throw conflict(list, in: call)
        }
        preview.checked = nil
        let spool = ImportSpool(hold, sharing: checked.spool)
        let file = ListImport.CheckedFile(spool: spool, format: checked.format, verb: checked.verb)
        try begin(file, endpoint, isPreview: false, as: format, in: &call)
    }

    // MARK: - Requests

    private static func importOrder(
        isChecked: Bool = false,
        in call: inout Call
    ) throws -> ImportOrder {
        let endpoint = try importEndpoint(in: &call)
        guard endpoint.writer?.abilities.stream != nil else {
            // The address of an import shows progress too.
            let reading: [HTTPMethod] = call.captures.count > 1 ? [.get, .head] : []
            throw Problem.methodNotAllowed(.post, reading + [.options], by: endpoint)
        }
        guard !call.service.isDraining() else {
            throw Problem(.unavailable, "The server is about to stop; nothing was imported.")
        }
        let isAllowed = call.service.options.crossOrigin?.allows(call.request) ?? false
        guard !RequestOrigin.isForeign(call.request) || isAllowed else {
            throw Problem.foreignOrigin
        }
        let target = ListResource(endpoint, in: call)
        var parameters = ListParameters(
            call.request,
            at: target,
            accepted: .accepted(at: .importing)
        )
        guard let verb = parameters.duplicateVerb() else {
            throw call.problem(of: parameters, target)
        }
        if call.service.options.writing.requiresCondition,
            verb == .replace || verb == .mergeOrInsert
        {
            let detail: Text =
                "Rows are changed one by one here, each with its entity tag in If-Match."
            throw Problem(.preconditionRequired, detail)
        }
        let envelope = call.request.field(.contentType).flatMap(FileEnvelope.init(mediaType:))
        guard envelope == nil, !isChecked else {
            return ImportOrder(
                endpoint: endpoint,
                format: nil,
                envelope: envelope,
                verb: verb
            )
        }
        let format = try RequestContent.fileFormat(of: call.request)
        return ImportOrder(endpoint: endpoint, format: format, envelope: nil, verb: verb)
    }

    private static func importEndpoint(in call: inout Call) throws -> ServedList {
        let endpoint = try call.requireEndpoint(call.captures[0])
        guard endpoint.view.scope.isEveryRow else {
            let detail: Text = "Files are imported by those alone for whom all rows are."
            throw Problem(.forbidden, detail)
        }
        return endpoint
    }

    private static func spool(
        for order: ImportOrder,
        in call: borrowing Call
    ) throws -> ImportSpool {
        let list = order.endpoint.definition
        guard let hold = call.service.options.imports.take(list.name) else {
            throw conflict(list, in: call)
        }
        do throws(SystemError) {
            return try ImportSpool(
                hold,
                in: call.service.options.importFolder,
                envelope: order.envelope
            )
        } catch {
            throw unkept(error)
        }
    }

    private static func conflict(
        _ list: ListDefinition,
        in call: borrowing Call
    ) -> Problem {
        let addresses = call.addresses
        let running = call.service.options.imports.running(in: list.name)
        let link = running.map { running in
            Problem.Link(
                "import",
                label: "The import",
                address: addresses.imported(running.id, of: list.name)
            )
        }
        let detail: Text = "Another import into \(list.name) goes on; nothing was imported."
        return Problem(.conflict, detail, links: [link].compactMap { $0 })
    }

    static func unkept(_ error: SystemError) -> Problem {
        Problem(
            .outOfRoom,
            "There is no room for the content; nothing was imported.",
            cause: "an import cannot be stored: \(error.reason)"
        )
    }

    // MARK: - Progress

    private static func respondWithProgress(in call: inout Call) throws {
        let endpoint = try importEndpoint(in: &call)
        let list = endpoint.definition
        let name = FormatSuffix(call.captures[1])
        guard let progress = call.service.options.imports.find(name.name, of: list.name) else {
            let detail: Text = "No import '\(name.name)' into \(list.name), or not any more."
            throw call.missing(detail, in: list)
        }
        let parameters = ListParameters(call.request)
        guard parameters.errors.isEmpty else {
            let target = ListResource(endpoint, .list, name.format, in: call)
            throw call.problem(of: parameters, target)
        }
        let chosen = try progressFormat(call.request, suffix: name.format)
        guard call.request.method == .delete else {
            return show(progress, of: list, as: chosen, suffix: name.format, in: &call)
        }
        guard progress.isRunning else {
            call.service.options.imports.forget(progress)
            call.response.status = .noContent
            return
        }
        progress.interrupt()
        call.response.status = .accepted
        show(progress, of: list, as: chosen, suffix: name.format, in: &call)
    }

    private static func progressFormat(
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

    private static func show(
        _ progress: ListImport,
        of list: ListDefinition,
        as format: PageFormat,
        suffix: PageFormat?,
        in call: inout Call
    ) {
        call.response.addField(.cacheControl, "no-store" as StaticString)
        if suffix == nil { call.response.addField(.vary, "Accept" as StaticString) }
        call.response.addContent(format.contentType)
        if format == .html { ContentSecurityPolicy.add(to: &call.response) }
        let document = progress.document(of: list, call.addresses)
        call.render(format) { $0.render(document, to: &$1) }
    }
}

extension RequestContent {
    static let fileTypes: [(mediaType: String, format: FileFormat)] = [
        ("text/csv", .csv), ("text/tab-separated-values", .tsv), (MediaTypes.json, .json),
        (MediaTypes.lines, .ndjson),
    ]

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
