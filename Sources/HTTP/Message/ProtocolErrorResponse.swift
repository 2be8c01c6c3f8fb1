import Bytes

/// A response that the server makes itself, without the handler's `respond` method.
public struct ProtocolErrorResponse: Sendable, Equatable {
    /// The status of the response.
    public let status: HTTPStatus

    /// The error and the allowed values, in a sentence for people that repeats nothing of the
    /// request.
    public let detail: String

    init(_ problem: ProblemDetails) {
        status = problem.status
        detail = problem.detail
    }

    /// Fills an empty response with a problem document of type `about:blank` (RFC 9457 §4.2.1).
    public func write(into response: inout HTTPResponse) {
        response.status = status
        response.addField(.contentType, "application/problem+json")
        response.addField(.xContentTypeOptions, "nosniff")
        if status == .serviceUnavailable { response.addField(.retryAfter, "5") }
        response.body.append(#"{"type":"about:blank","title":""#)
        response.body.append(status.reason)
        response.body.append(#"","status":"#)
        response.body.append(decimal: status.code)
        response.body.append(#","detail":""#)
        // The texts of `ProblemDetails` hold no quote, backslash or control byte.
        response.body.append(detail)
        response.body.append("\"}\n")
    }
}
