import Bytes
import HTTP
import Listings
import Rendering

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
        call.response.addContent(PageFormat.json.contentType)
        let version = try endpoint.reader.version()
        let (name, failure) = (endpoint.reader.refreshState ?? state).description
        call.respond([
            "list": .text(endpoint.definition.name),
            "state": .text(name),
            "version": .text("\(version)"),
            "stale": .boolean(endpoint.reader.isStale),
            "error": failure.map { ["code": .text($0.code), "detail": .text($0.detail)] },
            "links": [
                "self": .text(prepared.links.address(of: .refresh)),
                "list": .text(prepared.links.address(of: .current)),
            ],
        ])
    }

    /// Returns the methods of a refresh address: nil for any other path, none for a local list.
    static func methods(in call: inout Call) throws -> [HTTPMethod]? {
        let segments = call.request.path.segments
        guard segments.count == 3, segments[1] == "-", segments[2] == "refresh" else { return nil }
        guard try call.endpoint(segments[0])?.reader.refreshState != nil else { return [] }
        return [.get, .head, .post, .options]
    }

    private static func checkSender(of request: borrowing HTTPRequest) throws(Problem) {
        guard !RequestOrigin.isForeign(request) else { throw .foreignOrigin }
        guard request.body.isEmpty else {
            throw Problem(.malformedContent, "This address takes no content; nothing was done.")
        }
    }
}

extension RefreshState {
    fileprivate var description: (name: String, failure: (code: String, detail: String)?) {
        switch self {
        case .idle: ("idle", nil)
        case .loading: ("loading", nil)
        case .loaded: ("loaded", nil)
        case .failed(let failure): ("failed", failure.text)
        }
    }
}
