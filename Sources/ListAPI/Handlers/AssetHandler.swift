import Bytes
import HTTP
import HTTPServer
import Listings
import Locks
import Rendering
import System

enum AssetHandler {
    static func respond(in call: inout Call) throws(Problem) {
        let path = (0..<call.captures.count).map { call.captures[$0] }
        guard let found = call.service.assets.find(path) else { throw call.notFound }
        let caching: StaticString =
            found.isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache"
        try send(found.entry.content, caching: caching, in: &call)
    }

    static func respondWithDescription(to call: inout Call) throws(Problem) {
        try call.refuseErrors()
        try send(description(in: call), caching: "no-cache", in: &call)
    }

    private static func description(in call: borrowing Call) -> StaticContent {
        let (addresses, caller) = (call.addresses, call.caller)
        let rights = DescribedRights(caller, below: addresses.base)
        if let known = call.service.descriptions.withLock({ $0[rights] }) { return known }
        let made = OpenAPIDocument(
            title: call.service.options.title,
            addresses: addresses,
            lists: call.shownNames.compactMap { name in
                guard let endpoint = call.lists[name] else { return nil }
                let mayWrite = caller.view(of: name).mayWrite
                var list = ListDescription(endpoint, call.service.options, mayWrite: mayWrite)
                list.embeddable = call.service.relations.embeddable(in: name, for: caller).map(
                    \.name
                )
                return list
            },
            routes: Route.table.filter {
                call.service.isOffered($0.route) && Self.mayUse($0.route, caller)
                    && ($0.route != .directory || $0.method == .get || call.mayCreate)
            },
            creation: call.service.options.creation?.parameters ?? [],
            security: OpenAPISecurity(call.service.options)
        ).content
        call.service.descriptions.withLock { descriptions in
            if descriptions.count == DescribedRights.maximumCount { descriptions = [:] }
            descriptions[rights] = made
        }
        return made
    }

    private static func mayUse(_ route: Route, _ caller: Caller?) -> Bool {
        guard route == .metrics || route == .lists, let caller else { return true }
        return caller.mayOperate
    }

    static func send(
        _ content: StaticContent,
        caching: StaticString,
        in call: inout Call
    ) throws(Problem) {
        guard let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970()) else { return }
        switch content.respond(
            call.request,
            cacheControl: caching,
            now: now,
            with: &call.response
        ) {
        case .answered: break
        case .preconditionFailed:
            throw Problem(.preconditionFailed, "The file has another tag.")
        case .rangeNotSatisfiable:
            throw Problem(.rangeNotSatisfiable, "The file has \(content.source.count) bytes.")
        case .notAcceptable:
            throw Problem(.notAcceptable, "The file comes plain or as gzip.")
        }
    }
}

extension StaticContent {
    init(rendered buffer: borrowing ByteBuffer, _ mediaType: MediaType) {
        let bytes = buffer.array()
        var hash = ContentHash()
        hash.add(bytes.span)
        self.init(
            .memory(bytes),
            mediaType: mediaType,
            hash: hash.text,
            gzip: AssetLibrary.compressed(bytes)
        )
    }
}
