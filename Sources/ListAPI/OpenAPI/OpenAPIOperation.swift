import Listings
import Rendering

struct OpenAPIOperation {
    typealias Content = [(mediaType: String, schema: JSONPart)]

    let id: String
    let summary: String
    let tag: String
    private var description: String?
    private var segments: Content = []
    private var parameters: [JSONPart] = []
    private var content: Content = []
    private var needsContent = true
    private var responses: [(String, JSONPart)] = []
    private(set) var problems: [Int] = []
    /// The authentication that the operation requires; nil where the service has none.
    var security: JSONPart?

    init(_ id: String, _ summary: String, tag: String = "Service") {
        (self.id, self.summary, self.tag) = (id, summary, tag)
    }

    private func with(_ change: (inout OpenAPIOperation) -> Void) -> OpenAPIOperation {
        var operation = self
        change(&operation)
        return operation
    }

    func described(_ text: String) -> OpenAPIOperation { with { $0.description = text } }

    func at(_ name: String, _ schema: JSONPart = OpenAPISchemas.segment) -> OpenAPIOperation {
        with { $0.segments.append((name, schema)) }
    }

    func taking(_ parameters: [JSONPart] = [], fields: [String] = []) -> OpenAPIOperation {
        with { $0.parameters += parameters + fields.map(OpenAPIFields.reference) }
    }

    func reading(_ content: Content, isRequired: Bool = true) -> OpenAPIOperation {
        with { ($0.content, $0.needsContent) = (content, isRequired) }
    }

    func responding(
        _ status: Int,
        _ text: String,
        _ content: Content = [],
        fields: [String] = []
    ) -> OpenAPIOperation {
        with { $0.responses.append(("\(status)", Self.response(text, content, fields: fields))) }
    }

    func responding(_ status: Int, as name: String) -> OpenAPIOperation {
        with { $0.responses.append(("\(status)", OpenAPIResponses.reference(name))) }
    }

    func respondingCurrent() -> OpenAPIOperation {
        responding(304, as: OpenAPIResponses.current)
    }

    func leadingToList() -> OpenAPIOperation {
        responding(303, "The list, for people.", fields: ["Location"])
    }

    static func response(
        _ text: String,
        _ content: Content = [],
        fields: [String] = []
    ) -> JSONPart {
        let headers = fields.map { name -> (String, JSONPart) in
            (name, ["$ref": "#/components/headers/\(name)"])
        }
        return [
            "description": .text(text),
            "headers": headers.isEmpty ? nil : JSONPart(headers),
            "content": content.isEmpty ? nil : part(of: content),
        ]
    }

    func refusing(_ statuses: [Int]) -> OpenAPIOperation {
        with { $0.problems = Set($0.problems + statuses).sorted() }
    }

    var part: JSONPart {
        let inPath = segments.map { name, schema -> JSONPart in
            ["name": .text(name), "in": "path", "required": true, "schema": schema]
        }
        let all = inPath + parameters
        let refusals = problems.map { status in
            ("\(status)", OpenAPIResponses.reference(OpenAPIResponses.name(status)))
        }
        let others = ("default", OpenAPIResponses.reference(OpenAPIResponses.name(nil)))
        return [
            "operationId": .text(id),
            "summary": .text(summary),
            "tags": [.text(tag)],
            "security": security,
            "description": description.map(JSONPart.text),
            "parameters": all.isEmpty ? nil : .array(all),
            "requestBody": content.isEmpty
                ? nil : ["required": .boolean(needsContent), "content": Self.part(of: content)],
            "responses": JSONPart(responses + refusals + [others]),
        ]
    }

    static func part(of content: Content) -> JSONPart {
        JSONPart(content.map { ($0.mediaType, ["schema": $0.schema]) })
    }
}

enum OpenAPIResponses {
    static let current = "Current"

    static func reference(_ name: String) -> JSONPart {
        ["$ref": "#/components/responses/\(name)"]
    }

    static func name(_ status: Int?) -> String {
        status.map { "Problem\($0)" } ?? "Problem"
    }

    /// The statuses that operations name; the other problems are those of the default response.
    private static let named: Set = [401, 403, 409, 410, 412, 422, 428, 429]

    static func all(_ addresses: Address) -> JSONPart {
        func text(_ isMember: (ProblemKind) -> Bool) -> String {
            ProblemKind.all.filter(isMember)
                .map { "\($0.status) \($0.title) (`\(addresses.problem($0))`): \($0.explanation)" }
                .joined(separator: "\n\n")
        }
        let own = named.sorted().map { status in
            (name(status), response(text { $0.status == status }))
        }
        let others = text { !named.contains($0.status) }
        return JSONPart(own).with([
            name(nil): response("A problem of another kind.\n\n" + others),
            current: OpenAPIOperation.response("The client has the state.", fields: ["ETag"]),
        ])
    }

    private static func response(_ text: String) -> JSONPart {
        OpenAPIOperation.response(
            text,
            [
                ("application/problem+json", OpenAPISchemas.reference("Problem")),
                ("text/html", OpenAPISchemas.text), ("text/plain", OpenAPISchemas.text),
            ],
            fields: ["X-Request-Id"]
        )
    }
}
