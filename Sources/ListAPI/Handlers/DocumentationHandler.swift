import Bytes
import HTTP
import HTTPServer
import Listings
import Locks
import Rendering
import System

enum DocumentationFormat: String, Hashable, Sendable, CaseIterable {
    case markdown = "md"
    case html

    var suffix: String { ".\(rawValue)" }

    var mediaType: MediaType {
        switch self {
        case .markdown: MediaType("text", "markdown", parameters: "charset=utf-8")
        case .html: .html
        }
    }
}

struct DocumentationKey: Hashable {
    let addresses: Address
    let page: String?
    let format: DocumentationFormat
    let language: PageLanguage
}

enum DocumentationHandler {
    static func respond(to call: inout Call) throws(Problem) {
        var name = call.request.path.segments.last ?? ""
        let suffix = DocumentationFormat.allCases.first { name.hasSuffix($0.suffix) }
        if let suffix { name.removeLast(suffix.suffix.utf8.count) }
        let page = call.request.path.count == 2 ? nil : name
        guard page == nil || DocumentationPage.all.contains(where: { $0.name == page }) else {
            throw call.notFound
        }
        try call.refuseErrors()
        let format = try format(suffix, at: page, call.request, call.addresses)
        let key = DocumentationKey(
            addresses: call.addresses,
            page: page,
            format: format,
            language: format == .html ? call.language : .english
        )
        try AssetHandler.send(content(key, in: call), caching: "no-cache", in: &call)
        if suffix == nil {
            call.response.addField(.vary, "Accept, Accept-Language" as StaticString)
        } else if format == .html {
            call.response.addField(.vary, "Accept-Language" as StaticString)
        }
        if format == .html { ContentSecurityPolicy.add(to: &call.response) }
    }

    private static func format(
        _ suffix: DocumentationFormat?,
        at page: String?,
        _ request: borrowing HTTPRequest,
        _ addresses: Address
    ) throws(Problem) -> DocumentationFormat {
        if let suffix { return suffix }
        let formats = DocumentationFormat.allCases
        let best = Negotiation.best(
            accept: request.field(.accept),
            among: formats.map(\.mediaType)
        )
        if let format = formats.first(where: { $0.mediaType == best }) { return format }
        let links = formats.map { format in
            Problem.Link(
                format.rawValue,
                label: Text(format.rawValue),
                address: addresses.documentation(page, format)
            )
        }
        let detail: Text = "This address offers text/markdown, text/html."
        throw Problem(.notAcceptable, detail, links: links)
    }

    private static func content(_ key: DocumentationKey, in call: borrowing Call) -> StaticContent {
        if let known = call.service.documentation.withLock({ $0.take(key) }) { return known }
        let addresses = key.addresses
        let page = DocumentationPage.all.first { $0.name == key.page }
        var buffer = ByteBuffer()
        switch key.format {
        case .markdown:
            let text =
                page?.text ?? DocumentationPage.index { addresses.documentation($0.name) }
            buffer.append(text)
        case .html:
            let links = DocumentationPage.all.map {
                ($0.fileName, addresses.documentation($0.name))
            }
            let document = DocumentationDocument(
                page: page,
                indexAddress: addresses.documentation(),
                pageAddresses: Dictionary(uniqueKeysWithValues: links),
                markdownAddress: addresses.documentation(page?.name, .markdown)
            )
            call.html.render(document, to: &buffer)
        }
        let content = StaticContent(rendered: buffer, key.format.mediaType)
        call.service.documentation.withLock { $0.insert(content, for: key) }
        return content
    }
}
