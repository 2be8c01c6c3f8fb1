import HTTP
import Listings
import Rendering

/// Requests that are offloaded to another thread, and their responses.
extension Service {
    /// Offloads a request that writes to a list, because writers wait for locks and the disk.
    ///
    /// - Returns: Whether it was offloaded, with nothing done; false on a thread that may wait.
    func leaveWriting(_ request: borrowing HTTPRequest, _ route: Route) -> Bool {
        // An import already has a thread of its own for its content.
        guard let turn, turn.isRunning, route != .importing, route != .imported,
            let endpoint = listName(at: request.path).flatMap({ endpoints[$0] }),
            endpoint.writer != nil
        else { return false }
        trace.list = endpoint.measures
        turn.leave()
        return true
    }

    /// Returns the data that another service needs to handle an offloaded request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - kept: The cached page, which is sent again if the list is unchanged.
    /// - Returns: The request to offload.
    func hand(over request: borrowing HTTPRequest, _ kept: CacheableResponse?) -> OffloadedRequest {
        let list = listName(at: request.path)
        return OffloadedRequest(
            request: copy request,
            id: requestID(),
            caller: caller,
            list: list,
            findings: list.flatMap { endpoints[$0]?.findings } ?? [:],
            kept: kept.map { .init(segment: $0.endpoint.segment, version: $0.version) },
            mayWait: mayWait && followed.waker != nil
        )
    }

    /// Resumes a request that another service has handled.
    ///
    /// - Parameters:
    ///   - handed: The request.
    ///   - trace: The other service's log data of the request.
    ///   - problems: The problems that the other service has sent.
    func resume(_ handed: OffloadedRequest, _ trace: RequestTrace, _ problems: [ProblemKind]) {
        beginRequest(handed.request, named: handed.id)
        caller = renewed(handed.caller)
        language = PageLanguage(for: handed.request)
        self.trace = trace
        self.trace.list = handed.list.flatMap { endpoints[$0]?.measures }
        for kind in problems { measures.add(kind) }
    }

    /// Stores facts that another service has found about a list.
    func learn(_ findings: [String: any Sendable], of list: String?) {
        if let list { endpoints[list]?.findings = findings }
    }

    /// Responds with the problem of an error.
    func refuse(
        _ error: any Error,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        refuse(problem(for: error), request, suffix: nil, with: &response)
    }

    /// Returns another service's rendered page with this service's endpoint.
    ///
    /// Returns nil where this service has another definition of the list.
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

    /// Continues an export that another service has started.
    ///
    /// - Returns: Whether that is possible; false where this service's list has another definition.
    func adopt(_ export: ExportStream) -> Bool {
        guard let endpoint = own(export.endpoint) else { return false }
        export.move(to: endpoint, workers)
        return true
    }

    /// Returns this service's endpoint for the list of another service's endpoint.
    private func own(_ other: ServedList) -> ServedList? {
        let endpoint = endpoints[other.definition.name]
        guard endpoint?.number == other.number else { return nil }
        return other.segment.map { endpoint?.endpoint(ofSegment: $0) } ?? endpoint
    }
}
