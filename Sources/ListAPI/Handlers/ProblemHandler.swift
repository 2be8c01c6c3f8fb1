import HTTP
import Rendering

enum ProblemHandler {
    static func respond(to call: inout Call) throws(Problem) {
        let segment = FormatSuffix(call.captures[0])
        guard let kind = ProblemKind.all.first(where: { $0.name == segment.name }) else {
            throw call.notFound
        }
        let chosen = Representation(
            suffix: segment.format,
            accept: call.request.field(.accept),
            among: [.json, .html]
        )
        var explanation = Problem(kind, Text(kind.explanation))
        explanation.type = call.addresses.problem(kind)
        let format = chosen?.format ?? .json
        call.response.addField(.contentType, format.contentType)
        if format == .html { ContentSecurityPolicy.add(to: &call.response) }
        call.render(format) { $0.render(explanation, to: &$1) }
        call.response.addField(.vary, "Accept" as StaticString)
        call.response.addField(.xContentTypeOptions, "nosniff" as StaticString)
    }
}
