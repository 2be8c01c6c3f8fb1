package import HTTP
import Listings

extension Service {
    /// Decides whether the body of a request is read.
    ///
    /// Only writes and actions read it; all other requests get their response at once.
    package func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        if case .found(.importing, let captures) = router.match(request.method, request.path) {
            if let sink = importSink(request, captures) { return .hand(to: sink) }
            isWithoutContent = true
        } else if takesContent(request) {
            return .read
        }
        mayWait = false
        defer {
            mayWait = true
            isWithoutContent = false
        }
        try respond(to: request, with: &response)
        return .respond
    }

    private func takesContent(_ request: borrowing HTTPRequest) -> Bool {
        guard !request.method.ignoresBody,
            case .found(let route, let captures) = router.match(request.method, request.path)
        else { return false }
        let name = captures.count == 1 ? FormatSuffix(captures[0]).name : captures[0]
        guard let endpoint = visibleEndpoint(name) ?? visibleEndpoint(captures[0]) else {
            return false
        }
        switch route {
        case .list, .row, .rows: return endpoint.writer != nil
        case .rowAction, .bulkAction:
            return endpoint.actingReader != nil || formMethods(at: request.path) != nil
        default: return false
        }
    }

    /// Returns the possible methods of an address: a read-only list has none that write rows.
    func possible(_ methods: [HTTPMethod], at path: RequestPath) -> [HTTPMethod] {
        guard let first = path.segments.first else { return methods }
        let name = path.count == 1 ? FormatSuffix(first).name : first
        guard (visibleEndpoint(name) ?? visibleEndpoint(first))?.writer == nil else {
            return methods
        }
        let reading = methods.filter { $0.isReading || $0 == .options }
        return reading == [.options] ? [] : reading
    }
}

extension HTTPMethod {
    /// Whether a request only reads, and changes nothing.
    var isReading: Bool { self == .get || self == .head }
}
