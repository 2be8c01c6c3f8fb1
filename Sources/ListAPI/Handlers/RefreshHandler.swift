import Bytes
import HTTP
import Listings
import Rendering

/// Responds with the refresh state of remote lists, and refreshes them.
enum RefreshHandler {
    static func respond(to call: inout Call) throws {
        let endpoint = try call.requireEndpoint(call.captures[0])
        guard let state = endpoint.reader.refreshState else {
            throw call.nothingHere(in: endpoint.definition)
        }
        let target = ListResource(endpoint, in: call)
        let prepared = try call.prepare(at: target, among: [.json, .html])
        if call.request.method == .post {
            try checkSender(of: call.request)
            endpoint.reader.refresh()
            call.response.status = .accepted
        }
        call.response.addField(.cacheControl, "no-store" as StaticString)
        call.response.addField(.vary, "Accept" as StaticString)
        if prepared.representation.format == .html {
            // People get the rows instead of the state.
            call.response.status = .seeOther
            call.response.addField(.location) { prepared.links.write(.current, to: &$0) }
            return
        }
        call.response.addField(.contentType, PageFormat.json.contentType)
        call.response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        let document = RefreshDocument(
            list: endpoint.definition.name,
            state: endpoint.reader.refreshState ?? state,
            version: try endpoint.reader.version(),
            isStale: endpoint.reader.isStale,
            links: prepared.links
        )
        document.render(to: &call.response.body)
        call.response.body.append(UInt8(ascii: "\n"))
    }

    /// Returns the methods of a refresh address: nil for any other path, none for a local list.
    static func methods(in call: inout Call) throws -> [HTTPMethod]? {
        let segments = call.request.path.segments
        guard segments.count == 3, segments[1] == "-", segments[2] == "refresh" else { return nil }
        guard try call.endpoint(segments[0])?.reader.refreshState != nil else { return [] }
        return [.get, .head, .post, .options]
    }

    /// Refuses requests from pages of other sites, and content, which the address does not accept.
    private static func checkSender(of request: borrowing HTTPRequest) throws(Problem) {
        guard !RequestOrigin.isForeign(request) else { throw .foreignOrigin }
        guard request.body.isEmpty else {
            throw Problem(.malformedContent, "This address takes no content; nothing was done.")
        }
    }
}
