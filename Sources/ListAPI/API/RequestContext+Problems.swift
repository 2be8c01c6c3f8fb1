import Bytes
import HTTP
import Listings
import Rendering

/// An error whose response is a problem.
struct Refusal: Error {
    var problem: Problem
    /// The format in the suffix of the address; nil without one.
    let suffix: PageFormat?
    /// The methods of the address, for the Allow field; empty for other problems.
    var allowed: [HTTPMethod] = []
}

extension RequestContext {
    /// Returns a problem of a kind, and counts it.
    mutating func problem(
        _ kind: ProblemKind,
        _ detail: String,
        faults: [Problem.Fault] = [],
        ways: [Problem.Way] = []
    ) -> Problem {
        problems.append(kind)
        return Problem(
            type: addresses.problem(kind),
            title: kind.title,
            status: kind.status,
            detail: detail,
            instance: id,
            faults: faults,
            ways: ways
        )
    }

    /// Returns the refusal of a request for a source's error; only the log has the details.
    mutating func refusal(for error: SourceError, suffix: PageFormat? = nil) -> Refusal {
        Refusal(problem: problem(for: error), suffix: suffix)
    }

    /// Notes that the definition of a list has changed since it was opened.
    mutating func noticeRedefinition() {
        if service.options.lists != nil, redefinition == .none { redefinition = .noticed }
    }

    /// Logs an error of the request, unless its response is not sent.
    func log(_ text: String) {
        if !isPreflightOnly, redefinition != .noticed {
            Diagnostics.write("\(id): \(text)", .error)
        }
    }

    /// Returns the problem of a source's error; only the log has the details.
    mutating func problem(for error: any Error) -> Problem {
        if error as? SourceError == .redefined { noticeRedefinition() }
        log("\(error)")
        switch error as? SourceError {
        case .failedRow, .duplicateRow:
            return problem(.internalError, "A row of this page cannot be shown.")
        case .invalidCursor:
            return problem(.invalidCursor, "The cursor belongs to another list or order.")
        case .expiredCursor:
            return problem(.cursorExpired, "The cursor is no longer accepted.")
        case .unknownSection, .unknownRow:
            return problem(.notFound, "This list has no such row or section, or has it no longer.")
        case .unavailable, .corrupted:
            return problem(.unavailable, "The rows of this list cannot be read at the moment.")
        case .locked:
            return problem(
                .unavailable,
                "Another program holds a lock on the database of this list. Nothing was read; "
                    + "try again in a moment."
            )
        case .redefined:
            return problem(
                .unavailable,
                "The columns of the list have changed since the server was started, as after an "
                    + "import. It can be read when the server is started again."
            )
        case .outOfTime:
            return problem(
                .outOfTime,
                "The rows were not found in the time that a query may take. Add a condition that "
                    + "few rows meet, remove q and conditions on parts of texts, use "
                    + "group=none, or sort by a column that has an index. The operator of the "
                    + "server can list the indexes with --explain."
            )
        case .indexing(let seconds):
            return problem(
                .outOfTime,
                "The list was imported just now, and its indexes are still being created. This "
                    + "order, search or condition is ready in about \(seconds) s. The order of the "
                    + "file can be read now."
            )
        case .tooManyMatches(let list, let maximum):
            return problem(
                .invalidParameter,
                "More than \(maximum) rows of '\(list)' meet the conditions. Add a condition on "
                    + "'\(list)' that fewer rows meet."
            )
        case nil:
            return problem(.internalError, "The server could not respond to the request.")
        }
    }

    /// Returns the refusal of a method that an address does not accept.
    mutating func methodNotAllowed(
        _ method: HTTPMethod,
        _ allowed: [HTTPMethod],
        by list: ServedList? = nil,
        suffix: PageFormat? = nil
    ) -> Refusal {
        let detail = list?.reasonNotToWrite ?? "\(method.name) is not possible here."
        let problem = problem(.methodNotAllowed, detail)
        return Refusal(problem: problem, suffix: suffix, allowed: allowed)
    }

    /// Returns the problem of a row that a list does not have.
    mutating func noRow(_ id: String, in list: ListDefinition) -> Problem {
        missing("No row '\(id)' in \(list.name).", in: list)
    }

    /// Returns the problem of an unknown address, with a link to the nearest list.
    mutating func notFound(_ request: borrowing HTTPRequest) -> Problem {
        let ways = [Problem.Way("lists", label: "All lists", address: addresses.directory)]
        return problem(.notFound, "Nothing is at this address.", ways: ways)
    }

    /// Returns the problem of an unknown list, with a link to the one of the nearest name.
    mutating func noList(_ name: String) -> Problem {
        var ways = [Problem.Way("lists", label: "All lists", address: addresses.directory)]
        if let near = Suggestion.nearest(to: name, among: shownNames) {
            let address = addresses.list(near)
            ways.insert(Problem.Way("list", name: near, address: address), at: 0)
        }
        return problem(.notFound, "No list '\(name)'.", ways: ways)
    }

    /// Returns the problem of an address that a list does not have.
    mutating func nothingHere(in list: ListDefinition) -> Problem {
        missing("The list '\(list.name)' has nothing at this address.", in: list)
    }

    /// Returns the problem of something that a list does not have, with a link to the list.
    mutating func missing(_ detail: String, in list: ListDefinition) -> Problem {
        let way = Problem.Way("list", name: list.title, address: addresses.list(list.name))
        return problem(.notFound, detail, ways: [way])
    }

    // MARK: - Parameters

    /// The kinds of problems of single parameters, by their codes.
    private static let kinds: [String: ProblemKind] = [
        ParameterError.invalidCursor("").code: .invalidCursor,
        ParameterError.expiredCursor("").code: .cursorExpired,
        ParameterError.invalidVersion("").code: .invalidVersion,
    ]

    /// Returns the problem of invalid parameters.
    mutating func refusal(
        _ parameters: ListParameters,
        _ request: borrowing HTTPRequest,
        _ target: ListResource
    ) -> Refusal {
        if case .section(let id) = target.place, parameters.errors == [.unknownSection(id.rawValue)]
        {
            let address = SuggestedURL.make(
                path: addresses.sections(of: target.endpoint.definition.name),
                items: parameters.sent.filter { $0.name == "group" }
            )
            let way = Problem.Way("sections", label: "All sections", address: address)
            let detail = "No section '\(id.rawValue)' in \(target.endpoint.definition.name)."
            return Refusal(problem: problem(.notFound, detail, ways: [way]), suffix: target.suffix)
        }
        let faults = faults(of: parameters, request)
        var kind = ProblemKind.invalidParameter
        var detail = Self.detail(faults.count)
        if faults.count == 1, let own = Self.kinds[faults[0].code] {
            kind = own
            detail = faults[0].detail
        }
        var ways: [Problem.Way] = []
        if kind == .invalidVersion {
            ways.append(reload(target, parameters.sent))
        } else if kind != .invalidParameter, let correction = faults[0].correction {
            ways.append(Problem.Way("first", label: "Back to the start", address: correction))
        } else {
            let list = target.endpoint.definition
            ways.append(Problem.Way("list", name: list.title, address: addresses.list(list.name)))
        }
        return Refusal(
            problem: problem(kind, detail, faults: faults, ways: ways),
            suffix: target.suffix
        )
    }

    /// Refuses all parameters, at an address that accepts none.
    mutating func refuseParameters(
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?
    ) throws(Refusal) {
        try refuseErrors(of: ListParameters(request), request, suffix: suffix)
    }

    /// Refuses the errors of parameters at an address that belongs to no list.
    mutating func refuseErrors(
        of parameters: ListParameters,
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?
    ) throws(Refusal) {
        guard !parameters.errors.isEmpty else { return }
        let known = parameters.accepted.known
        let detail =
            known.isEmpty
            ? "This address takes no parameters." : Self.detail(parameters.errors.count)
        let problem = problem(.invalidParameter, detail, faults: faults(of: parameters, request))
        throw Refusal(problem: problem, suffix: suffix)
    }

    private func faults(
        of parameters: ListParameters,
        _ request: borrowing HTTPRequest
    ) -> [Problem.Fault] {
        let (path, sent, known) = (request.path, parameters.sent, parameters.accepted.known)
        return parameters.errors.map { error in
            error.fault(known: known) { correction in
                SuggestedURL.make(correction, path: path, items: sent, in: addresses)
            }
        }
    }

    private static func detail(_ count: Int) -> String {
        count == 1
            ? "A parameter was not understood; nothing was read."
            : "\(count) parameters were not understood; nothing was read."
    }

    /// Returns a problem with a link back to the list.
    mutating func refusal(
        _ call: some ListCall,
        _ kind: ProblemKind,
        _ detail: String,
        faults: [Problem.Fault] = []
    ) -> Refusal {
        let way = Problem.Way("list", name: call.list.title, address: call.listAddress)
        return Refusal(
            problem: problem(kind, detail, faults: faults, ways: [way]),
            suffix: call.suffix
        )
    }

    /// Returns the link to the page that a request follows.
    func reload(_ target: ListResource, _ sent: [QueryItems.Item]) -> Problem.Way {
        let address = SuggestedURL.make(
            path: "\(addresses.list(target.endpoint.definition.name)).\(PageFormat.json.rawValue)",
            items: sent.filter { !ListParameter.Accepted.changes.accepts(name: $0.name) }
        )
        return Problem.Way("reload", name: target.endpoint.definition.title, address: address)
    }
}

/// Responses that are problems (RFC 9457).
extension RequestContext {
    /// Responds with the problem of an error.
    mutating func refuse(
        _ error: any Error,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(for: error), request, suffix: nil, with: &response)
    }

    /// Responds with a problem of a kind, in the format that the client prefers.
    mutating func refuse(
        _ kind: ProblemKind,
        _ detail: String,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(kind, detail), request, suffix: nil, with: &response)
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
            among: PageFormat.allCases
        )
        let isNegotiated = suffix == nil && last?.format == nil
        if isNegotiated, response.field(.vary) == nil {
            response.addField(.vary, "Accept" as StaticString)
        }
        let format = (chosen?.format ?? .json).problemFormat
        response.addField(.contentType, format.contentType)
        switch format {
        case .html:
            DocumentFields.addPolicy(to: &response)
            render(.html, into: &response) { $0.render(problem, to: &$1) }
        case .json: render(.json, into: &response) { $0.render(problem, to: &$1) }
        case .text: PlainTextProblemRenderer().render(problem, to: &response.body)
        }
    }

    /// Responds to a request that the server refused before its format was negotiated.
    mutating func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        response.addField(.contentType, ProblemFormat.json.contentType)
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if refusal.status == .serviceUnavailable {
            response.addField(.retryAfter, "5" as StaticString)
        }
        let problem = problem(Self.kind(of: refusal.status), refusal.detail)
        render(.json, into: &response) { $0.render(problem, to: &$1) }
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
}

extension ServedList {
    /// Whether only the options of the program keep clients from writing.
    var needsOptionToWrite: Bool {
        guard writer == nil, let source = definition.source as? any WritableSource else {
            return writer == nil && definition.about.isInMemory
        }
        return source.rules != nil && !source.decidesWrites
    }

    /// The reason that clients cannot write; nil if they can.
    fileprivate var reasonNotToWrite: String? {
        guard writer == nil else { return nil }
        let reason = "The list '\(definition.name)' is read-only."
        guard needsOptionToWrite else { return reason }
        return reason + " The operator of the server permits "
            + "writes by --allow-anonymous-writes, or by --allow-writes for clients with a token."
    }
}
