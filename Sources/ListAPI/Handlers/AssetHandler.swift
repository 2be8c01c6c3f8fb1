import HTTP
import HTTPServer
import Listings
import Locks
import Rendering
import System

/// Responds with public files and the OpenAPI description.
struct AssetHandler {
    let service: Service

    /// Responds with a public file.
    func respond(
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws(Problem) {
        let path = (0..<captures.count).map { captures[$0] }
        guard let found = service.assets.find(path),
            let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970())
        else { throw context.notFound }
        let caching: StaticString =
            found.isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache"
        try send(found.entry.content, caching: caching, now, request, with: &response)
    }

    /// Responds with the OpenAPI description.
    func respondWithDescription(
        to request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws(Problem) {
        try context.refuseErrors(request)
        guard let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970()) else { return }
        let content = description(in: context)
        try send(content, caching: "no-cache", now, request, with: &response)
    }

    /// The OpenAPI description of the lists and operations that the caller may use.
    private func description(in context: borrowing RequestContext) -> StaticContent {
        let (addresses, caller) = (context.addresses, context.caller)
        let rights = DescribedRights(caller, below: addresses.base)
        if let known = service.descriptions.withLock({ $0[rights] }) { return known }
        let made = OpenAPIDocument(
            title: service.options.title,
            addresses: addresses,
            lists: context.shownNames.compactMap { name in
                guard let endpoint = context.lists[name] else { return nil }
                let mayWrite = caller?.view(of: name).mayWrite ?? true
                var list = ListDescription(endpoint, service.options, mayWrite: mayWrite)
                list.embeddable = service.relations.embeddable(in: name, for: caller).map(\.name)
                return list
            },
            routes: Route.table.filter {
                service.isOffered($0.route) && Self.mayUse($0.route, caller)
            },
            security: OpenAPISecurity(service.options)
        ).content
        service.descriptions.withLock { descriptions in
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
    func send(
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
