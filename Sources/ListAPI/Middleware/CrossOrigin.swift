import HTTP

/// The other origins whose pages may read responses (Fetch standard, CORS).
package enum CrossOrigin: Hashable, Sendable {
    case any
    case origins([String])

    /// Reads `*`, or origins such as `https://example.org` between commas; nil for anything else.
    package init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        let origins = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard origins.allSatisfy(Self.isOrigin) else { return nil }
        self = .origins(origins)
    }

    /// Whether a text is a scheme and a host with an optional port, in the spelling browsers send.
    private static func isOrigin(_ text: String) -> Bool {
        let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
        guard let scheme else { return false }
        let host = text.dropFirst(scheme.count)
        return ExternalAddress.isAuthority(String(host)) && host == host.lowercased()
    }

    func allows(_ request: borrowing HTTPRequest) -> Bool {
        switch self {
        case .any: true
        case .origins(let allowed): request.field(.origin).map(allowed.contains) ?? false
        }
    }

    func addFields(for request: borrowing HTTPRequest, to response: inout HTTPResponse) {
        switch self {
        case .any:
            response.addField("access-control-allow-origin", "*" as StaticString)
        case .origins(let allowed):
            // The response varies by origin, even for origins that are not allowed.
            response.addField(.vary, "Origin" as StaticString)
            guard let origin = request.field(.origin), allowed.contains(origin) else { return }
            response.addField("access-control-allow-origin", origin)
        }
        response.addField(
            "access-control-expose-headers",
            """
            ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count, X-Total-Relation
            """ as StaticString
        )
    }

    static func isPreflight(_ request: borrowing HTTPRequest) -> Bool {
        request.method == .options && request.hasField(.origin)
            && request.hasField("access-control-request-method")
    }

    static func addPreflightFields(to response: inout HTTPResponse) {
        if let allowed = response.field(.allow) {
            response.addField("access-control-allow-methods", allowed)
        }
        response.addField(
            "access-control-allow-headers",
            """
            Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, \
            Last-Event-ID, Prefer, X-Request-Id
            """ as StaticString
        )
        response.addField("access-control-max-age", "600" as StaticString)
    }
}
