import Listings
import Rendering

/// One method of one address in the OpenAPI description.
struct OpenAPIOperation {
    /// The unique name of the operation.
    let id: String
    /// The effect of the operation, in a few words.
    let summary: String
    /// Further explanation of the operation.
    var description: String?
    /// The tag that groups the operation.
    var tag = "Service"
    /// The segments of the path that are named in braces, and their schemas.
    var segments: [(name: String, schema: JSONPart)] = []
    /// The parameters of the query and the fields, each an object or a reference.
    var parameters: [JSONPart] = []
    /// The content of the request.
    var content: [(mediaType: String, schema: JSONPart)] = []
    /// Whether a request without content is refused.
    var needsContent = true
    /// The responses of a successful request.
    var answers: [Answer] = []
    /// The statuses of the problems that the operation is known to respond with.
    var problems: [Int] = []

    /// The authentication that the operation requires; nil where the service has none.
    var security: JSONPart?

    /// A response to a successful request.
    struct Answer {
        let status: Int
        let text: String
        /// The content by its media type; empty for a response without content.
        var content: [(mediaType: String, schema: JSONPart)] = []
        /// The fields by their names: references to headers.
        var fields: [String] = []
    }

    var part: JSONPart {
        var members: [(String, JSONPart)] = [
            ("operationId", .text(id)), ("summary", .text(summary)), ("tags", [.text(tag)]),
        ]
        if let security { members.append(("security", security)) }
        if let description { members.append(("description", .text(description))) }
        let all = segments.map(Self.parameter) + parameters
        if !all.isEmpty { members.append(("parameters", .array(all))) }
        if !content.isEmpty {
            members.append(
                (
                    "requestBody",
                    ["required": .boolean(needsContent), "content": Self.part(of: content)]
                )
            )
        }
        let problems = self.problems.map { status in
            ("\(status)", OpenAPIResponses.reference(status))
        }
        let others = ("default", OpenAPIResponses.reference(nil))
        let answers = answers.map { ("\($0.status)", Self.part(of: $0)) }
        members.append(("responses", JSONPart(answers + problems + [others])))
        return JSONPart(members)
    }

    private static func parameter(_ segment: (name: String, schema: JSONPart)) -> JSONPart {
        ["name": .text(segment.name), "in": "path", "required": true, "schema": segment.schema]
    }

    private static func part(of answer: Answer) -> JSONPart {
        var part: JSONPart = ["description": .text(answer.text)]
        let fields = answer.fields.map { name -> (String, JSONPart) in
            (name, ["$ref": "#/components/headers/\(name)"])
        }
        if !fields.isEmpty { part = part.with(["headers": JSONPart(fields)]) }
        guard !answer.content.isEmpty else { return part }
        return part.with(["content": Self.part(of: answer.content)])
    }

    static func part(of content: [(mediaType: String, schema: JSONPart)]) -> JSONPart {
        JSONPart(content.map { ($0.mediaType, ["schema": $0.schema]) })
    }
}

/// The problem responses, by their statuses.
enum OpenAPIResponses {
    /// Returns a reference to the problems of a status; nil stands for any other problem.
    static func reference(_ status: Int?) -> JSONPart {
        ["$ref": "#/components/responses/\(name(status))"]
    }

    private static func name(_ status: Int?) -> String {
        status.map { "Problem\($0)" } ?? "Problem"
    }

    /// Returns all problem responses, by their names.
    static func all(_ addresses: Address) -> JSONPart {
        let statuses = Set(ProblemKind.all.map(\.status)).sorted()
        let known = statuses.map { status -> (String, JSONPart) in
            let kinds = ProblemKind.all.filter { $0.status == status }
            let text = kinds.map { "\($0.title) (`\(addresses.problem($0))`): \($0.explanation)" }
            return (name(status), response(text.joined(separator: "\n\n"), kinds, addresses))
        }
        let other = response("Any other problem.", ProblemKind.all, addresses)
        return JSONPart(known + [(name(nil), other)])
    }

    private static func response(
        _ text: String,
        _ kinds: [ProblemKind],
        _ addresses: Address
    ) -> JSONPart {
        let types: JSONPart = [
            "properties": ["type": ["enum": JSONPart(texts: kinds.map(addresses.problem))]]
        ]
        let problem: JSONPart = ["allOf": [OpenAPISchemas.reference("Problem"), types]]
        return [
            "description": .text(text),
            "headers": ["X-Request-Id": ["$ref": "#/components/headers/X-Request-Id"]],
            "content": OpenAPIOperation.part(of: [
                ("application/problem+json", problem), ("text/html", OpenAPISchemas.text),
                ("text/plain", OpenAPISchemas.text),
            ]),
        ]
    }
}
