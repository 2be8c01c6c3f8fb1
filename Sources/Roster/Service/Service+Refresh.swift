import Bytes
import HTTP
import Listings
import Rendering

extension Service {
    /// Responds with the refresh state of a remote list; POST requests a refresh.
    func refresh(
        _ list: String,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        guard let endpoint = try endpoint(list, request, suffix: nil) else {
            throw Refusal(problem: noList(list), suffix: nil)
        }
        guard let reader = endpoint.refreshableReader else {
            throw Refusal(problem: nothingHere(in: endpoint.definition), suffix: nil)
        }
        let place = target(endpoint, .list, nil)
        let answer = try answer(request, at: place, among: [.json, .html])
        if request.method == .post {
            try checkSender(of: request)
            reader.refresh()
            response.status = .accepted
        }
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.vary, "Accept" as StaticString)
        if answer.representation.format == .html {
            // People get the rows instead of the state.
            response.status = .seeOther
            response.addField(.location) { answer.links.write(.current, to: &$0) }
            return
        }
        response.addField(.contentType, PageFormat.json.contentType)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        let document = RefreshDocument(
            list: endpoint.definition.name,
            state: reader.refreshState,
            version: try reader.version(),
            isStale: reader.isStale,
            links: answer.links.links
        )
        document.render(to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// Returns the methods of a refresh address: nil for any other path, none for a local list.
    func refreshMethods(at request: borrowing HTTPRequest) throws -> [HTTPMethod]? {
        let segments = request.path.segments
        guard segments.count == 3, segments[1] == "-", segments[2] == "refresh" else { return nil }
        guard try endpoint(segments[0], request, suffix: nil)?.refreshableReader != nil else {
            return []
        }
        return [.get, .head, .post, .options]
    }

    /// Refuses requests from pages of other sites, and content, which the address does not accept.
    private func checkSender(of request: borrowing HTTPRequest) throws(Refusal) {
        guard !RequestOrigin.isForeign(request) else {
            let detail = "The request was sent by a page of another site."
            throw Refusal(problem: problem(.foreignOrigin, detail), suffix: nil)
        }
        guard request.body.isEmpty else {
            let detail = "This address takes no content; nothing was done."
            throw Refusal(problem: problem(.malformedContent, detail), suffix: nil)
        }
    }
}
