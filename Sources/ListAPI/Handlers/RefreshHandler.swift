import Bytes
import HTTP
import Listings
import Rendering

/// Responds with the refresh state of remote lists, and refreshes them.
struct RefreshHandler {
    /// Responds with the refresh state of a remote list; POST requests a refresh.
    func respond(
        to request: borrowing HTTPRequest,
        ofList list: String,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = try context.requireEndpoint(list, request)
        guard let refreshes = endpoint.reader.refreshes else {
            throw context.nothingHere(in: endpoint.definition)
        }
        let target = ListResource(endpoint, in: context)
        let prepared = try context.prepare(request, at: target, among: [.json, .html])
        if request.method == .post {
            try checkSender(of: request)
            refreshes.refresh()
            response.status = .accepted
        }
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.vary, "Accept" as StaticString)
        if prepared.representation.format == .html {
            // People get the rows instead of the state.
            response.status = .seeOther
            response.addField(.location) { prepared.links.write(.current, to: &$0) }
            return
        }
        response.addField(.contentType, PageFormat.json.contentType)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        let document = RefreshDocument(
            list: endpoint.definition.name,
            state: refreshes.state,
            version: try endpoint.reader.version(),
            isStale: endpoint.reader.isStale,
            links: prepared.links
        )
        document.render(to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// Returns the methods of a refresh address: nil for any other path, none for a local list.
    func methods(
        at request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) throws -> [HTTPMethod]? {
        let segments = request.path.segments
        guard segments.count == 3, segments[1] == "-", segments[2] == "refresh" else { return nil }
        guard try context.endpoint(segments[0], request)?.reader.refreshes != nil
        else {
            return []
        }
        return [.get, .head, .post, .options]
    }

    /// Refuses requests from pages of other sites, and content, which the address does not accept.
    private func checkSender(of request: borrowing HTTPRequest) throws(Problem) {
        guard !RequestOrigin.isForeign(request) else { throw .foreignOrigin }
        guard request.body.isEmpty else {
            throw Problem(.malformedContent, "This address takes no content; nothing was done.")
        }
    }
}
