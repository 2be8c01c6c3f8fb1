import HTTP
import Rendering

enum DocumentFields {
    /// Adds the fields of the response to a request for rows, whose images may be of other hosts.
    static func add(
        for request: PreparedRequest,
        caching: StaticString? = nil,
        to response: inout HTTPResponse
    ) {
        let choice = request.representation
        add(for: choice, caching: caching, to: &response)
        let images = request.target.endpoint.imageHosts
        guard choice.format == .html, images != .empty else { return }
        response.removeField(.contentSecurityPolicy)
        response.addField(.contentSecurityPolicy, policy(images))
    }

    static func add(
        for choice: Representation,
        caching: StaticString? = nil,
        to response: inout HTTPResponse
    ) {
        if let caching {
            add(choice.format, choice.suffix != nil, caching: caching, to: &response)
        } else {
            let preencoded = choice.suffix == nil ? negotiatedFields : suffixedFields
            response.addFields(preencoded[choice.format.number])
        }
    }

    private static let negotiatedFields = PageFormat.allCases.map { format in
        PreencodedFields { add(format, false, caching: "no-cache", to: &$0) }
    }

    private static let suffixedFields = PageFormat.allCases.map { format in
        PreencodedFields { add(format, true, caching: "no-cache", to: &$0) }
    }

    private static func add(
        _ format: PageFormat,
        _ hasSuffix: Bool,
        caching: StaticString,
        to response: inout HTTPResponse
    ) {
        response.addField(.contentType, format.contentType)
        response.addField(.cacheControl, caching)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if hasSuffix {
            response.addField(.vary, "Accept-Encoding, Accept-Language" as StaticString)
        } else {
            response.addField(
                .vary,
                "Accept, Accept-Encoding, Accept-Language" as StaticString
            )
        }
        if format == .html { addPolicy(to: &response) }
    }

    /// Adds the fields that restrict what a page may load, and which pages may embed it.
    static func addPolicy(to response: inout HTTPResponse) {
        response.addField(.contentSecurityPolicy, ownPolicy)
        response.addField(.referrerPolicy, "same-origin" as StaticString)
    }

    private static let ownPolicy = policy(.empty)

    /// Returns the content security policy of pages with images of some hosts.
    private static func policy(_ images: ImageHosts) -> String {
        """
        default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
        img-src 'self'\(images.policy); form-action 'self'; base-uri 'none'; frame-ancestors 'none'
        """
    }

    /// The fields of a short text, such as the response to a probe.
    static let text = PreencodedFields { response in
        response.addField(.contentType, "text/plain; charset=utf-8" as StaticString)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
    }
}

extension HTTPResponse {
    /// Makes it a 304, without fields that describe content (RFC 9110 §15.4.5).
    mutating func setNotModified() {
        status = .notModified
        removeField(.contentType)
    }
}
