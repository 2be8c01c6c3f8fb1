import Bytes
import HTTP
import ListDiff
import Listings
import Rendering

/// Responds with the changes of pages: once, after a wait, or as a stream.
struct ChangesHandler {
    let service: Service

    private static let eventStream = MediaType("text", "event-stream")

    /// Whether a request prefers a stream of events.
    static func wantsStream(_ request: borrowing HTTPRequest) -> Bool {
        let offered = [PageFormat.json.negotiated, eventStream]
        return Negotiation.best(accept: request.field(.accept), among: offered) == eventStream
    }

    /// Sends the changes of a page since a client's version: once, or as a stream.
    func respond(
        to request: borrowing HTTPRequest,
        at target: ListResource,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        if target.suffix == nil, Self.wantsStream(request) {
            return try stream(target, request, in: &context, with: &response)
        }
        let choice = try context.choose(among: target.formats, suffix: target.suffix, request)
        guard target.endpoint.reader.canBeFollowed else {
            let list = target.endpoint.definition
            throw context.missing("The source of \(list.name) does not report changes.", in: list)
        }
        let call = try parse(target, eventID: nil, request, in: &context)
        let wait = Preferences(request).wait.map { min($0, LongPoll.longest) }
        if let wait, context.clientIsCurrent {
            return try poll(call, for: wait, request, in: &context, with: &response)
        }
        do throws(SourceError) {
            try call.page.endpoint.readNamed(call.page)
        } catch {
            guard !error.isOfPage else { throw expired(call, in: context) }
            throw error
        }
        guard case .changed(let difference) = call.page.endpoint.outcome(of: call.held, call.page)
        else { throw expired(call, in: context) }
        if let wait, wait > 0, context.canWait, request.method == .get, !service.isDraining(),
            call.page.endpoint.page.windowName.text() == call.since
        {
            // Only the loop is notified of changes.
            guard let loop = context.loop else {
                context.clientIsCurrent = true
                return
            }
            if loop.subscriptions.waker != nil {
                return try poll(call, for: wait, request, in: &context, with: &response)
            }
        }
        DocumentFields.add(for: choice, caching: "no-store", to: &response)
        if let wait { response.addField("Preference-Applied", "wait=\(wait)") }
        write(difference, of: call.page, since: call.since, to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// Makes a request wait until its page changes.
    private func poll(
        _ call: ChangesCall,
        for wait: Int,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        guard let loop = context.loop else { preconditionFailure("only loops wait for changes") }
        let page = try subscription(call, request, loop, in: context)
        response.deferral = LongPoll(page, since: call.since, for: wait, copy request, loop)
    }

    /// Starts a stream of change events.
    private func stream(
        _ target: ListResource,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.vary, "Accept" as StaticString)
        guard target.endpoint.reader.canBeFollowed else {
            // The status 204 stops a browser from reconnecting.
            response.status = .noContent
            return
        }
        let call = try parse(target, eventID: request.field(.lastEventID), request, in: &context)
        guard let loop = context.loop else {
            // The list could not be opened on the loop a moment ago.
            context.clientIsCurrent = true
            return
        }
        let page = try subscription(call, request, loop, in: context)
        response.addField(.contentType, "text/event-stream" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        response.addField("X-Accel-Buffering", "no" as StaticString)
        context.trace.format = .events
        response.isLasting = true
        response.stream = ChangeStream(page, since: call.since, loop.metrics)
    }

    /// Returns the followed page of a request, and creates it for the first client.
    private func subscription(
        _ call: ChangesCall,
        _ request: borrowing HTTPRequest,
        _ loop: LoopState,
        in context: borrowing RequestContext
    ) throws(SourceError) -> Subscription {
        let address = call.page.address
        if let page = loop.subscriptions.page(of: call.page.endpoint, at: address) { return page }
        let origin = Subscription.Origin(
            request: copy request,
            id: context.id,
            list: call.page.endpoint.definition.name,
            caller: context.caller
        )
        return try Subscription(call, at: address, origin, for: loop)
    }

    /// Appends the changes since a client's version; the page must have been read before.
    func write(
        _ difference: ListDifference,
        of page: PageRequest,
        since held: String,
        to buffer: inout ByteBuffer
    ) {
        let pieces = page.shown.map { shown in
            HTMLPieces(
                service.pages[shown.language, shown.addresses],
                in: shown.context()
            )
        }
        let changes = PageChanges(since: held, difference, html: pieces)
        service.json.render(
            changes,
            of: page.endpoint.page,
            in: page.prepared.context(),
            to: &buffer
        )
    }

    /// Parses a request for the changes of a page, since the last event that the client received.
    func parse(
        _ target: ListResource,
        eventID: String?,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) throws(Problem) -> ChangesCall {
        var parameters = ListParameters(request, at: target, paths: .own)
        let version = parameters.readVersion(eventID: eventID)
        let isShown = parameters.readIncluded()
        let json = Representation(forced: .json, suffix: nil)
        let parsed = ListRequest(parsing: &parameters, at: target, as: json)
        guard let parsed, let version else { throw context.problem(of: parameters, request, target) }
        let list = ListResource(target.endpoint, in: context)
        func prepare(_ format: PageFormat) -> PreparedRequest {
            let page = parsed.with {
                $0.place = .list
                $0.representation = Representation(forced: format, suffix: nil)
            }
            return context.prepare(page, of: list, sent: parameters.sent)
        }
        let call = ChangesCall(
            page: PageRequest(prepared: prepare(.json), shown: isShown ? prepare(.html) : nil),
            since: version.text,
            held: version.token
        )
        // A version of the same list with another query is invalid here.
        if let held = call.held, held.list == target.endpoint.mark,
            held.question != call.page.prepared.queryHash
        {
            parameters.refuse(.invalidVersion("since"))
            throw context.problem(of: parameters, request, target)
        }
        return call
    }

    /// Returns the problem of a page that must be reloaded.
    private func expired(
        _ call: ChangesCall,
        in context: borrowing RequestContext
    ) -> Problem {
        let detail = "Read the page again: its changes are not available."
        let way = context.reload(call.page.prepared.target, call.page.prepared.sent)
        return Problem(.versionExpired, detail, ways: [way])
    }
}

extension ChangesHandler {
    /// Returns an event for a page that was just read.
    ///
    /// - Parameters:
    ///   - held: The version that the clients have.
    ///   - name: The current version; empty where there is no such page.
    ///   - question: The query of the page.
    /// - Returns: The event.
    func event(since held: String, name: String, of question: PageRequest) -> [UInt8] {
        var buffer = ByteBuffer(minimumCapacity: 4 * 1024)
        // A page that cannot be read makes the client reload.
        if !name.isEmpty,
            case .changed(let difference) =
                question.endpoint.outcome(of: try? PageDigest(held), question)
        {
            Self.write("changes", name, to: &buffer) { buffer in
                write(difference, of: question, since: held, to: &buffer)
            }
            if buffer.count <= Subscription.maximumEventBytes { return buffer.array() }
            buffer.removeAll()
        }
        Self.write("reset", name, to: &buffer) { buffer in
            service.json.renderReset(in: question.prepared.context(), to: &buffer)
        }
        return buffer.array()
    }

    private static func write(
        _ event: StaticString,
        _ name: String,
        to buffer: inout ByteBuffer,
        data: (inout ByteBuffer) -> Void
    ) {
        buffer.append("event: " as StaticString)
        buffer.append(event)
        buffer.append("\nid: " as StaticString)
        buffer.append(name)
        buffer.append("\ndata: " as StaticString)
        data(&buffer)
        buffer.append("\n\n" as StaticString)
    }

    /// Reads a page that clients of another loop follow, with their caller and language.
    ///
    /// - Parameters:
    ///   - origin: The request data of the page.
    ///   - held: The version that some of the clients have.
    ///   - lists: The lists of the worker.
    /// - Returns: The current version and the event for these clients.
    /// - Throws: ``SourceError`` where the page cannot be read; `Problem` where the caller may no
    ///   longer read the list.
    func renewal(
        of origin: Subscription.Origin,
        since held: String,
        in lists: OpenLists
    ) throws -> Subscription.Renewal {
        var context = RequestContext(lists, for: origin.request, id: origin.id)
        context.caller = service.renewed(origin.caller)
        context.language = PageLanguage(for: origin.request)
        let endpoint = try context.requireEndpoint(origin.list, origin.request)
        let target = ListResource(endpoint, .changes, nil, in: context)
        let eventID = origin.request.field(.lastEventID)
        let question = try parse(target, eventID: eventID, origin.request, in: &context).page
        let name: String
        do {
            name = try question.endpoint.readName(of: question)
        } catch {
            // The loop drops the page when it adopts the current lists.
            if error == .redefined { service.options.lists?.refresh() }
            throw error
        }
        guard name != held else { return .init(name: name, event: nil) }
        return .init(name: name, event: event(since: held, name: name, of: question))
    }
}
