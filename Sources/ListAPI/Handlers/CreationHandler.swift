import HTTP
import JSON
import Listings
import Rendering
import System
import TableFiles

/// Makes lists of files, forms and definitions.
enum CreationHandler {
    private enum Upload {
        /// The ending is that of the media type; the envelope that of a form with a file.
        case file(ending: String, FileEnvelope?)
        /// A form or a definition.
        case columns
    }

    private struct Query {
        var name: String?
        var format: String?
        var options: [(name: String, value: String)] = []
    }

    static let mediaTypes: [(name: String, ending: String)] =
        RequestContent.fileTypes.map { ($0.mediaType, ".\($0.format.rawValue)") } + [
            ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"),
            ("application/vnd.oasis.opendocument.spreadsheet", ".ods"),
            ("application/zip", ".zip"), ("application/gzip", ""), ("application/octet-stream", ""),
        ]
    private static let maximumUploads = 4
    private static let shownRows = 5
    private static let types = ImportOptions.allowedTypes.map(\.rawValue)

    /// Nil if the content is not read; the handling of the request reports the problem.
    static func admission(of call: inout Call) -> HTTPBodyDecision? {
        guard (try? creation(in: call)) != nil, let query = try? query(of: call),
            let upload = try? upload(query, in: call)
        else { return nil }
        guard case .file(_, let envelope) = upload else { return .read }
        return (try? spool(envelope, in: call)).map { .hand(to: $0) }
    }

    static func respond(to call: inout Call) throws {
        let creation = try creation(in: call)
        let format = try call.choose(among: [.json, .html], suffix: nil).format
        let isAllowed = call.service.options.crossOrigin?.allows(call.request) ?? false
        guard !RequestOrigin.isForeign(call.request) || isAllowed else {
            throw Problem.foreignOrigin
        }
        let query = try query(of: call)
        switch try upload(query, in: call) {
        case .file(let ending, let envelope):
            let spool = try content(envelope, in: call)
            var name = query.name
            var file = (name ?? "") + (query.format.map { ".\($0)" } ?? ending)
            if envelope != nil {
                file = try spool.fileName()
                if let format = query.format { file += ".\(format)" }
                // A person chooses the name on the page of the checked file.
                if format == .html, name == nil {
                    return try check(spool, file, query, creation, in: &call)
                }
                name = name ?? FileFormat.name(ofFileAt: file)
            }
            guard let name else { throw missingName }
            let content = ListContent(file: spool.file, name: file, options: query.options)
            let list = try create(name, from: content, creation, in: call)
            show(list, as: name, format, in: &call)
        case .columns:
            let form: Form
            switch try RequestContent(call.request) {
            case .form(let items): form = Form(items)
            case .json(let value): form = try definition(value)
            case .empty: throw missingName
            }
            let list = try define(form.name, form.columns, creation, in: call)
            show(list, as: form.name, format, in: &call)
        }
    }

    private static let missingName = Problem(
        .invalidParameter,
        "A file needs a name for its list; nothing was made.",
        faults: [.missingParameter("name")]
    )

    // MARK: - Rights and parameters

    private static func creation(in call: borrowing Call) throws(Problem) -> any ListCreation {
        guard let creation = call.service.options.creation, call.service.makesLists else {
            let detail: Text =
                call.service.options.writing.isAllowed
                ? "New lists need --database FILE, or exactly one folder as a source."
                : "Lists are made where writes are permitted, by --allow-anonymous-writes, or by "
                    + "--allow-writes for clients with a token."
            let reading: [HTTPMethod] = [.get, .head, .options]
            let fields = [("Allow", HTTPMethod.list(reading))]
            throw Problem(.methodNotAllowed, detail, fields: fields)
        }
        guard call.mayCreate else {
            throw Problem(.forbidden, "Only clients that may write every list make lists.")
        }
        guard !call.service.isDraining() else {
            throw Problem(.unavailable, "The server is about to stop; nothing was made.")
        }
        return creation
    }

    private static func query(of call: borrowing Call) throws(Problem) -> Query {
        func refuse(_ fault: Problem.Fault) -> Problem {
            let detail: Text = "A parameter was not understood; nothing was made."
            return Problem(.invalidParameter, detail, faults: [fault])
        }
        let known = call.service.options.creation?.parameters.map(\.name) ?? []
        let items: QueryItems
        do {
            items = try call.request.queryItems
        } catch {
            switch error {
            case .malformedPercentEncoding(let name), .invalidUTF8(let name):
                throw refuse(.malformedEncoding(name))
            }
        }
        var query = Query()
        var names: Set<String> = []
        for item in items {
            let all = ["name", "format"] + known
            guard all.contains(item.name) else {
                let near = Suggestion.nearest(to: item.name, among: all)
                throw refuse(.unknownParameter(item.name, suggestion: near, known: all))
            }
            guard names.insert(item.name).inserted else {
                throw refuse(.repeatedParameter(item.name))
            }
            guard let value = item.value, !value.isEmpty else {
                throw refuse(.missingValue(item.name))
            }
            switch item.name {
            case "name": query.name = value
            case "format": query.format = value
            default: query.options.append((item.name, value))
            }
        }
        let endings = FileFormat.allCases.filter { $0 != .database }.flatMap(\.fileExtensions)
        if let format = query.format, !endings.contains(format) {
            let detail: Text = "The format is one of \(endings.joined(separator: ", "))."
            throw refuse(.init(.parameter("format"), code: "unknown-option", detail: detail))
        }
        return query
    }

    private static func upload(
        _ query: Query,
        in call: borrowing Call
    ) throws(Problem) -> Upload {
        let type = call.request.field(.contentType)
        if let envelope = type.flatMap(FileEnvelope.init(mediaType:)) {
            return .file(ending: "", envelope)
        }
        guard type != nil || query.format == nil else { return .file(ending: "", nil) }
        let names = mediaTypes.map(\.name) + [RequestContent.MediaTypes.form]
        let name = try RequestContent.mediaType(of: call.request, names)
        // Both have the name in their content.
        if RequestContent.MediaTypes.jsonOrForm.contains(name), query.name == nil {
            return .columns
        }
        guard let type = mediaTypes.first(where: { $0.name == name }) else {
            // curl names a form where it sends a file.
            throw .unsupportedMediaType(name, allowed: mediaTypes.map(\.name))
        }
        return .file(ending: type.ending, nil)
    }

    // MARK: - Content

    private static func spool(
        _ envelope: FileEnvelope?,
        in call: borrowing Call
    ) throws(Problem) -> ImportSpool {
        // No list has such a name.
        let names = (1...maximumUploads).map { "/\($0)" }
        let imports = call.service.options.imports
        guard let hold = names.lazy.compactMap({ imports.take($0) }).first else { throw busy }
        do throws(SystemError) {
            return try ImportSpool(
                hold,
                in: call.service.options.importFolder,
                envelope: envelope
            )
        } catch {
            throw ImportHandler.unkept(error)
        }
    }

    private static let busy = Problem(
        .unavailable,
        "\(maximumUploads) other files are being sent for lists; nothing was made."
    )

    private static func content(
        _ envelope: FileEnvelope?,
        in call: borrowing Call
    ) throws(Problem) -> ImportSpool {
        let spool: ImportSpool
        if let sink = call.request.sink as? ImportSpool {
            spool = sink
        } else {
            guard !call.isWithoutContent else { throw busy }
            spool = try Self.spool(envelope, in: call)
            if !call.request.body.isEmpty { spool.take(call.request.body.span) }
        }
        if let failure = spool.failure { throw ImportHandler.unkept(failure) }
        return spool
    }

    // MARK: - Lists without rows

    private typealias NamedColumn = (name: String, type: String)

    private struct Form {
        let name: String
        var key = ""
        let columns: [NamedColumn]

        init(name: String, columns: [NamedColumn]) {
            self.name = name
            self.columns = columns
        }

        init(_ items: [QueryItems.Item]) {
            func values(_ name: String) -> [String] {
                items.filter { $0.name == name }.map { $0.value ?? "" }
            }
            name = values("name").first ?? ""
            key = values("key").first ?? ""
            let types = values("type")
            columns = values("column").enumerated().compactMap { position, name in
                name.isEmpty ? nil : (name, position < types.count ? types[position] : "")
            }
        }
    }

    private static func definition(_ value: JSONValue) throws -> Form {
        let fields = try BodyFields(.json(value), allowed: ["name", "columns"])
        let name = try fields.text("name")
        guard case .object(let members, _) = value,
            case .array(let columns, _)? = members["columns"]
        else { throw Problem.Fault.malformed(.pointer("/columns"), "an array of columns") }
        return Form(
            name: name,
            columns: try columns.enumerated().map { position, column in
                let place = "/columns/\(position)"
                guard case .object(let members, _) = column,
                    case .text(let name)? = members["name"], !name.isEmpty,
                    members.keys.allSatisfy({ $0 == "name" || $0 == "type" })
                else {
                    throw Problem.Fault.malformed(.pointer(place), "an object with name and type")
                }
                guard let type = members["type"] else { return (name, "") }
                guard case .text(let type) = type, types.contains(type) else {
                    let wanted: Text = "one of \(types.joined(separator: ", "))"
                    throw Problem.Fault.malformed(.pointer("\(place)/type"), wanted)
                }
                return (name, type)
            }
        )
    }

    /// Makes a list of a file that has only a header.
    private static func define(
        _ name: String,
        _ columns: [NamedColumn],
        _ creation: any ListCreation,
        in call: borrowing Call
    ) throws -> ReadList {
        // Rows without such a column are numbered.
        let columns = columns.filter { $0.name != ListSchema.idName || $0.type != "integer" }
        let names = columns.map(\.name)
        let areUsable = columns.allSatisfy { name, type in
            name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                && (type.isEmpty || types.contains(type))
        }
        guard !name.isEmpty, !names.isEmpty, Set(names).count == names.count, areUsable else {
            let detail: Text =
                "A list needs a name, and columns with different names of one line and known types."
            throw Problem(.malformedContent, detail)
        }
        let spool = try spool(nil, in: call)
        let header = names.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        spool.take(Array((header.joined(separator: ",") + "\r\n").utf8).span)
        if let failure = spool.failure { throw ImportHandler.unkept(failure) }
        var content = ListContent(file: spool.file, name: "\(name).csv")
        content.options = [("header", "yes"), ("delimiter", "comma")]
        let found = try creation.preview(content, rows: 0).columns
        for (column, (_, type)) in zip(found, columns) where !type.isEmpty && type != "text" {
            content.types[column.id] = ColumnType(rawValue: type)
        }
        return try create(name, from: content, creation, in: call)
    }

    // MARK: - Making

    private static func create(
        _ name: String,
        from content: ListContent,
        _ creation: any ListCreation,
        in call: borrowing Call
    ) throws -> ReadList {
        guard let hold = call.service.options.imports.take(name) else {
            let detail: Text = "Another request makes or imports '\(name)'; nothing was made."
            throw Problem(.conflict, detail)
        }
        defer { hold.release() }
        return try creation.create(name, from: content)
    }

    private static func show(
        _ list: ReadList,
        as name: String,
        _ format: PageFormat,
        in call: inout Call
    ) {
        call.renew()
        let address = call.addresses.list(name)
        call.response.addField(.location, address)
        call.response.addField(.cacheControl, "no-store" as StaticString)
        guard format == .json else {
            call.response.status = .seeOther
            return
        }
        call.response.status = .created
        call.response.addContent(format.contentType)
        call.respond([
            "name": .text(name),
            "title": .text(call.service.lists[name]?.definition.title ?? name),
            "rows": .integer(list.rowCount),
            "columns": .array(
                list.columns.map {
                    [
                        "name": .text($0.id), "label": .text($0.label),
                        "type": .text($0.type.rawValue),
                    ]
                }
            ),
            "notes": JSONPart(texts: list.notes),
            "links": [
                "self": .text(address), "schema": .text(call.addresses.schema(of: name)),
            ],
        ])
    }

    // MARK: - Drafts

    private static func check(
        _ spool: ImportSpool,
        _ name: String,
        _ query: Query,
        _ creation: any ListCreation,
        in call: inout Call
    ) throws {
        let content = ListContent(file: spool.file, name: name, options: query.options)
        let draft = ListDraft(content, try creation.preview(content, rows: shownRows))
        call.service.options.imports.add(draft)
        call.response.status = .seeOther
        call.response.addField(.location, call.addresses.draft(draft.id))
        call.response.addField(.cacheControl, "no-store" as StaticString)
    }

    static func respondToDraft(in call: inout Call) throws {
        let creation = try creation(in: call)
        let draft = call.service.options.imports.draft(call.captures[0])
        guard let draft else {
            throw Problem(.notFound, "No checked file is at this address, or not any more.")
        }
        _ = try call.choose(among: [.html], suffix: nil)
        var document = CreationDocument(
            draft.list,
            named: FileFormat.name(ofFileAt: draft.content.name),
            at: call.addresses.draft(draft.id),
            choosesTypes: creation.keepsTypes
        )
        if call.request.method == .post {
            let content = try RequestContent(call.request, [RequestContent.MediaTypes.form])
            try call.refuseForeign(content)
            guard case .form(let items) = content else { throw missingName }
            let form = Form(items)
            (document.name, document.key) = (form.name, form.key)
            let types = items.filter { $0.name == "type" }.map { $0.value ?? "" }
            document.types = zip(document.types, types).map { ColumnType(rawValue: $1) ?? $0 }
            var file = draft.content
            file.key = form.key.isEmpty ? [] : [form.key]
            for (column, type) in zip(draft.list.columns, document.types) where column.type != type
            {
                file.types[column.id] = type
            }
            do {
                let list = try create(form.name, from: file, creation, in: call)
                call.service.options.imports.forget(draft)
                return show(list, as: form.name, .html, in: &call)
            } catch {
                let problem = Problem(error)
                call.response.status = HTTPStatus(code: problem.kind.status)
                document.problem = problem
            }
        }
        call.response.addField(.cacheControl, "no-store" as StaticString)
        call.response.addContent(PageFormat.html.contentType)
        ContentSecurityPolicy.add(to: &call.response)
        call.html.render(document, to: &call.response.body)
    }
}
