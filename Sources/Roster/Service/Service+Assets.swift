import HTTP
import HTTPServer
import Rendering
import Routing
import Sockets

extension Service {
    /// Answers with a public file.
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

    /// Answers with the description of the service.
    func showDescription(_ request: borrowing HTTPRequest, with response: inout HTTPResponse) {
        do {
            try refuseParameters(request, suffix: .json)
            guard let now = HTTPDate(secondsSince1970: WallClock.secondsSince1970()) else { return }
            show(description, caching: "no-cache", now, request, with: &response)
        } catch {
            refuse(error.problem, request, suffix: error.suffix, with: &response)
        }
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

    /// Answers with a problem of a kind, in the format the client prefers.
    func refuse(
        _ kind: ProblemKind,
        _ detail: String,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(kind, detail), request, suffix: nil, with: &response)
    }
}
