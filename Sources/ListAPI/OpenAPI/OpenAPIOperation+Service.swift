import Rendering

/// The operations of the service besides those of lists.
extension OpenAPIOperation {
    private static let text: Content = [("text/plain", OpenAPISchemas.text)]

    private static func json(_ schema: JSONPart) -> Content { [("application/json", schema)] }

    private static func jsonOrHTML(_ name: String) -> Content {
        json(OpenAPISchemas.reference(name)) + [("text/html", OpenAPISchemas.text)]
    }

    /// Returns the operation of a route; nil for one of lists or of the program.
    static func service(_ entry: Route.Entry) -> OpenAPIOperation? {
        switch entry.route {
        case .directory: directory
        case .live: probe("live", "Whether the process runs")
        case .ready: probe("ready", "Whether requests are taken").responding(503, "Draining.", text)
        case .metrics:
            probe("metrics", "What was counted, in the text exposition format of Prometheus")
        case .version: probe("version", "The version of the program")
        case .lists:
            OpenAPIOperation("setup", "The lists as they are set up")
                .responding(200, "The lists.", json(["type": "object"]))
        case .asset:
            OpenAPIOperation("asset", "A file that comes with the pages")
                .at("name")
                .taking(fields: ["If-None-Match"])
                .responding(200, "The file.", [("*/*", [:])], fields: ["ETag"])
                .responding(304, as: OpenAPIResponses.current)
        case .problem:
            OpenAPIOperation("problem", "What a kind of problem means")
                .at("kind", ["enum": JSONPart(texts: ProblemKind.all.map(\.name))])
                .responding(200, "The explanation.", jsonOrHTML("Problem"))
        case .description:
            OpenAPIOperation("description", "This description")
                .responding(200, "The description.", json(["type": "object"]), fields: ["ETag"])
        case .documentation: documentation(isIndex: entry.pattern == Address.documentation)
        case .list, .row, .rows, .importing, .imported, .view, .section, .refresh, .rowAction,
            .cell, .bulkAction, .program:
            nil
        }
    }

    private static var directory: OpenAPIOperation {
        let search: JSONPart = [
            "name": "q", "in": "query", "description": "Words to search all lists for.",
            "schema": OpenAPISchemas.text,
        ]
        return OpenAPIOperation("lists", "All lists")
            .described("With `q`, the first rows of each list that match are there, too.")
            .taking([search])
            .responding(
                200,
                "The lists with their counts.",
                jsonOrHTML("Directory"),
                fields: ["Link"]
            )
    }

    private static func probe(_ id: String, _ summary: String) -> OpenAPIOperation {
        OpenAPIOperation(id, summary).responding(200, "A text.", text)
    }

    private static func documentation(isIndex: Bool) -> OpenAPIOperation {
        let pages = JSONPart(texts: DocumentationPage.all.map(\.name))
        let operation =
            isIndex
            ? OpenAPIOperation("documentation", "The index of the documentation")
            : OpenAPIOperation("documentationPage", "A page of the documentation")
                .at("page", ["enum": pages])
        return
            operation
            .taking(fields: ["If-None-Match"])
            .responding(
                200,
                "The page.",
                [("text/markdown", OpenAPISchemas.text), ("text/html", OpenAPISchemas.text)],
                fields: ["ETag"]
            )
            .responding(304, as: OpenAPIResponses.current)
    }
}
