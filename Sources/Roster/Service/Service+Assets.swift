import HTTP
import HTTPServer
import Rendering
import System

extension Service {
    /// Responds with a public file.
    func showAsset(
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        let path = (0..<captures.count).map { captures[$0] }
        guard let found = assets.find(path),
            let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970())
        else { return refuse(notFound(request), request, suffix: nil, with: &response) }
        let caching: StaticString =
            found.isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache"
        show(found.entry.content, caching: caching, now, request, with: &response)
    }

    /// Responds with the OpenAPI description.
    func showDescription(_ request: borrowing HTTPRequest, with response: inout HTTPResponse) {
        do {
            try refuseParameters(request, suffix: .json)
            guard let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970()) else { return }
            show(description, caching: "no-cache", now, request, with: &response)
        } catch {
            refuse(error.problem, request, suffix: error.suffix, with: &response)
        }
    }

    /// The OpenAPI description of the lists and operations that the caller may use.
    private var description: StaticContent {
        let rights = DescribedRights(caller, below: addresses.base)
        if let known = descriptions[rights] { return known }
        let made = OpenAPIDocument(
            title: options.title,
            addresses: addresses,
            lists: shownNames.compactMap { name in
                endpoints[name].map {
                    ListDescription(
                        $0,
                        options,
                        mayWrite: caller?.view(of: name).mayWrite ?? true
                    )
                }
            },
            routes: Route.table.filter { isOffered($0.route) && mayUse($0.route) },
            security: OpenAPISecurity(options)
        ).content
        if descriptions.count == DescribedRights.maximumCount { descriptions = [:] }
        descriptions[rights] = made
        return made
    }

    private func mayUse(_ route: Route) -> Bool {
        guard route == .metrics || route == .lists, let caller else { return true }
        return caller.mayOperate
    }

    private func show(
        _ content: StaticContent,
        caching: StaticString,
        _ now: HTTPDate,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        let outcome = content.answer(request, cacheControl: caching, now: now, with: &response)
        switch outcome {
        case .answered: break
        case .preconditionFailed:
            refuse(.preconditionFailed, "The file has another tag.", request, with: &response)
        case .rangeNotSatisfiable:
            let detail = "The file has \(content.source.count) bytes."
            refuse(.rangeNotSatisfiable, detail, request, with: &response)
        case .notAcceptable:
            let detail = "The file comes plain or as gzip."
            refuse(.notAcceptable, detail, request, with: &response)
        }
    }

    /// Responds with a problem of a kind, in the format that the client prefers.
    func refuse(
        _ kind: ProblemKind,
        _ detail: String,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(kind, detail), request, suffix: nil, with: &response)
    }
}
