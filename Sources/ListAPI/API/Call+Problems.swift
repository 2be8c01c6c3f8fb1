import Bytes
import HTTP
import Listings
import Locks
import Rendering

extension Call {
    mutating func refuse(_ error: any Error) {
        if error as? SourceError == .redefined { noticeRedefinition() }
        let problem = completed(Problem(error))
        response.status = HTTPStatus(code: problem.kind.status)
        response.body.removeAll()
        response.stream = nil
        // Fields of the content that was begun do not describe the problem.
        for name in [FieldName.contentType, .cacheControl, .xContentTypeOptions, .etag] {
            response.removeField(name)
        }
        for field in problem.fields { response.addField(FieldName(field.name), field.value) }
        addFields(of: problem)
        let suffix = request.path.segments.last.flatMap { FormatSuffix($0).format }
        let chosen = Representation(
            suffix: suffix,
            accept: request.field(.accept),
            among: PageFormat.allCases
        )
        if suffix == nil, response.field(.vary) == nil {
            response.addField(.vary, "Accept" as StaticString)
        }
        let format = (chosen?.format ?? .json).problemFormat
        response.addField(.contentType, format.contentType)
        switch format {
        case .html:
            ContentSecurityPolicy.add(to: &response)
            render(.html) { $0.render(problem, to: &$1) }
        case .json: render(.json) { $0.render(problem, to: &$1) }
        case .text: PlainTextProblemRenderer().render(problem, to: &response.body)
        }
    }

    mutating func refuse(_ refusal: ProtocolErrorResponse) {
        let kind = ProblemKind.all.first { $0.status == refusal.status.code } ?? .internalError
        let isMalformed = refusal.status == .badRequest
        let shown = isMalformed ? .malformedRequest : kind
        let problem = completed(Problem(shown, Text(refusal.detail)))
        response.addField(.contentType, ProblemFormat.json.contentType)
        addFields(of: problem)
        render(.json) { $0.render(problem, to: &$1) }
    }

    private mutating func addFields(of problem: Problem) {
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if problem.kind.status == 503 { response.addField(.retryAfter, "5" as StaticString) }
    }

    private mutating func completed(_ problem: Problem) -> Problem {
        if let cause = problem.cause { log(cause) }
        self.problem = problem.kind
        var problem = problem
        problem.type = addresses.problem(problem.kind)
        problem.instance = id.text
        return problem
    }

    mutating func checkDefinition(of list: ServedList) {
        guard service.options.lists != nil, !list.isImmediate else { return }
        // Only a read compares the definition with the table.
        var query = ListQuery(shape: .flow(limit: 1))
        query.counting = .off
        do throws(SourceError) { try list.read(ScopedQuery(query, in: list.view.scope)) } catch {
            if error == .redefined { noticeRedefinition() }
        }
    }

    mutating func noticeRedefinition() {
        if service.options.lists != nil, redefinition == .none { redefinition = .noticed }
    }

    /// Logs an error of the request, unless its response is not sent.
    func log(_ text: String) {
        guard redefinition != .noticed, RequestCancellation.current?.isCancelled != true else {
            return
        }
        Diagnostics.write("\(id.text): \(text)", .error)
    }
}

extension Problem {
    /// The problem of an error, whose details only the log has.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let failure as CreationFailure: self = failure.problem
        case let fault as Fault:
            let detail: Text = "The request was not understood; nothing was written."
            self.init(.malformedContent, detail, faults: [fault])
        default:
            self = (error as? SourceError)?.problem ?? .failure
            cause = "\(error)"
        }
    }

    private static var failure: Problem {
        Problem(.internalError, "The server could not respond to the request.")
    }

    static let slowProgram = Problem(
        .outOfTime,
        "The program did not respond in time, and its work was cancelled."
    )

    static let withoutRight = Problem(.forbidden, "The client has no right to do this.")

    static let foreignOrigin = Problem(
        .foreignOrigin,
        "The request was sent by a page of another site."
    )

    static func methodNotAllowed(
        _ method: HTTPMethod,
        _ allowed: [HTTPMethod],
        by list: ServedList? = nil
    ) -> Problem {
        Problem(
            .methodNotAllowed,
            list?.reasonNotToWrite ?? "\(method.name) is not possible here.",
            fields: [("Allow", HTTPMethod.list(allowed))]
        )
    }
}

extension SourceError {
    fileprivate var problem: Problem {
        switch self {
        case .failedRow, .duplicateRow:
            return Problem(.internalError, "A row of this page cannot be shown.")
        case .invalidCursor:
            return Problem(.invalidCursor, "The cursor belongs to another list or order.")
        case .expiredCursor:
            return Problem(.cursorExpired, "The cursor is no longer accepted.")
        case .unknownSection, .unknownRow:
            return Problem(.notFound, "This list has no such row or section, or has it no longer.")
        case .unavailable, .corrupted:
            return Problem(.unavailable, "The rows of this list cannot be read at the moment.")
        case .notFetched(let failure, _): return Problem(.unavailable, "\(failure.text.detail)")
        case .locked:
            return Problem(
                .unavailable,
                "Another program holds a lock on the database of this list. Nothing was read; "
                    + "try again in a moment."
            )
        case .redefined:
            return Problem(
                .unavailable,
                "The columns of the list have changed since the server was started, as after an "
                    + "import. It can be read when the server is started again."
            )
        case .outOfTime:
            return Problem(
                .outOfTime,
                "The rows were not found in the time that a query may take. Add a condition that "
                    + "few rows meet, remove q and conditions on parts of texts, use "
                    + "group=none, or sort by a column that has an index. The operator of the "
                    + "server can list the indexes with --explain."
            )
        case .indexing(let seconds):
            return Problem(
                .outOfTime,
                "The list was imported just now, and its indexes are still being created. This "
                    + "order, search or condition is ready in about \(seconds) s. The order of the "
                    + "file can be read now."
            )
        case .tooManyMatches(let list, let maximum):
            return Problem(
                .invalidParameter,
                "More than \(maximum) rows of '\(list)' meet the conditions. Add a condition on "
                    + "'\(list)' that fewer rows meet."
            )
        }
    }
}

extension Call {
    func noRow(_ id: String, in list: ListDefinition) -> Problem {
        missing("No row '\(id)' in \(list.name).", in: list)
    }

    var notFound: Problem { Problem(.notFound, "Nothing is at this address.", links: [allLists]) }

    func noList(_ name: String) -> Problem {
        let near = Suggestion.nearest(to: name, among: shownNames).map { near in
            Problem.Link("list", name: near, address: addresses.list(near))
        }
        return Problem(.notFound, "No list '\(name)'.", links: [near, allLists].compactMap(\.self))
    }

    private var allLists: Problem.Link {
        Problem.Link("lists", label: "All lists", address: addresses.directory)
    }

    func nothingHere(in list: ListDefinition) -> Problem {
        missing("The list '\(list.name)' has nothing at this address.", in: list)
    }

    func missing(_ detail: Text, in list: ListDefinition) -> Problem {
        Problem(.notFound, detail, links: [link(to: list)])
    }

    private func link(to list: ListDefinition) -> Problem.Link {
        Problem.Link("list", name: list.title, address: addresses.list(list.name))
    }

    // MARK: - Parameters

    func problem(of parameters: ListParameters, _ target: ListResource) -> Problem {
        let list = target.endpoint.definition
        if case .section(let id) = target.place,
            parameters.errors.map(\.code) == ["unknown-section"]
        {
            let address = SuggestedURL.make(
                path: addresses.sections(of: list.name),
                items: parameters.sent.filter { $0.name == "group" }
            )
            let link = Problem.Link("sections", label: "All sections", address: address)
            return Problem(
                .notFound,
                "No section '\(id.rawValue)' in \(list.name).",
                links: [link]
            )
        }
        var problem = Problem(parameters, faults: faults(of: parameters))
        if problem.kind == .invalidVersion {
            problem.links = [reload(target, parameters.sent)]
        } else if problem.kind != .invalidParameter, let start = problem.faults[0].correction {
            problem.links = [Problem.Link("first", label: "Back to the start", address: start)]
        } else {
            problem.links = [link(to: list)]
        }
        return problem
    }

    /// Refuses the errors of parameters at an address that belongs to no list, or of all parameters.
    func refuseErrors(of parameters: ListParameters? = nil) throws(Problem) {
        let parameters = parameters ?? ListParameters(request)
        guard !parameters.errors.isEmpty else { return }
        var problem = Problem(parameters, faults: faults(of: parameters))
        if parameters.accepted.known.isEmpty {
            problem.detail = "This address takes no parameters."
        }
        throw problem
    }

    private func faults(of parameters: ListParameters) -> [Problem.Fault] {
        let (path, sent) = (request.path, parameters.sent)
        return parameters.errors.map { error in
            var fault = error
            fault.correction = error.change.map { change in
                SuggestedURL.make(change, path: path, items: sent, in: addresses)
            }
            return fault
        }
    }

    func reload(_ target: ListResource, _ sent: [QueryItems.Item]) -> Problem.Link {
        let list = target.endpoint.definition
        let address = SuggestedURL.make(
            path: "\(addresses.list(list.name)).\(PageFormat.json.rawValue)",
            items: sent.filter { !["since", "include"].contains($0.name) }
        )
        return Problem.Link("reload", name: list.title, address: address)
    }
}

extension Problem {
    fileprivate init(_ parameters: ListParameters, faults: [Fault]) {
        let detail: Text = "\(faults.count) parameters were not understood; nothing was read."
        self.init(.invalidParameter, detail, faults: faults)
        guard faults.count == 1 else { return }
        // Errors of cursors and versions are kinds of their own.
        if let kind = ProblemKind.all.first(where: { $0.name == faults[0].code }) {
            self.init(kind, faults[0].detail, faults: faults)
        } else {
            self.detail = "A parameter was not understood; nothing was read."
        }
    }
}

extension ListCall {
    /// Returns a problem with a link back to the list.
    func problem(
        _ kind: ProblemKind,
        _ detail: Text,
        faults: [Problem.Fault] = [],
        cause: String? = nil
    ) -> Problem {
        let link = Problem.Link("list", name: list.title, address: listAddress)
        return Problem(kind, detail, faults: faults, links: [link], cause: cause)
    }

    func taking<Value>(
        _ body: () throws(Problem.Fault) -> Value
    ) throws(Problem) -> Value {
        do throws(Problem.Fault) {
            return try body()
        } catch {
            let detail: Text = "The content was not understood; nothing was done."
            throw problem(.malformedContent, detail, faults: [error])
        }
    }
}

extension ServedList {
    /// Whether only the options of the program keep clients from writing.
    var needsOptionToWrite: Bool {
        guard writer == nil else { return false }
        let source = definition.source
        return source.rules == nil ? definition.about.isInMemory : !source.decidesWrites
    }

    fileprivate var reasonNotToWrite: Text? {
        guard writer == nil else { return nil }
        let reason: Text = "The list '\(definition.name)' is read-only."
        guard needsOptionToWrite else {
            return definition.about.readOnlyReason.map { reason + " " + $0.text } ?? reason
        }
        return reason + " The operator of the server permits "
            + "writes by --allow-anonymous-writes, or by --allow-writes for clients with a token."
    }
}

extension ReadOnlyReason {
    fileprivate var text: Text {
        switch self {
        case .view: "It is a view, whose rows are those of other tables."
        case .virtualTable: "It is a virtual or an internal table of its database."
        case .noKey:
            "Nothing identifies its rows for ever. The operator of the server names the columns of a "
                + "unique index by --key."
        case .history: "It is the record of all changes."
        case .noRight: "The server may not write to its database."
        case .refusedByDatabase:
            "Its database cannot compile a change. The log of the server has the reason."
        }
    }
}
