import Database
import HTTP
import Listings
import Rendering

/// The operations of a list at the addresses of a route.
extension ListDescription {
    /// Returns the operations of a route, by their paths; none where the list offers none.
    func operations(_ entry: Route.Entry) -> [(String, OpenAPIOperation)] {
        let reader = mayWrite ? endpoint.reader.actions : nil
        let pattern = Address().list(name) + entry.pattern.dropFirst("/{list}".count)
        func path(_ name: String) -> String {
            pattern.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
        }
        let isReading = entry.method == .get
        switch entry.route {
        case .list where isReading: return [(pattern, page(.list, "read", "Read \(title)"))]
        case .section:
            return [(pattern, page(.section(SectionID("")), "section", "Read one section"))]
        case .row where isReading: return [(pattern, row)]
        case .cell: return [(pattern, cell)]
        case .view:
            return [
                (path("sections"), page(.sections, "sections", "The sections, without their rows")),
                (path("schema"), columnsAndParameters),
            ] + (endpoint.reader.canBeFollowed ? [(path("changes"), changes)] : [])
        case .list, .row, .rows:
            let operation = RowRules.Operation(entry.method, entry.route)
            guard rules?.operations.contains(operation) ?? false else { return [] }
            return [(pattern, writing(entry.method, entry.route))]
        case .importing, .imported:
            guard mayWrite, endpoint.writer is any StreamingWriter else { return [] }
            if entry.route == .imported, entry.method == .post {
                return [(path("preview"), preview), (pattern, beginning)]
            }
            return [(pattern, entry.route == .importing ? importing : imported(entry.method))]
        case .refresh:
            guard mayWrite || isReading, endpoint.reader.refreshes != nil else { return [] }
            return [(pattern, refresh(isReading: isReading))]
        case .rowAction where isReading:
            guard endpoint.reader.hasOutline else { return [] }
            let rows = page(.children(""), "children", "The rows below a row")
            return [(path(ActionResource.children), rows)]
        case .rowAction:
            let moves = reader?.offersMoves ?? false
            let acts = reader?.offersActions ?? false
            return (moves ? [(path(ActionResource.move), move)] : [])
                + (acts ? [(pattern, action)] : [])
        case .bulkAction: return reader?.offersActions ?? false ? [(pattern, bulkAction)] : []
        case .directory, .live, .ready, .version, .metrics, .lists, .asset, .problem, .description,
            .program, .documentation:
            return []
        }
    }

    func operation(_ id: String, _ summary: String) -> OpenAPIOperation {
        var operation = OpenAPIOperation(id: "\(key).\(id)", summary: summary)
        operation.tag = name
        return operation
    }

    private var rowSegment: (name: String, schema: JSONPart) {
        let integer: JSONPart = ["type": "integer", "format": "int64"]
        return ("row", schema.idType == .integer ? integer : OpenAPISchemas.segment)
    }

    // MARK: - Reading

    private func content(
        _ formats: [PageFormat],
        _ schema: JSONPart
    ) -> [(mediaType: String, schema: JSONPart)] {
        formats.map { format in
            let content: JSONPart =
                switch format {
                case .json: schema
                case .html, .csv, .ndjson: OpenAPISchemas.text
                // Bytes are described by their media type alone.
                case .xlsx: [:]
                }
            return (format.mediaType.description, content)
        }
    }

    private func page(
        _ place: URLBuilder.Place,
        _ id: String,
        _ summary: String
    ) -> OpenAPIOperation {
        let target = target(place)
        var operation = operation(id, summary)
        switch place {
        case .section: operation.segments = [("section", OpenAPISchemas.segment)]
        case .children: operation.segments = [rowSegment]
        case .list, .sections, .row, .cell, .schema, .changes: break
        }
        let fields =
            target.accepted.accepts(.count) ? ["If-None-Match", "Prefer"] : ["If-None-Match"]
        operation.parameters =
            parameters(of: target.accepted) + fields.map(OpenAPIFields.reference)
        operation.answers = [
            .init(
                status: 200,
                text: "A page, or all rows as CSV, NDJSON and Excel where no limit is named.",
                content: content(
                    target.formats,
                    target.accepted.contains(.shape)
                        ? OpenAPISchemas.anyShape(of: reference("Page")) : reference("Page")
                ),
                fields: target.formats.contains(.csv)
                    ? [
                        "Content-Disposition", "ETag", "Link", "X-Total-Count", "X-Total-Relation",
                    ] : ["ETag", "Link"]
            ),
            .init(status: 304, text: "The client has the page.", fields: ["ETag"]),
        ]
        operation.problems = [400, 404, 406, 410, 503]
        return operation
    }

    private var row: OpenAPIOperation {
        let target = target(.row(""))
        var operation = operation("row", "Read a row")
        operation.segments = [rowSegment]
        operation.parameters =
            parameters(of: target.accepted) + [OpenAPIFields.reference("If-None-Match")]
        operation.answers = [
            .init(
                status: 200,
                text: "The row.",
                content: content(target.formats, reference("RowPage")),
                fields: ["ETag"]
            ),
            .init(status: 304, text: "The client has the row.", fields: ["ETag"]),
        ]
        operation.problems = [400, 403, 404, 406, 503]
        return operation
    }

    private var cell: OpenAPIOperation {
        var operation = operation("cell", "The bytes of a cell, or its text")
        let names = JSONPart(texts: schema.columns.map(\.id))
        operation.segments = [rowSegment, ("column", ["enum": names])]
        operation.parameters =
            parameters(of: target(.cell("", column: "")).accepted)
            + [OpenAPIFields.reference("If-None-Match")]
        operation.answers = [
            .init(
                status: 200,
                text: "Bytes as a file, every other value as its text.",
                content: [
                    ("application/octet-stream", [:]), ("text/plain", OpenAPISchemas.text),
                ],
                fields: ["ETag"]
            ),
            .init(status: 304, text: "The client has the cell.", fields: ["ETag"]),
        ]
        operation.problems = [400, 403, 404, 503]
        return operation
    }

    private var columnsAndParameters: OpenAPIOperation {
        let target = target(.schema)
        var operation = operation("schema", "The columns and parameters of the list")
        operation.parameters = parameters(of: target.accepted)
        operation.answers = [
            .init(
                status: 200,
                text: "The columns and parameters.",
                content: content(target.formats, OpenAPISchemas.reference("ListSchema"))
            )
        ]
        operation.problems = [400, 406]
        return operation
    }

    private var changes: OpenAPIOperation {
        let target = target(.changes)
        var operation = operation("changes", "What changed on a page since it was read")
        operation.parameters =
            parameters(of: target.accepted)
            + [ListParameter.since, .include].compactMap(inlineDescription)
            + [OpenAPIFields.reference("Prefer")]
        operation.answers = [
            .init(
                status: 200,
                text: "Stages of changes, one after the other; none where nothing changed. "
                    + "As events, each change from now on.",
                content: content(target.formats, OpenAPISchemas.reference("Changes"))
                    + [(mediaType: "text/event-stream", schema: OpenAPISchemas.text)]
            )
        ]
        operation.problems = [400, 404, 406, 410, 503]
        return operation
    }

    private func refresh(isReading: Bool) -> OpenAPIOperation {
        let answer = [("application/json", OpenAPISchemas.reference("Refresh"))]
        var operation = operation(
            isReading ? "refreshState" : "refresh",
            isReading ? "How far the rows of the other service are" : "Fetch the rows again"
        )
        operation.parameters = parameters(of: target(.list).accepted)
        let status = isReading ? 200 : 202
        operation.answers = [
            .init(status: status, text: "How far the rows are.", content: answer),
            .init(status: 303, text: "The list, for people.", fields: ["Location"]),
        ]
        operation.problems = [400, 403]
        return operation
    }

    // MARK: - Writing

    private func writing(_ method: HTTPMethod, _ route: Route) -> OpenAPIOperation {
        let json = RequestContent.MediaTypes.json
        var operation: OpenAPIOperation
        var fields = ["If-Match", "If-None-Match", "Prefer", "Idempotency-Key"]
        switch (method, route) {
        case (_, .rows):
            operation = self.operation("writeRows", "Write many rows")
            operation.description = "Read as application/x-ndjson as well, a row a line."
            operation.parameters = [ListParameter.onDuplicate, .on].compactMap(inlineDescription)
            operation.content = [
                (json, Self.rows(of: reference("NewRow"))),
                (RequestContent.MediaTypes.lines, OpenAPISchemas.text),
            ]
            operation.answers = [
                .init(
                    status: 200,
                    text: "What became of each row.",
                    content: [(json, OpenAPISchemas.reference("BulkResult"))]
                ),
                .init(status: 204, text: "Written, and nothing more to say."),
            ]
            fields = ["Prefer", "Idempotency-Key"]
        case (.put, _):
            operation = self.operation("replace", "Create or replace a row")
            operation.description = Self.needsAValue
            operation.content = [(json, reference("WholeRow"))]
            operation.answers = written(201) + written(200)
        case (.patch, _):
            operation = self.operation("change", "Change a row")
            operation.description =
                "A JSON merge patch (RFC 7396): null takes a value away; no content changes nothing."
            operation.needsContent = false
            operation.content = [RequestContent.MediaTypes.mergePatch, json].map {
                ($0, reference("Change"))
            }
            operation.answers = written(200)
        case (.delete, _):
            operation = self.operation("remove", "Remove a row")
            operation.answers = [.init(status: 204, text: "Removed.")]
        default:
            operation = self.operation("create", "Create a row")
            operation.description = Self.needsAValue
            operation.content = [(json, reference("NewRow"))]
            operation.answers =
                written(201) + [
                    .init(status: 303, text: "The list, for people.", fields: ["Location"])
                ]
            operation.parameters = parameters(of: target(.list).accepted)
        }
        if route == .row {
            operation.segments = [rowSegment]
            operation.parameters = parameters(of: .columns)
            if writing.requiresCondition { operation.problems = [428] }
        }
        operation.parameters += fields.map(OpenAPIFields.reference)
        operation.problems += [400, 403, 404, 409, 412, 413, 415, 422, 503, 507]
        return operation
    }

    private static let needsAValue =
        "`{}` is a row without values; a request without content, and an empty form, are refused."

    private func written(_ status: Int) -> [OpenAPIOperation.Answer] {
        let row = [(RequestContent.MediaTypes.json, reference("RowPage"))]
        let fields = status == 201 ? ["ETag", "Location"] : ["ETag"]
        let text = status == 201 ? "Created: the row as it is." : "The row as it is."
        let answer = OpenAPIOperation.Answer(
            status: status,
            text: text,
            content: row,
            fields: fields
        )
        guard status == 200 else { return [answer] }
        return [answer, .init(status: 204, text: "Written, with `Prefer: return=minimal`.")]
    }

    private static func rows(of row: JSONPart) -> JSONPart {
        OpenAPISchemas.array(of: row).with(["maxItems": .integer(RowChoice.maximumRows)])
    }

    // MARK: - Actions

    private var action: OpenAPIOperation {
        var operation = operation("act", "Do something with a row")
        operation.description = "The actions that a row offers stand in its `actions`."
        operation.segments = [rowSegment, ("action", OpenAPISchemas.segment)]
        return acting(operation)
    }

    private var bulkAction: OpenAPIOperation {
        let ids: JSONPart = [
            "type": "array", "items": ["type": "string", "minLength": 1], "minItems": 1,
            "maxItems": .integer(RowChoice.maximumRows),
        ]
        func only(_ name: String, _ schema: JSONPart) -> JSONPart {
            OpenAPISchemas.object(JSONPart([(name, schema)])).with(["additionalProperties": false])
        }
        var operation = operation("actOnMany", "Do something with many rows")
        operation.description = "With the named rows, or with all rows that the parameters select."
        operation.segments = [("action", OpenAPISchemas.segment)]
        operation.content = [
            (
                RequestContent.MediaTypes.json,
                ["oneOf": [only("ids", ids), only("all", ["type": "boolean", "enum": [true]])]]
            )
        ]
        return acting(operation)
    }

    private var move: OpenAPIOperation {
        let id: JSONPart = ["type": "string", "minLength": 1]
        let place: JSONPart = [
            "type": "array", "items": OpenAPISchemas.number, "minItems": 2, "maxItems": 2,
        ]
        var operation = operation("move", "Move a row")
        operation.segments = [rowSegment]
        let step: JSONPart = ["enum": ["up", "down"]]
        let choices: [(String, JSONPart)] = [
            ("before", id), ("after", id), ("to", place), ("step", step),
        ]
        operation.content = [
            (
                RequestContent.MediaTypes.json,
                [
                    "oneOf": .array(
                        choices.map { name, schema in
                            OpenAPISchemas.object(JSONPart([(name, schema)]))
                                .with(["additionalProperties": false])
                        }
                    )
                ]
            )
        ]
        return acting(operation)
    }

    private func acting(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        var operation = operation
        operation.parameters =
            parameters(of: target(.list).accepted) + [OpenAPIFields.reference("Prefer")]
        operation.answers = [
            .init(
                status: 200,
                text: "What came of it.",
                content: [
                    (
                        RequestContent.MediaTypes.json,
                        OpenAPISchemas.reference("ActionResult")
                    )
                ]
            ),
            .init(status: 204, text: "Done, with `Prefer: return=minimal`."),
            .init(status: 303, text: "The list, for people.", fields: ["Location"]),
        ]
        operation.problems = [400, 403, 404, 409, 415, 503]
        return operation
    }
}

/// The operations of imports into a list.
extension ListDescription {
    private var progress: [(mediaType: String, schema: JSONPart)] {
        [
            (PageFormat.json.mediaType.description, OpenAPISchemas.reference("Import")),
            (PageFormat.html.mediaType.description, OpenAPISchemas.text),
        ]
    }

    /// The operation that begins an import.
    var importing: OpenAPIOperation { importing("import", "Import a file of rows") }

    private func importing(_ id: String, _ summary: String) -> OpenAPIOperation {
        var operation = operation(id, summary)
        operation.description =
            "It runs in the background and writes all rows or none; Location has its progress."
        operation.parameters = [ListParameter.onDuplicate].compactMap(inlineDescription)
        // The schemas of files are open, because the progress reports the errors of their rows.
        operation.content = RequestContent.fileTypes.map { ($0.mediaType, [:]) }
        operation.answers = [
            .init(
                status: 202,
                text: "Begun: how far it is.",
                content: progress,
                fields: ["Location"]
            )
        ]
        operation.problems = [400, 403, 404, 406, 409, 413, 415, 503, 507]
        if writing.requiresCondition { operation.problems.append(428) }
        return operation
    }

    /// The check of a file without writing.
    private var preview: OpenAPIOperation {
        var preview = importing("previewImport", "Check a file, and write nothing")
        preview.description = "A request to the address in Location imports the checked file."
        return preview
    }

    /// The import of a checked file.
    private var beginning: OpenAPIOperation {
        var operation = importing("beginImport", "Import a file that was checked")
        operation.segments = [("import", OpenAPISchemas.segment)]
        operation.parameters = []
        operation.content = []
        operation.problems = [400, 403, 404, 406, 409, 503]
        return operation
    }

    /// Returns the operation that reads the progress of an import, or ends it.
    func imported(_ method: HTTPMethod) -> OpenAPIOperation {
        let isEnd = method == .delete
        var operation = operation(
            isEnd ? "interruptImport" : "importState",
            isEnd ? "Interrupt an import, or forget one that has ended" : "How far an import is"
        )
        operation.segments = [("import", OpenAPISchemas.segment)]
        operation.answers = [
            .init(status: isEnd ? 202 : 200, text: "How far it is.", content: progress)
        ]
        if isEnd { operation.answers.append(.init(status: 204, text: "Forgotten.")) }
        operation.problems = [400, 404, 406]
        return operation
    }
}
