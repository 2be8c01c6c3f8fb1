import HTTP
import Rendering

enum DocumentFields {
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
        response.addField(.contentSecurityPolicy, ContentSecurityPolicy.text(images))
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
        let vary: StaticString =
            hasSuffix
            ? "Accept-Encoding, Accept-Language" : "Accept, Accept-Encoding, Accept-Language"
        response.addField(.vary, vary)
        if format == .html { ContentSecurityPolicy.add(to: &response) }
    }

    static let text = PreencodedFields { response in
        response.addUncached("text/plain; charset=utf-8")
    }
}

extension HTTPResponse {
    mutating func addContent(_ type: StaticString) {
        addField(.contentType, type)
        addField(.xContentTypeOptions, "nosniff" as StaticString)
    }

    /// Adds the fields of content that no cache may store.
    mutating func addUncached(_ type: StaticString) {
        addField(.contentType, type)
        addField(.cacheControl, "no-store" as StaticString)
        addField(.xContentTypeOptions, "nosniff" as StaticString)
    }

    mutating func redirect(
        _ status: HTTPStatus = .seeOther,
        to address: String,
        caching: StaticString? = nil
    ) {
        self.status = status
        addField(.location, address)
        if let caching { addField(.cacheControl, caching) }
    }

    /// Makes it a 304, without fields that describe content (RFC 9110 §15.4.5).
    mutating func setNotModified() {
        status = .notModified
        removeField(.contentType)
    }
}
