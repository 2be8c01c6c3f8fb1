import Bytes
package import HTTP
import Listings
import Rendering

/// An error whose response is a problem.
struct Refusal: Error {
    var problem: Problem
    /// The format in the suffix of the address; nil without one.
    let suffix: PageFormat?
}

extension Service {
    /// Returns a problem of a kind, and counts it.
    func problem(
        _ kind: ProblemKind,
        _ detail: String,
        faults: [Problem.Fault] = [],
        ways: [Problem.Way] = []
    ) -> Problem {
        if options.thread == .ofWorker {
            toldProblems.append(kind)
        } else if !isSilent {
            measures.add(kind)
        }
        return Problem(
            type: addresses.problem(kind),
            title: kind.title,
            status: kind.status,
            detail: detail,
            instance: requestID(),
            faults: faults,
            ways: ways
        )
    }

    /// Returns the problem of a source's error; only the log has the details.
    func problem(for error: any Error) -> Problem {
        if error as? SourceError == .redefined { _ = noticeRedefinition() }
        if !isSilent { Diagnostics.write("\(requestID()): \(error)", .error) }
        switch error as? SourceError {
        case .failedRow, .duplicateRow:
            return problem(.internalError, "A row of this page cannot be shown.")
        case .invalidCursor:
            return problem(.invalidCursor, "The cursor belongs to another list or order.")
        case .expiredCursor:
            return problem(.cursorExpired, "The cursor is honoured no longer.")
        case .unknownSection, .unknownRow:
            return problem(.notFound, "What was asked for is not in this list, or not any more.")
        case .unavailable, .corrupted:
            return problem(.unavailable, "The rows of this list cannot be read at the moment.")
        case .locked:
            return problem(
                .unavailable,
                "Another program keeps the database of this list locked. Nothing was read; try again "
                    + "in a moment."
            )
        case .redefined:
            return problem(
                .unavailable,
                "The list has other columns than it had when this server was started, as after an "
                    + "import. Nothing of it is read until the server is started again."
            )
        case .outOfTime:
            return problem(
                .outOfTime,
                "The rows were not found in the time one question may take. Add a condition that few "
                    + "rows meet, leave out q and what looks into texts, ask for group=none, or sort "
                    + "by a column that has an index: who runs this server learns from --explain "
                    + "which there are."
            )
        case nil: return problem(.internalError, "The request could not be answered.")
        }
    }

    /// Returns the problem of a method that an address does not accept.
    func methodNotAllowed(_ method: HTTPMethod) -> Problem {
        problem(.methodNotAllowed, "\(method.name) is not possible here.")
    }

    /// Returns the problem of a row that a list does not have.
    func noRow(_ id: String, in list: ListDefinition) -> Problem {
        let way = Problem.Way("list", label: list.title, address: addresses.list(list.name))
        return problem(.notFound, "No row '\(id)' in \(list.name).", ways: [way])
    }

    /// Returns the problem of an unknown address, with a link to the nearest list.
    func notFound(_ request: borrowing HTTPRequest) -> Problem {
        let segments = request.path.segments
        var ways = [Problem.Way("lists", label: "All lists", address: addresses.directory)]
        // A trailing slash is the most frequent error.
        if segments.count == 2, segments[1].isEmpty, visibleEndpoint(segments[0]) != nil {
            let address = addresses.list(segments[0])
            ways.insert(Problem.Way("list", label: segments[0], address: address), at: 0)
        }
        return problem(.notFound, "Nothing is at this address.", ways: ways)
    }

    /// Returns the problem of an unknown list, with a link to the one of the nearest name.
    func noList(_ name: String) -> Problem {
        var ways = [Problem.Way("lists", label: "All lists", address: addresses.directory)]
        if let near = Suggestion.nearest(to: name, among: shownNames) {
            let address = addresses.list(near)
            ways.insert(Problem.Way("list", label: near, address: address), at: 0)
        }
        return problem(.notFound, "No list '\(name)'.", ways: ways)
    }

    /// Responds with a problem, in the requested format.
    func refuse(
        _ problem: Problem,
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?,
        with response: inout HTTPResponse
    ) {
        response.status = HTTPStatus(code: problem.status)
        response.body.removeAll()
        response.stream = nil
        // Fields of the content that was begun do not describe the problem.
        for name in [FieldName.contentType, .cacheControl, .xContentTypeOptions, .etag] {
            response.removeField(name)
        }
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if problem.status == 503 { response.addField(.retryAfter, "5" as StaticString) }
        let last = request.path.segments.last.map(FormatSuffix.init)
        let chosen = Representation(
            suffix: suffix ?? last?.format,
            accept: request.field(.accept),
            among: [.json, .html, .csv, .ndjson]
        )
        let isNegotiated = suffix == nil && last?.format == nil
        if isNegotiated, response.field(.vary) == nil {
            response.addField(.vary, "Accept" as StaticString)
        }
        switch chosen?.format ?? .json {
        case .html:
            response.addField(.contentType, PageFormat.html.contentType)
            Self.addPageFields(to: &response)
            draw(.html, into: &response) { $0.render(problem, to: &$1) }
        case .csv:
            response.addField(.contentType, "text/plain; charset=utf-8" as StaticString)
            PlainTextProblemRenderer().render(problem, to: &response.body)
        case .json, .ndjson:
            response.addField(.contentType, "application/problem+json" as StaticString)
            draw(.json, into: &response) { $0.render(problem, to: &$1) }
        }
    }

    /// Responds to a request that the server refused before its format was negotiated.
    package func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        response.addField(.contentType, "application/problem+json" as StaticString)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if refusal.status == .serviceUnavailable {
            response.addField(.retryAfter, "5" as StaticString)
        }
        let problem = problem(Self.kind(of: refusal.status), refusal.detail)
        draw(.json, into: &response) { $0.render(problem, to: &$1) }
    }

    private static func kind(of status: HTTPStatus) -> ProblemKind {
        switch status {
        case .badRequest: .malformedRequest
        case .requestTimeout: .requestTimeout
        case .contentTooLarge: .contentTooLarge
        case .uriTooLong: .addressTooLong
        case .expectationFailed: .unknownExpectation
        case .requestHeaderFieldsTooLarge: .fieldsTooLarge
        case .notImplemented: .notImplemented
        case .serviceUnavailable: .unavailable
        case .httpVersionNotSupported: .versionNotSupported
        default: .internalError
        }
    }

    /// Adds the fields that restrict what a page may load, and which pages may embed it.
    static func addPageFields(to response: inout HTTPResponse) {
        response.addField(
            .contentSecurityPolicy,
            """
            default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
            img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
            """ as StaticString
        )
        response.addField(.referrerPolicy, "same-origin" as StaticString)
    }

    /// Responds with the explanation of a kind of problem.
    func showProblem(
        _ name: String,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        let segment = FormatSuffix(name)
        guard let kind = ProblemKind(rawValue: segment.name) else {
            return refuse(notFound(request), request, suffix: segment.format, with: &response)
        }
        let chosen = Representation(
            suffix: segment.format,
            accept: request.field(.accept),
            among: [.json, .html]
        )
        let explanation = Problem(
            type: addresses.problem(kind),
            title: kind.title,
            status: kind.status,
            detail: kind.explanation
        )
        switch chosen?.format ?? .json {
        case .html:
            response.addField(.contentType, PageFormat.html.contentType)
            Self.addPageFields(to: &response)
            draw(.html, into: &response) { $0.render(explanation, to: &$1) }
        case .json, .csv, .ndjson:
            response.addField(.contentType, PageFormat.json.contentType)
            draw(.json, into: &response) { $0.render(explanation, to: &$1) }
        }
        response.addField(.vary, "Accept" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
    }
}
