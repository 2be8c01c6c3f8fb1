import Bytes
import HTTP
import Listings
import Rendering

extension Service {
    /// Responds to a request for a part of a list.
    func respond(
        to request: borrowing HTTPRequest,
        inList route: Route,
        _ captures: RouteCaptures,
        with response: inout HTTPResponse
    ) throws {
        if route == .view, FormatSuffix(captures[1]).name == "narrow" {
            return try redirectNarrowing(captures, request, with: &response)
        }
        let target = try target(of: route, captures, request)
        if target.place == .changes { return try tellChanges(target, request, with: &response) }
        let choice = try choose(among: target.formats, suffix: target.suffix, request)
        var parameters = ListParameters(
            request,
            of: target.endpoint,
            accepted: target.accepted
        )
        guard let query = target.query(&parameters) else {
            throw refusal(parameters, request, target)
        }
        let answer = PreparedRequest(
            addresses: addresses,
            target: target,
            representation: choice,
            query: query,
            layout: parameters.layout,
            sent: parameters.sent,
            fingerprint: fingerprint,
            language: language,
            followsPreference: parameters.followsPreference
        )
        let notice = choice.format == .html ? parameters.notice : nil
        if let notice { answer.notices = options.notices.texts(of: notice) }
        (answer.trace, answer.callerScope) = (trace.again, callerScope)
        do {
            try show(answer, request, with: &response)
            if let notice, !isLeft { options.notices.remove(notice) }
        } catch let error as SourceError {
            throw refusal(error, answer, request)
        }
        if parameters.notice == nil, answer.isReusable { answered = answer }
    }

    /// Responds to a request that was prepared before.
    func answer(
        _ prepared: PreparedRequest,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        prepared.keepFragments()
        trace = prepared.trace
        language = prepared.language
        let endpoint = prepared.target.endpoint
        if let caller { endpoint.view = caller.view(of: endpoint.definition.name) }
        do {
            try show(prepared, request, with: &response)
            answered = prepared
        } catch {
            // The worker that gets the offloaded request refuses it.
            guard !isLeft else { return }
            var refusal = error as? Refusal
            if let error = error as? SourceError {
                refusal = self.refusal(error, prepared, request)
            }
            let problem = refusal?.problem ?? problem(for: error)
            refuse(problem, request, suffix: refusal?.suffix, with: &response)
        }
    }

    /// Returns the refusal of a request whose target is missing or cannot be read.
    private func refusal(
        _ error: SourceError,
        _ answer: PreparedRequest,
        _ request: borrowing HTTPRequest
    ) -> Refusal {
        let target = answer.target
        var parameters = ListParameters(request, of: target.endpoint, accepted: target.accepted)
        guard let query = target.query(&parameters) else {
            return refusal(parameters, request, target)
        }
        switch error {
        case .unknownSection(let id): parameters.refuseSection(id)
        case .invalidCursor: parameters.refuseCursor()
        case .expiredCursor: parameters.refuseCursor(of: query)
        case .unknownRow(let id):
            let problem = noRow(id, in: target.endpoint.definition)
            return Refusal(problem: problem, suffix: target.suffix)
        default: return Refusal(problem: problem(for: error), suffix: target.suffix)
        }
        return refusal(parameters, request, target)
    }

    /// Returns the target of a path.
    func target(
        of route: Route,
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest
    ) throws(Refusal) -> ListResource {
        if route == .list { return try listTarget(captures[0], request) }
        let name = FormatSuffix(captures[captures.count - 1])
        guard let endpoint = try endpoint(captures[0], request, suffix: name.format) else {
            throw Refusal(problem: noList(captures[0]), suffix: name.format)
        }
        switch (route, name.name) {
        case (.view, "sections"): return target(endpoint, .sections, name.format)
        case (.view, "schema"): return target(endpoint, .schema, name.format)
        case (.view, "changes"): return target(endpoint, .changes, name.format)
        case (.section, let id): return target(endpoint, .section(SectionID(id)), name.format)
        case (.row, let id): return target(endpoint, .row(id), name.format)
        case (.rowAction, ActionResource.children) where endpoint.reader.hasOutline:
            return target(endpoint, .children(FormatSuffix.name(ofInner: captures[1])), name.format)
        default:
            throw Refusal(problem: nothingHere(in: endpoint.definition), suffix: name.format)
        }
    }

    private func listTarget(
        _ segment: String,
        _ request: borrowing HTTPRequest
    ) throws(Refusal) -> ListResource {
        // The suffix wins: a list called `x.json` next to a list `x` is at `/x.json.json`.
        let name = FormatSuffix(segment)
        if let endpoint = try endpoint(name.name, request, suffix: name.format) {
            return target(endpoint, .list, name.format)
        }
        if let endpoint = try endpoint(segment, request, suffix: nil) {
            return target(endpoint, .list, nil)
        }
        throw Refusal(problem: noList(name.name), suffix: name.format)
    }

    /// Returns the target of a part of a list.
    func target(
        _ endpoint: ServedList,
        _ place: URLBuilder.Place,
        _ suffix: PageFormat?
    ) -> ListResource {
        let segments = endpoints[endpoint.definition.name]?.definition.segments?.all ?? []
        return ListResource(endpoint, place, suffix, segments: segments)
    }

    /// Returns the list of a name, in the segment of the request; nil for an unknown name.
    ///
    /// - Throws: ``Refusal`` for an unknown segment.
    func endpoint(
        _ name: String,
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?
    ) throws(Refusal) -> ServedList? {
        try openClosedList(name, suffix: suffix)
        guard let endpoint = visibleEndpoint(name) else { return nil }
        trace.list = endpoint.measures
        if let caller { try show(endpoint, to: caller, asking: request.method) }
        // Parameter errors are reported where all parameters are parsed.
        guard let segments = endpoint.definition.segments, let items = try? request.queryItems,
            let id = items.first(where: { $0.name == "segment" })?.value, !id.isEmpty
        else { return endpoint }
        if let segment = endpoint.endpoint(ofSegment: id) {
            segment.view = endpoint.view
            return segment
        }
        let ways = segments.all.enumerated().map { position, segment in
            Problem.Way(
                segment.id,
                label: segment.title,
                address: addresses.segment(position == 0 ? nil : segment.id, of: name)
            )
        }
        throw Refusal(
            problem: problem(.notFound, "No segment '\(id)' in \(name).", ways: ways),
            suffix: suffix
        )
    }

    /// Chooses the format, or refuses the request because none is acceptable.
    func choose(
        among formats: [PageFormat],
        suffix: PageFormat?,
        _ request: borrowing HTTPRequest
    ) throws(Refusal) -> Representation {
        if let choice = choices.choice(among: formats, suffix, accept: request.field(.accept)) {
            trace.format = ListMetrics.Format(choice.format)
            return choice
        }
        let path = addresses.path(request.path.segments, without: suffix)
        let ways = formats.map { format in
            Problem.Way(
                format.rawValue,
                label: format.rawValue.uppercased(),
                address: "\(path).\(format.rawValue)"
            )
        }
        let names = formats.map { $0.mediaType.description }.joined(separator: ", ")
        throw Refusal(
            problem: problem(.notAcceptable, "This address offers \(names).", ways: ways),
            suffix: nil
        )
    }

    /// The kinds of problems of single parameters, by their codes.
    private static let kinds: [String: ProblemKind] = [
        ParameterError.invalidCursor("").code: .invalidCursor,
        ParameterError.expiredCursor("").code: .cursorExpired,
        ParameterError.invalidVersion("").code: .invalidVersion,
    ]

    /// Returns the problem of invalid parameters.
    func refusal(
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
        let (path, sent) = (request.path, parameters.sent)
        let known = parameters.accepted.known
        let faults = parameters.errors.map { error in
            error.fault(known: known) { correction in
                SuggestedURL.make(correction, path: path, items: sent, in: addresses)
            }
        }
        var kind = ProblemKind.invalidParameter
        var detail =
            faults.count == 1
            ? "A parameter was not understood; nothing was read."
            : "\(faults.count) parameters were not understood; nothing was read."
        if faults.count == 1, let own = Self.kinds[faults[0].code] {
            kind = own
            detail = faults[0].detail
        }
        var ways: [Problem.Way] = []
        if kind == .invalidVersion {
            ways.append(reload(target, parameters.sent))
        } else if kind != .invalidParameter, let correction = faults[0].correction {
            ways.append(Problem.Way("first", label: "Back to the start", address: correction))
        } else if parameters.sent.contains(where: {
            ["after", "before", "since"].contains($0.name)
        }) {
            // The cursor belongs to an older state of the list; the link leads to the current one.
            let list = target.endpoint.definition
            ways.append(Problem.Way("list", label: list.title, address: addresses.list(list.name)))
        }
        return Refusal(
            problem: problem(kind, detail, faults: faults, ways: ways),
            suffix: target.suffix
        )
    }

    /// Responds with the directory of all lists.
    func showDirectory(
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?,
        with response: inout HTTPResponse
    ) {
        do {
            let choice = try choose(among: [.json, .html], suffix: suffix, request)
            try refuseParameters(request, suffix: suffix)
            var entries: [ListDirectory.Entry] = []
            for name in shownNames {
                let endpoint = endpoints[name]
                if let caller { endpoint?.view = caller.view(of: name) }
                entries.append(
                    ListDirectory.Entry(
                        name: name,
                        title: endpoint?.definition.title ?? closedLists[name]?.title ?? name,
                        // A list that cannot be read now has no count; the others do.
                        count: endpoint.flatMap(total),
                        address: addresses.list(name)
                    )
                )
            }
            let directory = ListDirectory(
                title: options.title,
                entries: entries,
                address: suffix.map(addresses.directory) ?? addresses.directory,
                alternates: [PageFormat.json, .html].filter { $0 != choice.format }
                    .map { Alternate($0, address: addresses.directory($0)) }
            )
            addFields(for: choice, to: &response)
            // RFC 8631.
            response.addField(
                .link,
                "<\(addresses.description)>; rel=\"service-desc\"; type=\"application/json\""
            )
            draw(choice.format, into: &response) { $0.render(directory, to: &$1) }
        } catch {
            refuse(error.problem, request, suffix: error.suffix, with: &response)
        }
    }

    private func total(of endpoint: ServedList) -> Count? {
        do throws(SourceError) {
            return try endpoint.total()
        } catch {
            if error == .redefined { _ = noticeRedefinition() }
            return nil
        }
    }

    /// Refuses all parameters, at an address that accepts none.
    func refuseParameters(
        _ request: borrowing HTTPRequest,
        suffix: PageFormat?
    ) throws(Refusal) {
        let parameters = ListParameters(request)
        guard !parameters.errors.isEmpty else { return }
        let (path, sent) = (request.path, parameters.sent)
        let faults = parameters.errors.map { error in
            error.fault(known: []) { correction in
                SuggestedURL.make(correction, path: path, items: sent, in: addresses)
            }
        }
        throw Refusal(
            problem: problem(
                .invalidParameter,
                "This address takes no parameters.",
                faults: faults
            ),
            suffix: suffix
        )
    }

    /// Renders a whole document; JSON ends with a line break, for terminals.
    func draw(
        _ format: PageFormat,
        into response: inout HTTPResponse,
        _ body: (any PageRenderer, inout ByteBuffer) -> Void
    ) {
        body(renderer(for: format), &response.body)
        if format != .html { response.body.append(UInt8(ascii: "\n")) }
    }

    /// Returns the renderer of a format; formats without documents of their own get JSON.
    func renderer(for format: PageFormat) -> any PageRenderer { format == .html ? html : json }

    /// Adds the fields that every document of a format has.
    ///
    /// - Parameters:
    ///   - choice: The format.
    ///   - caching: The Cache-Control value; nil for `no-cache`.
    ///   - response: The response that gets the fields.
    func addFields(
        for choice: Representation,
        caching: StaticString? = nil,
        to response: inout HTTPResponse
    ) {
        if let caching {
            Self.addFields(choice.format, choice.suffix != nil, caching: caching, to: &response)
        } else {
            let prepared = choice.suffix == nil ? Self.negotiatedFields : Self.suffixedFields
            response.addFields(prepared[choice.format.number])
        }
    }

    /// The fields of documents of each format without a suffix in the address.
    private static let negotiatedFields = PageFormat.allCases.map { format in
        PreencodedFields { addFields(format, false, caching: "no-cache", to: &$0) }
    }

    /// The fields of documents of each format with a suffix in the address.
    private static let suffixedFields = PageFormat.allCases.map { format in
        PreencodedFields { addFields(format, true, caching: "no-cache", to: &$0) }
    }

    private static func addFields(
        _ format: PageFormat,
        _ hasSuffix: Bool,
        caching: StaticString,
        to response: inout HTTPResponse
    ) {
        response.addField(.contentType, format.contentType)
        response.addField(.cacheControl, caching)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        if hasSuffix {
            response.addField(.vary, "Accept-Encoding, Accept-Language" as StaticString)
        } else {
            response.addField(
                .vary,
                "Accept, Accept-Encoding, Accept-Language" as StaticString
            )
        }
        if format == .html { addPageFields(to: &response) }
    }
}
