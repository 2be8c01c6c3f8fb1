import HTTP
import HTTPServer
import Listings
import Locks
import Rendering
import System

/// Responds with public files and the OpenAPI description.
enum AssetHandler {
    static func respond(in call: inout Call) throws(Problem) {
        let path = (0..<call.captures.count).map { call.captures[$0] }
        guard let found = call.service.assets.find(path),
            let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970())
        else { throw call.notFound }
        let caching: StaticString =
            found.isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache"
        try send(found.entry.content, caching: caching, now, call.request, with: &call.response)
    }

    static func respondWithDescription(to call: inout Call) throws(Problem) {
        try call.refuseErrors()
        guard let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970()) else { return }
        let content = description(in: call)
        try send(content, caching: "no-cache", now, call.request, with: &call.response)
    }

    /// The OpenAPI description of the lists and operations that the caller may use.
    private static func description(in call: borrowing Call) -> StaticContent {
        let (addresses, caller) = (call.addresses, call.caller)
        let rights = DescribedRights(caller, below: addresses.base)
        if let known = call.service.descriptions.withLock({ $0[rights] }) { return known }
        let made = OpenAPIDocument(
            title: call.service.options.title,
            addresses: addresses,
            lists: call.shownNames.compactMap { name in
                guard let endpoint = call.lists[name] else { return nil }
                let mayWrite = caller?.view(of: name).mayWrite ?? true
                var list = ListDescription(endpoint, call.service.options, mayWrite: mayWrite)
                list.embeddable = call.service.relations.embeddable(in: name, for: caller).map(
                    \.name
                )
                return list
            },
            routes: Route.table.filter {
                call.service.isOffered($0.route) && Self.mayUse($0.route, caller)
            },
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

    /// Responds with content, or with a problem if its conditions are not met.
    static func send(
        _ content: StaticContent,
        caching: StaticString,
        _ now: HTTPDate,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws(Problem) {
        let outcome = content.answer(request, cacheControl: caching, now: now, with: &response)
        switch outcome {
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
