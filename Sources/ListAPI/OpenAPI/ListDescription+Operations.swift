import Database
import HTTP
import Listings
import Rendering

extension ListDescription {
    func operations(_ entry: Route.Entry) -> [(String, OpenAPIOperation)] {
        let abilities = endpoint.reader.abilities
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
            guard mayWrite, endpoint.writer?.abilities.stream != nil else { return [] }
            if entry.route == .imported, entry.method == .post {
                return [(path("preview"), preview), (pattern, beginning)]
            }
            return [(pattern, entry.route == .importing ? importing : imported(entry.method))]
        case .refresh:
            guard mayWrite || isReading, endpoint.reader.refreshState != nil else { return [] }
            return [(pattern, refresh(isReading: isReading))]
        case .rowAction where isReading:
            guard abilities.contains(.children) else { return [] }
            let rows = page(.children(""), "children", "The rows below a row")
            return [(path(ActionResource.children), rows)]
        case .rowAction:
            guard mayWrite else { return [] }
            return (abilities.contains(.moves) ? [(path(ActionResource.move), move)] : [])
                + (abilities.contains(.actions) ? [(pattern, action)] : [])
        case .bulkAction:
            return mayWrite && abilities.contains(.actions) ? [(pattern, bulkAction)] : []
        case .directory, .draft, .live, .ready, .version, .metrics, .lists, .asset, .problem,
            .description,
            .program, .documentation:
            return []
        }
    }

    private func operation(_ id: String, _ summary: String) -> OpenAPIOperation {
        OpenAPIOperation("\(key).\(id)", summary, tag: name)
    }

    private func ofRow(_ id: String, _ summary: String) -> OpenAPIOperation {
        let integer: JSONPart = ["type": "integer", "format": "int64"]
        return operation(id, summary)
            .at("row", schema.idType == .integer ? integer : OpenAPISchemas.segment)
    }

    // MARK: - Reading

    private func content(_ formats: [PageFormat], _ schema: JSONPart) -> OpenAPIOperation.Content {
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

    private func page(_ place: ListPlace, _ id: String, _ summary: String) -> OpenAPIOperation {
        let target = target(place)
        let operation =
            switch place {
            case .section: operation(id, summary).at("section")
            case .children: ofRow(id, summary)
            case .list, .sections, .row, .cell, .schema, .changes: operation(id, summary)
            }
        let isCounted = target.accepted.contains(.count)
        return
            operation
            .taking(
                parameters(of: target.accepted),
                fields: isCounted ? ["If-None-Match", "Prefer"] : ["If-None-Match"]
            )
            .responding(200, as: "\(key).\(target.accepted.contains(.shape) ? "Rows" : "Page")")
            .respondingCurrent()
            .refusing([410])
    }

    var responses: JSONPart {
        let text = "A page, or all rows as CSV, NDJSON and Excel where no limit is named."
        let rows = OpenAPIOperation.response(
            text,
            content(PageFormat.allCases, reference("Rows")),
            fields: ["ETag", "Link", "Content-Disposition", "X-Total-Count", "X-Total-Relation"]
        )
        let pages = content(target(.sections).formats, reference("Page"))
        let page = OpenAPIOperation.response("A page.", pages, fields: ["ETag", "Link"])
        return ["\(key).Rows": rows, "\(key).Page": page]
    }

    private var row: OpenAPIOperation {
        let target = target(.row(""))
        let row = content(target.formats, reference("RowPage"))
        return ofRow("row", "Read a row")
            .taking(parameters(of: target.accepted), fields: ["If-None-Match"])
            .responding(200, "The row.", row, fields: ["ETag"])
            .respondingCurrent()
    }

    private var cell: OpenAPIOperation {
        ofRow("cell", "The bytes of a cell, or its text")
            .at("column", reference("Column"))
            .taking(
                parameters(of: target(.cell("", column: "")).accepted),
                fields: ["If-None-Match"]
            )
            .responding(
                200,
                "Bytes as a file, every other value as its text.",
                [("application/octet-stream", [:]), ("text/plain", OpenAPISchemas.text)],
                fields: ["ETag"]
            )
            .respondingCurrent()
    }

    private var columnsAndParameters: OpenAPIOperation {
        let target = target(.schema)
        return operation("schema", "The columns and parameters of the list")
            .taking(parameters(of: target.accepted))
            .responding(200, "The columns and parameters.", shared("ListSchema", target.formats))
    }

    private var changes: OpenAPIOperation {
        let target = target(.changes)
        let events = ("text/event-stream", OpenAPISchemas.text)
        return operation("changes", "What changed on a page since it was read")
            .taking(parameters(of: target.accepted), fields: ["Prefer"])
            .responding(
                200,
                "Stages of changes, one after the other; none where nothing changed. As events, "
                    + "each change from now on.",
                shared("Changes", target.formats) + [events]
            )
            .refusing([410])
    }

    private func refresh(isReading: Bool) -> OpenAPIOperation {
        let operation =
            isReading
            ? operation("refreshState", "How far the rows of the other service are")
            : operation("refresh", "Fetch the rows again")
        return
            operation
            .taking(parameters(of: target(.list).accepted))
            .responding(isReading ? 200 : 202, "How far the rows are.", shared("Refresh"))
            .leadingToList()
    }

    // MARK: - Writing

    private func shared(
        _ name: String,
        _ formats: [PageFormat] = [.json]
    ) -> OpenAPIOperation.Content {
        content(formats, OpenAPISchemas.reference(name))
    }

    private func json(_ schema: JSONPart) -> OpenAPIOperation.Content {
        [(RequestContent.MediaTypes.json, schema)]
    }

    private func writing(_ method: HTTPMethod, _ route: Route) -> OpenAPIOperation {
        let ofRow = ["If-Match", "If-None-Match", "Prefer", "Idempotency-Key"]
        let refusals = [409, 412, 422]
        guard route != .rows else { return writingRows.refusing(refusals) }
        guard route == .row else {
            return created(operation("create", "Create a row").described(Self.needsAValue))
                .reading(json(reference("NewRow")))
                .leadingToList()
                .taking(parameters(of: target(.list).accepted), fields: ofRow)
                .refusing(refusals)
        }
        let operation =
            switch method {
            case .put:
                changed(
                    created(
                        self.ofRow("replace", "Create or replace a row").described(Self.needsAValue)
                    )
                )
                .reading(json(reference("WholeRow")))
            case .patch:
                changed(self.ofRow("change", "Change a row"))
                    .described(
                        "A JSON merge patch (RFC 7396): null takes a value away; no content "
                            + "changes nothing."
                    )
                    .reading(
                        [(RequestContent.MediaTypes.mergePatch, reference("Change"))]
                            + json(reference("Change")),
                        isRequired: false
                    )
            default: self.ofRow("remove", "Remove a row").responding(204, "Removed.")
            }
        return
            operation
            .taking(parameters(of: .accepted(at: .writtenRow)), fields: ofRow)
            .refusing(refusals + (writing.requiresCondition ? [428] : []))
    }

    private var writingRows: OpenAPIOperation {
        let rows = OpenAPISchemas.array(of: reference("NewRow"))
            .with(["maxItems": .integer(RowChoice.maximumRows)])
        return operation("writeRows", "Write many rows")
            .described("Read as application/x-ndjson as well, a row a line.")
            .taking(
                parameters(of: .accepted(at: .writtenRows)),
                fields: ["Prefer", "Idempotency-Key"]
            )
            .reading(json(rows) + [(RequestContent.MediaTypes.lines, OpenAPISchemas.text)])
            .responding(200, "What became of each row.", shared("BulkResult"))
            .responding(204, "Written, and nothing more to say.")
    }

    private static let needsAValue =
        "`{}` is a row without values; a request without content, and an empty form, are refused."

    private func created(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        let row = json(reference("RowPage"))
        let fields = ["ETag", "Location"]
        return operation.responding(201, "Created: the row as it is.", row, fields: fields)
    }

    private func changed(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        operation
            .responding(200, "The row as it is.", json(reference("RowPage")), fields: ["ETag"])
            .responding(204, "Written, with `Prefer: return=minimal`.")
    }

    // MARK: - Actions

    private var action: OpenAPIOperation {
        acting(
            ofRow("act", "Do something with a row")
                .described("The actions that a row offers stand in its `actions`.")
                .at("action")
        )
    }

    private var bulkAction: OpenAPIOperation {
        acting(
            operation("actOnMany", "Do something with many rows")
                .described("With the named rows, or with all rows that the parameters select.")
                .at("action")
                .reading(shared("RowChoice"))
        )
    }

    private var move: OpenAPIOperation {
        acting(ofRow("move", "Move a row").reading(shared("Move")))
    }

    private func acting(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        operation
            .taking(parameters(of: target(.list).accepted), fields: ["Prefer"])
            .responding(200, "What came of it.", shared("ActionResult"))
            .responding(204, "Done, with `Prefer: return=minimal`.")
            .leadingToList()
            .refusing([409])
    }

    // MARK: - Imports

    private var progress: OpenAPIOperation.Content {
        shared("Import", [.json, .html])
    }

    private var importing: OpenAPIOperation {
        importing(
            operation("import", "Import a file of rows").described(
                "It runs in the background and writes all rows or none; Location has its progress."
            )
        )
    }

    private var preview: OpenAPIOperation {
        importing(
            operation("previewImport", "Check a file, and write nothing").described(
                "A request to the address in Location imports the checked file."
            )
        )
    }

    private func importing(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        begun(operation)
            .taking(parameters(of: .accepted(at: .importing)))
            // The schemas of files are open, because the progress reports the errors of their rows.
            .reading(RequestContent.fileTypes.map { ($0.mediaType, [:]) })
            .refusing(writing.requiresCondition ? [428] : [])
    }

    private var beginning: OpenAPIOperation {
        begun(operation("beginImport", "Import a file that was checked").at("import"))
    }

    private func begun(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        operation
            .responding(202, "Begun: how far it is.", progress, fields: ["Location"])
            .refusing([409])
    }

    private func imported(_ method: HTTPMethod) -> OpenAPIOperation {
        let operation =
            method == .delete
            ? operation("interruptImport", "Interrupt an import, or forget one that has ended")
                .responding(202, "How far it is.", progress)
                .responding(204, "Forgotten.")
            : operation("importState", "How far an import is")
                .responding(200, "How far it is.", progress)
        return operation.at("import")
    }
}
