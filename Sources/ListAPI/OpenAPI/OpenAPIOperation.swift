import Listings
import Rendering

/// One method of one address in the OpenAPI description.
struct OpenAPIOperation {
    typealias Content = [(mediaType: String, schema: JSONPart)]

    /// The unique name of the operation.
    let id: String
    let summary: String
    /// The tag that groups the operation.
    let tag: String
    private var description: String?
    /// The segments of the path that are named in braces, and their schemas.
    private var segments: Content = []
    /// The parameters of the query and the fields, each an object or a reference.
    private var parameters: [JSONPart] = []
    private var content: Content = []
    private var needsContent = true
    private var responses: [(String, JSONPart)] = []
    /// The statuses of the problems that the operation is known to respond with.
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

    /// Responds with a response that operations share.
    func responding(_ status: Int, as name: String) -> OpenAPIOperation {
        with { $0.responses.append(("\(status)", OpenAPIResponses.reference(name))) }
    }

    static func response(
        _ text: String,
        _ content: Content = [],
        fields: [String] = []
    ) -> JSONPart {
        var part: JSONPart = ["description": .text(text)]
        let headers = fields.map { name -> (String, JSONPart) in
            (name, ["$ref": "#/components/headers/\(name)"])
        }
        if !headers.isEmpty { part = part.with(["headers": JSONPart(headers)]) }
        return content.isEmpty ? part : part.with(["content": Self.part(of: content)])
    }

    func refusing(_ statuses: [Int]) -> OpenAPIOperation {
        with { $0.problems = Set($0.problems + statuses).sorted() }
    }

    var part: JSONPart {
        var members: [(String, JSONPart)] = [
            ("operationId", .text(id)), ("summary", .text(summary)), ("tags", [.text(tag)]),
        ]
        if let security { members.append(("security", security)) }
        if let description { members.append(("description", .text(description))) }
        let inPath = segments.map { name, schema -> JSONPart in
            ["name": .text(name), "in": "path", "required": true, "schema": schema]
        }
        let all = inPath + parameters
        if !all.isEmpty { members.append(("parameters", .array(all))) }
        if !content.isEmpty {
            let body: JSONPart = [
                "required": .boolean(needsContent), "content": Self.part(of: content),
            ]
            members.append(("requestBody", body))
        }
        let refusals = problems.map { status in
            ("\(status)", OpenAPIResponses.reference(OpenAPIResponses.name(status)))
        }
        let others = ("default", OpenAPIResponses.reference(OpenAPIResponses.name(nil)))
        members.append(("responses", JSONPart(responses + refusals + [others])))
        return JSONPart(members)
    }

    static func part(of content: Content) -> JSONPart {
        JSONPart(content.map { ($0.mediaType, ["schema": $0.schema]) })
    }
}

enum OpenAPIResponses {
    /// The name of the response to a client that has the state of one of its entity tags.
    static let current = "Current"

    static func reference(_ name: String) -> JSONPart {
        ["$ref": "#/components/responses/\(name)"]
    }

    /// Returns the name of the problems of a status; nil stands for any other problem.
    static func name(_ status: Int?) -> String {
        status.map { "Problem\($0)" } ?? "Problem"
    }

    /// The statuses that operations name; the other problems are those of the default response.
    private static let named: Set = [401, 403, 409, 410, 412, 422, 428, 429]

    /// Returns all problem responses, by their names.
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
        let state = OpenAPIOperation.response("The client has the state.", fields: ["ETag"])
        return JSONPart(
            own
                + [
                    (name(nil), response("A problem of another kind.\n\n" + others)),
                    (current, state),
                ]
        )
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
