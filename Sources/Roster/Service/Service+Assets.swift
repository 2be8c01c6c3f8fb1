import HTTP
import HTTPServer
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
        let outcome = found.entry.content.answer(
            request,
            cacheControl: found.isImmutable
                ? "public, max-age=31536000, immutable" : "public, no-cache",
            now: now,
            with: &response
        )
        switch outcome {
        case .answered: break
        case .preconditionFailed:
            refuse(.preconditionFailed, "The file has another tag.", request, with: &response)
        case .rangeNotSatisfiable:
            let count = found.entry.content.source.count
            let detail = "The file has \(count) bytes."
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
