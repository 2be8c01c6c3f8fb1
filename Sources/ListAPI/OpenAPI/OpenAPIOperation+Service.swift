import Rendering

/// The operations of the service besides those of lists.
extension OpenAPIOperation {
    static var directory: OpenAPIOperation {
        var operation = OpenAPIOperation(id: "lists", summary: "All lists")
        operation.description = "With `q`, the first rows of each list that match are there, too."
        operation.parameters = [
            [
                "name": "q", "in": "query", "description": "Words to search all lists for.",
                "schema": OpenAPISchemas.text,
            ]
        ]
        operation.answers = [
            Answer(
                status: 200,
                text: "The lists with their counts.",
                content: [
                    ("application/json", OpenAPISchemas.reference("Directory")),
                    ("text/html", OpenAPISchemas.text),
                ],
                fields: ["Link"]
            )
        ]
        operation.problems = [400, 406]
        return operation
    }

    static var description: OpenAPIOperation {
        var operation = OpenAPIOperation(id: "description", summary: "This description")
        operation.answers = [
            Answer(
                status: 200,
                text: "The description.",
                content: [("application/json", ["type": "object"])],
                fields: ["ETag"]
            )
        ]
        operation.problems = [400]
        return operation
    }

    static func documentation(_ pattern: String) -> OpenAPIOperation {
        let isIndex = pattern == Address.documentation
        var operation = OpenAPIOperation(
            id: isIndex ? "documentation" : "documentationPage",
            summary: isIndex ? "The index of the documentation" : "A page of the documentation"
        )
        if !isIndex {
            let names = JSONPart(texts: DocumentationPage.all.map(\.name))
            operation.segments = [("page", ["enum": names])]
        }
        operation.parameters = [OpenAPIFields.reference("If-None-Match")]
        operation.answers = [
            Answer(
                status: 200,
                text: "The page.",
                content: [
                    ("text/markdown", OpenAPISchemas.text), ("text/html", OpenAPISchemas.text),
                ],
                fields: ["ETag"]
            ),
            Answer(status: 304, text: "The client has the page."),
        ]
        operation.problems = isIndex ? [400, 406] : [400, 404, 406]
        return operation
    }

    static func probe(_ route: Route, _ pattern: String) -> OpenAPIOperation {
        let name = String(pattern.dropFirst("/-/".count))
        let summary =
            switch route {
            case .live: "Whether the process runs"
            case .ready: "Whether requests are taken"
            case .metrics: "What was counted, in the text exposition format of Prometheus"
            default: "The version of the program"
            }
        let word: [(String, JSONPart)] = [("text/plain", OpenAPISchemas.text)]
        var operation = OpenAPIOperation(id: name, summary: summary)
        operation.answers = [Answer(status: 200, text: "A text.", content: word)]
        if route == .ready {
            operation.answers.append(Answer(status: 503, text: "Draining.", content: word))
        }
        return operation
    }

    static var setup: OpenAPIOperation {
        var operation = OpenAPIOperation(id: "setup", summary: "The lists as they are set up")
        let content: [(String, JSONPart)] = [("application/json", ["type": "object"])]
        operation.answers = [Answer(status: 200, text: "The lists.", content: content)]
        return operation
    }

    static var asset: OpenAPIOperation {
        var operation = OpenAPIOperation(id: "asset", summary: "A file that comes with the pages")
        operation.segments = [("name", OpenAPISchemas.segment)]
        operation.parameters = [OpenAPIFields.reference("If-None-Match")]
        operation.answers = [
            Answer(status: 200, text: "The file.", content: [("*/*", [:])], fields: ["ETag"]),
            Answer(status: 304, text: "The client has the file."),
        ]
        operation.problems = [404]
        return operation
    }

    static var problem: OpenAPIOperation {
        var operation = OpenAPIOperation(id: "problem", summary: "What a kind of problem means")
        let kinds = ProblemKind.all.map(\.name)
        operation.segments = [("kind", ["enum": JSONPart(texts: kinds)])]
        operation.answers = [
            Answer(
                status: 200,
                text: "The explanation.",
                content: [
                    ("application/json", OpenAPISchemas.reference("Problem")),
                    ("text/html", OpenAPISchemas.text),
                ]
            )
        ]
        operation.problems = [404]
        return operation
    }
}
