import Bytes
package import HTTP
import ListDiff
import Listings
import Rendering

extension Service {
    private static let eventStream = MediaType("text", "event-stream")

    /// Sends the changes of a page since a client's version: once, or as a stream.
    func tellChanges(
        _ target: ListResource,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let offered = [PageFormat.json.negotiated, Self.eventStream]
        if target.suffix == nil,
            Negotiation.best(accept: request.field(.accept), among: offered) == Self.eventStream
        {
            return try streamChanges(target, request, with: &response)
        }
        let choice = try choose(among: target.formats, suffix: target.suffix, request)
        guard target.endpoint.reader.canBeFollowed else { throw cannotBeFollowed(target) }
        let call = try changesCall(target, eventID: nil, request)
        let wait = Preferences(request).wait.map { min($0, LongPoll.longest) }
        if let wait, holdsWhatThereIs {
            return try poll(call, for: wait, request, with: &response)
        }
        do throws(SourceError) {
            try call.page.endpoint.readNamed(call.page)
        } catch {
            guard !error.isOfPage else { throw expired(call) }
            throw Refusal(problem: problem(for: error), suffix: target.suffix)
        }
        guard case .changed(let difference) = call.page.endpoint.fate(of: call.held, call.page)
        else { throw expired(call) }
        if let wait, wait > 0, mayWait, request.method == .get, !isDraining(),
            call.page.endpoint.page.windowName.text() == call.since
        {
            // Only the loop is notified of changes.
            guard options.thread == .ofLoop else {
                holdsWhatThereIs = true
                return
            }
            if followed.waker != nil { return try poll(call, for: wait, request, with: &response) }
        }
        addFields(for: choice, caching: "no-store", to: &response)
        if let wait { response.addField("Preference-Applied", "wait=\(wait)") }
        write(difference, of: call.page, since: call.since, to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// Makes a request wait until its page changes.
    private func poll(
        _ call: ChangesCall,
        for wait: Int,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let page = try followedPage(call, request)
        response.deferral = LongPoll(page, since: call.since, for: wait, copy request, self)
    }

    /// Starts a stream of change events.
    private func streamChanges(
        _ target: ListResource,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.vary, "Accept" as StaticString)
        guard target.endpoint.reader.canBeFollowed else {
            // The status 204 stops a browser from reconnecting.
            response.status = .noContent
            return
        }
        let call = try changesCall(target, eventID: request.field(.lastEventID), request)
        let page: Subscription
        do throws(SourceError) {
            page = try followedPage(call, request)
        } catch {
            throw Refusal(problem: problem(for: error), suffix: nil)
        }
        response.addField(.contentType, "text/event-stream" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        response.addField("X-Accel-Buffering", "no" as StaticString)
        trace.format = .events
        response.isLasting = true
        response.stream = ChangeStream(page, since: call.since, measures)
    }

    /// Returns the followed page of a request, and creates it for the first client.
    private func followedPage(
        _ call: ChangesCall,
        _ request: borrowing HTTPRequest
    ) throws(SourceError) -> Subscription {
        let address = call.page.address
        if let page = followed.page(of: call.page.endpoint, at: address) { return page }
        let origin = Subscription.Origin(request: copy request, caller: caller)
        return try Subscription(call, at: address, origin, for: self)
    }

    /// Appends the changes since a client's version; the page must have been read before.
    func write(
        _ difference: ListDifference,
        of page: PageRequest,
        since held: String,
        to buffer: inout ByteBuffer
    ) {
        let pieces = page.shown.map { HTMLPieces(html(in: $0.language), in: $0.context()) }
        let changes = PageChanges(since: held, difference, html: pieces)
        json.render(changes, of: page.endpoint.page, in: page.answer.context(), to: &buffer)
    }

    /// Parses a request for the changes of a page.
    ///
    /// - Parameters:
    ///   - target: The target of the request's URL.
    ///   - eventID: The ID of the last event that the client received.
    ///   - request: The request.
    /// - Returns: The parsed request.
    /// - Throws: `Refusal` for invalid parameters.
    func changesCall(
        _ target: ListResource,
        eventID: String?,
        _ request: borrowing HTTPRequest
    ) throws(Refusal) -> ChangesCall {
        var parameters = ListParameters(request, of: target.endpoint, accepted: target.accepted)
        let version = parameters.readVersion(eventID: eventID)
        let isShown = parameters.readIncluded()
        guard let query = target.query(&parameters), let version else {
            throw refusal(parameters, request, target)
        }
        let list = self.target(target.endpoint, .list, nil)
        func answer(_ format: PageFormat) -> PreparedRequest {
            PreparedRequest(
                addresses: addresses,
                target: list,
                representation: Representation(forced: format, suffix: nil),
                query: query,
                layout: parameters.layout,
                sent: parameters.sent,
                fingerprint: fingerprint,
                language: language
            )
        }
        let call = ChangesCall(
            page: PageRequest(answer: answer(.json), shown: isShown ? answer(.html) : nil),
            since: version.text,
            held: version.token
        )
        // A version of the same list with another query is invalid here.
        if let held = call.held, held.list == target.endpoint.mark,
            held.question != call.page.answer.questionMark
        {
            parameters.refuse(.invalidVersion("since"))
            throw refusal(parameters, request, target)
        }
        return call
    }

    /// Returns the problem of a page that must be reloaded.
    private func expired(_ call: ChangesCall) -> Refusal {
        let detail = "The page is to be read again: what changed on it is not told."
        let way = reload(call.page.answer.target, call.page.answer.sent)
        return Refusal(
            problem: problem(.versionExpired, detail, ways: [way]),
            suffix: nil
        )
    }

    /// Returns the problem of a list whose source does not report changes.
    private func cannotBeFollowed(_ target: ListResource) -> Refusal {
        let list = target.endpoint.definition
        let way = Problem.Way("list", label: list.title, address: addresses.list(list.name))
        let detail = "The source of \(list.name) does not tell when it changes."
        return Refusal(
            problem: problem(.notFound, detail, ways: [way]),
            suffix: target.suffix
        )
    }

    /// Returns the link to the page that a request follows.
    func reload(_ target: ListResource, _ sent: [QueryItems.Item]) -> Problem.Way {
        let address = SuggestedURL.make(
            path: "\(addresses.list(target.endpoint.definition.name)).\(PageFormat.json.rawValue)",
            items: sent.filter { !ListParameters.Accepted.changeNames.contains($0.name) }
        )
        return Problem.Way("reload", label: target.endpoint.definition.title, address: address)
    }
}

extension Service: HTTPTimerHandler {
    /// Stores the waker for checks of followed lists.
    package func begin(waker: HTTPStreamWaker) { followed.waker = waker }

    /// Checks whether followed lists have changed.
    package func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        adoptLists()
        return followed.look(at: now)
    }
}
