import HTTP
import Rendering

/// Responds with explanations of the kinds of problems.
struct ProblemHandler {
    /// Responds with the explanation of a kind of problem.
    func respond(
        _ name: String,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws(Problem) {
        let segment = FormatSuffix(name)
        guard let kind = ProblemKind.all.first(where: { $0.name == segment.name }) else {
            throw context.notFound
        }
        let chosen = Representation(
            suffix: segment.format,
            accept: request.field(.accept),
            among: [.json, .html]
        )
        var explanation = Problem(kind, kind.explanation)
        explanation.type = context.addresses.problem(kind)
        let format = chosen?.format ?? .json
        response.addField(.contentType, format.contentType)
        if format == .html { DocumentFields.addPolicy(to: &response) }
        context.render(format, into: &response) { $0.render(explanation, to: &$1) }
        response.addField(.vary, "Accept" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
    }
}
