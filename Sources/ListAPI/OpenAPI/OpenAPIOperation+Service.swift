import HTTP
import Rendering

extension OpenAPIOperation {
    private static let text: Content = [("text/plain", OpenAPISchemas.text)]

    private static func json(_ schema: JSONPart) -> Content { [("application/json", schema)] }

    private static func jsonOrHTML(_ name: String) -> Content {
        json(OpenAPISchemas.reference(name)) + [("text/html", OpenAPISchemas.text)]
    }

    static func service(
        _ entry: Route.Entry,
        _ parameters: [(name: String, summary: String)]
    ) -> OpenAPIOperation? {
        switch entry.route {
        case .directory where entry.method == .post: creation(parameters)
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
                .respondingCurrent()
        case .problem:
            OpenAPIOperation("problem", "What a kind of problem means")
                .at("kind", ["enum": JSONPart(texts: ProblemKind.all.map(\.name))])
                .responding(200, "The explanation.", jsonOrHTML("Problem"))
        case .description:
            OpenAPIOperation("description", "This description")
                .responding(200, "The description.", json(["type": "object"]), fields: ["ETag"])
        case .documentation: documentation(isIndex: entry.pattern == Address.documentation)
        case .draft, .list, .row, .rows, .importing, .imported, .view, .section, .refresh,
            .rowAction,
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

    private static func creation(
        _ parameters: [(name: String, summary: String)]
    ) -> OpenAPIOperation {
        let all = [
            ("name", "The name of the list; that of the file in a form."),
            ("format", "The ending of the file, where its type does not say it."),
        ]
        let definition = OpenAPISchemas.reference("ListDefinition")
        return OpenAPIOperation("createList", "Make a list of a file, or of columns")
            .described(
                "`application/json` without `name` is a definition; with it, a file of rows."
            )
            .taking(
                (all + parameters).map { name, summary in
                    [
                        "name": .text(name), "in": "query", "description": .text(summary),
                        "schema": OpenAPISchemas.text,
                    ]
                }
            )
            .reading(
                CreationHandler.mediaTypes.map { name, _ in
                    (
                        name,
                        name == RequestContent.MediaTypes.json ? ["anyOf": [definition, [:]]] : [:]
                    )
                }
            )
            .responding(
                201,
                "The list, and what was read.",
                json(OpenAPISchemas.reference("CreatedList")),
                fields: ["Location"]
            )
            .leadingToList()
            .refusing([409, 422])
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
            .respondingCurrent()
    }
}
