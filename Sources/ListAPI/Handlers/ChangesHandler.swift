import Bytes
import HTTP
import ListDiff
import Listings
import Rendering

enum ChangesHandler {
    private static let eventStream = MediaType("text", "event-stream")

    static func wantsStream(_ request: borrowing HTTPRequest) -> Bool {
        let offered = [PageFormat.json.negotiated, eventStream]
        return Negotiation.best(accept: request.field(.accept), among: offered) == eventStream
    }

    static func respond(to call: inout Call, at target: ListResource) throws {
        if target.suffix == nil, Self.wantsStream(call.request) {
            return try stream(target, in: &call)
        }
        let choice = try call.choose(among: target.formats, suffix: target.suffix)
        guard target.endpoint.reader.canBeFollowed else {
            let list = target.endpoint.definition
            throw call.missing("The source of \(list.name) does not report changes.", in: list)
        }
        let changes = try parse(target, eventID: nil, in: &call)
        let wait = Preferences(call.request).wait.map { min($0, LongPoll.longest) }
        if let wait, call.clientIsCurrent {
            return try poll(changes, for: wait, in: &call)
        }
        do throws(SourceError) {
            try changes.page.endpoint.readNamed(changes.page)
        } catch {
            guard !error.isOfPage else { throw expired(changes, in: call) }
            throw error
        }
        let page = changes.page
        guard let difference = page.endpoint.difference(from: changes.held, page) else {
            throw expired(changes, in: call)
        }
        if let wait, wait > 0, call.canWait, call.request.method == .get,
            !call.service.isDraining(),
            changes.page.endpoint.page.windowName.text() == changes.since
        {
            // Only the loop is notified of changes.
            guard let loop = call.loop else {
                call.clientIsCurrent = true
                return
            }
            if loop.subscriptions.waker != nil {
                return try poll(changes, for: wait, in: &call)
            }
        }
        DocumentFields.add(for: choice, caching: "no-store", to: &call.response)
        if let wait { call.response.addField("Preference-Applied", "wait=\(wait)") }
        write(
            difference,
            of: changes.page,
            since: changes.since,
            call.service,
            to: &call.response.body
        )
        call.response.body.append(UInt8(ascii: "\n"))
    }

    private static func poll(_ changes: ChangesCall, for wait: Int, in call: inout Call) throws {
        guard let loop = call.loop else { preconditionFailure("only loops wait for changes") }
        let page = try subscription(changes, loop, in: call)
        call.response.deferral = LongPoll(page, since: changes.since, for: wait, call.request, loop)
    }

    private static func stream(_ target: ListResource, in call: inout Call) throws {
        call.response.addField(.cacheControl, "no-store" as StaticString)
        call.response.addField(.vary, "Accept" as StaticString)
        guard target.endpoint.reader.canBeFollowed else {
            // The status 204 stops a browser from reconnecting.
            call.response.status = .noContent
            return
        }
        let changes = try parse(target, eventID: call.request.field(.lastEventID), in: &call)
        guard let loop = call.loop else {
            // The list could not be opened on the loop a moment ago.
            call.clientIsCurrent = true
            return
        }
        let page = try subscription(changes, loop, in: call)
        call.response.addField(.contentType, "text/event-stream" as StaticString)
        call.response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        call.response.addField("X-Accel-Buffering", "no" as StaticString)
        call.trace.format = .events
        call.response.isLasting = true
        call.response.stream = ChangeStream(page, since: changes.since, loop.metrics)
    }

    private static func subscription(
        _ changes: ChangesCall,
        _ loop: LoopState,
        in call: borrowing Call
    ) throws(SourceError) -> Subscription {
        let address = changes.page.address
        if let page = loop.subscriptions.page(of: changes.page.endpoint, at: address) {
            return page
        }
        let origin = Subscription.Origin(
            request: call.request,
            id: call.id.text,
            list: changes.page.endpoint.definition.name,
            caller: call.caller
        )
        return try Subscription(changes, at: address, origin, for: loop)
    }

    /// Appends the changes since a client's version; the page must have been read before.
    static func write(
        _ difference: ListDifference,
        of page: PageRequest,
        since held: String,
        _ service: Service,
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

    static func parse(
        _ target: ListResource,
        eventID: String?,
        in call: inout Call
    ) throws(Problem) -> ChangesCall {
        var parameters = ListParameters(call.request, at: target, paths: .own)
        let version = parameters.readVersion(eventID: eventID)
        let isShown = parameters.readIncluded()
        let json = Representation(forced: .json, suffix: nil)
        let parsed = ListRequest(parsing: &parameters, at: target, as: json)
        guard let parsed, let version else { throw call.problem(of: parameters, target) }
        let list = ListResource(target.endpoint, in: call)
        func prepare(_ format: PageFormat) -> PreparedRequest {
            let page = parsed.with {
                $0.place = .list
                $0.representation = Representation(forced: format, suffix: nil)
            }
            return call.prepare(page, of: list, sent: parameters.sent)
        }
        let changes = ChangesCall(
            page: PageRequest(prepared: prepare(.json), shown: isShown ? prepare(.html) : nil),
            since: version.text,
            held: version.token
        )
        // A version of the same list with another query is invalid here.
        if let held = changes.held, held.list == target.endpoint.mark,
            held.query != changes.page.prepared.queryHash
        {
            parameters.refuse(.invalidVersion("since"))
            throw call.problem(of: parameters, target)
        }
        return changes
    }

    private static func expired(_ changes: ChangesCall, in call: borrowing Call) -> Problem {
        let detail: Text = "Read the page again: its changes are not available."
        let link = call.reload(changes.page.prepared.target, changes.page.prepared.sent)
        return Problem(.versionExpired, detail, links: [link])
    }

    /// The name is the current version, empty where there is no such page.
    static func event(
        since held: String,
        name: String,
        of request: PageRequest,
        _ service: Service
    ) -> [UInt8] {
        var buffer = ByteBuffer(minimumCapacity: 4 * 1024)
        // A page that cannot be read makes the client reload.
        if !name.isEmpty,
            let difference = request.endpoint.difference(from: try? PageDigest(held), request)
        {
            Self.write("changes", name, to: &buffer) { buffer in
                write(difference, of: request, since: held, service, to: &buffer)
            }
            if buffer.count <= Subscription.maximumEventBytes { return buffer.array() }
            buffer.removeAll()
        }
        Self.write("reset", name, to: &buffer) { buffer in
            service.json.renderReset(in: request.prepared.context(), to: &buffer)
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

    /// Throws `Problem` where the caller may no longer read the list.
    static func renewal(
        of origin: Subscription.Origin,
        since held: String,
        in lists: OpenLists
    ) throws -> Subscription.Renewal {
        var call = Call(origin.request, lists, RequestID(origin.id))
        call.caller = call.service.renewed(origin.caller)
        call.language = PageLanguage(for: origin.request)
        let endpoint = try call.requireEndpoint(origin.list)
        let target = ListResource(endpoint, .changes, nil, in: call)
        let eventID = origin.request.field(.lastEventID)
        let request = try parse(target, eventID: eventID, in: &call).page
        let name: String
        do {
            name = try request.endpoint.readName(of: request)
        } catch {
            // The loop drops the page when it adopts the current lists.
            if error == .redefined { call.service.options.lists?.refresh() }
            throw error
        }
        guard name != held else { return .init(name: name, event: nil) }
        return .init(name: name, event: event(since: held, name: name, of: request, call.service))
    }
}
