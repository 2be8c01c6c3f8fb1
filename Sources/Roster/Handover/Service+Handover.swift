import HTTP
import Listings
import Rendering

/// Requests that are left to another thread, and their answers taken over.
extension Service {
    /// Leaves a request that would write to a list: a writer waits for others, and for the disk.
    ///
    /// - Returns: Whether it was left, with nothing done; where a thread answers that may wait.
    func leaveWriting(_ request: borrowing HTTPRequest, _ route: Route) -> Bool {
        // The content of an import is taken by a thread of its own.
        guard let turn, turn.isRunning, route != .importing, route != .imported,
            let endpoint = listName(at: request.path).flatMap({ endpoints[$0] }),
            endpoint.writer != nil
        else { return false }
        trace.list = endpoint.measures
        turn.leave()
        return true
    }

    /// What another service needs to answer the request that is left.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - kept: What a page shows that is sent again where the list is still the same.
    /// - Returns: The request to be handed over.
    func hand(over request: borrowing HTTPRequest, _ kept: CacheableResponse?) -> HandedRequest {
        let list = listName(at: request.path)
        return HandedRequest(
            request: copy request,
            id: requestID(),
            caller: caller,
            list: list,
            findings: list.flatMap { endpoints[$0]?.findings } ?? [:],
            kept: kept.map { .init(segment: $0.endpoint.segment, version: $0.version) },
            mayWait: mayWait && followed.waker != nil
        )
    }

    /// Goes on with a request that another service has answered.
    ///
    /// - Parameters:
    ///   - handed: The request.
    ///   - trace: What the other one knows of it.
    ///   - problems: What the other one has told of.
    func resume(_ handed: HandedRequest, _ trace: RequestTrace, _ problems: [ProblemKind]) {
        beginRequest(handed.request, named: handed.id)
        caller = renewed(handed.caller)
        language = PageLanguage(for: handed.request)
        self.trace = trace
        self.trace.list = handed.list.flatMap { endpoints[$0]?.measures }
        for kind in problems { measures.add(kind) }
    }

    /// Takes over what another service has found out about a list.
    func learn(_ findings: [String: any Sendable], of list: String?) {
        if let list { endpoints[list]?.findings = findings }
    }

    /// Tells why there is no answer.
    func refuse(
        _ error: any Error,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(for: error), request, suffix: nil, with: &response)
    }

    /// A page that another service has shown, as one of this service's own list.
    func own(_ shown: CacheableResponse) -> CacheableResponse? {
        guard let endpoint = own(shown.endpoint) else { return nil }
        var trace = shown.trace
        trace.list = endpoint.measures ?? endpoints[endpoint.definition.name]?.measures
        return CacheableResponse(
            tag: shown.tag,
            endpoint: endpoint,
            version: shown.version,
            trace: trace
        )
    }

    /// Has an export go on here that another service has begun.
    ///
    /// - Returns: Whether it can; false where this service's list has another definition.
    func adopt(_ export: ExportStream) -> Bool {
        guard let endpoint = own(export.endpoint) else { return false }
        export.move(to: endpoint, workers)
        return true
    }

    /// This service's endpoint of the list of another one's.
    private func own(_ other: ListEndpoint) -> ListEndpoint? {
        let endpoint = endpoints[other.definition.name]
        guard endpoint?.number == other.number else { return nil }
        return other.segment.map { endpoint?.endpoint(ofSegment: $0) } ?? endpoint
    }
}
