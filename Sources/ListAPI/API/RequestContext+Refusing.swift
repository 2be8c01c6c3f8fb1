import Bytes
import HTTP
import Rendering

/// Responses that are problems (RFC 9457).
extension RequestContext {
    /// Responds with the problem of an error.
    mutating func refuse(
        _ error: any Error,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(for: error), request, suffix: nil, with: &response)
    }

    /// Responds with a problem of a kind, in the format that the client prefers.
    mutating func refuse(
        _ kind: ProblemKind,
        _ detail: String,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(kind, detail), request, suffix: nil, with: &response)
    }

    /// Responds with a problem, in the requested format.
    func refuse(
        _ problem: Problem,
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?,
        with response: inout HTTPResponse
    ) {
        response.status = HTTPStatus(code: problem.status)
        response.body.removeAll()
        response.stream = nil
        // Fields of the content that was begun do not describe the problem.
        for name in [FieldName.contentType, .cacheControl, .xContentTypeOptions, .etag] {
            response.removeField(name)
        }
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if problem.status == 503 { response.addField(.retryAfter, "5" as StaticString) }
        let last = request.path.segments.last.map(FormatSuffix.init)
        let chosen = Representation(
            suffix: suffix ?? last?.format,
            accept: request.field(.accept),
            among: [.json, .html, .csv, .ndjson]
        )
        let isNegotiated = suffix == nil && last?.format == nil
        if isNegotiated, response.field(.vary) == nil {
            response.addField(.vary, "Accept" as StaticString)
        }
        switch chosen?.format ?? .json {
        case .html:
            response.addField(.contentType, PageFormat.html.contentType)
            DocumentFields.addPolicy(to: &response)
            render(.html, into: &response) { $0.render(problem, to: &$1) }
        case .csv:
            response.addField(.contentType, "text/plain; charset=utf-8" as StaticString)
            PlainTextProblemRenderer().render(problem, to: &response.body)
        case .json, .ndjson:
            response.addField(.contentType, "application/problem+json" as StaticString)
            render(.json, into: &response) { $0.render(problem, to: &$1) }
        }
    }

    /// Responds to a request that the server refused before its format was negotiated.
    mutating func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        response.addField(.contentType, "application/problem+json" as StaticString)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if refusal.status == .serviceUnavailable {
            response.addField(.retryAfter, "5" as StaticString)
        }
        let problem = problem(Self.kind(of: refusal.status), refusal.detail)
        render(.json, into: &response) { $0.render(problem, to: &$1) }
    }

    private static func kind(of status: HTTPStatus) -> ProblemKind {
        switch status {
        case .badRequest: .malformedRequest
        case .requestTimeout: .requestTimeout
        case .contentTooLarge: .contentTooLarge
        case .uriTooLong: .addressTooLong
        case .expectationFailed: .unknownExpectation
        case .requestHeaderFieldsTooLarge: .fieldsTooLarge
        case .notImplemented: .notImplemented
        case .serviceUnavailable: .unavailable
        case .httpVersionNotSupported: .versionNotSupported
        default: .internalError
        }
    }
}
