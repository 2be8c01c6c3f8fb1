import HTTP
import Listings
import Rendering

/// A request to act on a list or write to it, with a parsed address.
protocol ListCall {
    var endpoint: ServedList { get }
    /// The list as the address shows it, which people return to.
    var answer: PreparedRequest { get }
    /// The address of the list that people return to.
    var listAddress: String { get }
}

extension ListCall {
    var list: ListDefinition { endpoint.definition }

    /// The format in the suffix of the address; nil without one.
    var suffix: PageFormat? { answer.representation.suffix }

    /// Whether the client is a browser, which returns to the list afterwards.
    var isOfPerson: Bool { answer.representation.format == .html }
}

extension Service {
    /// Parses the address of a request to act on a list or write to it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - target: The target of its address.
    ///   - formats: The formats of the response.
    ///   - accepted: The accepted parameters; nil for those of the target.
    /// - Returns: The list as the address shows it.
    /// - Throws: `Refusal` for an unacceptable format or an invalid parameter.
    func answer(
        _ request: borrowing HTTPRequest,
        at target: ListResource,
        among formats: [PageFormat],
        accepting accepted: ListParameters.Accepted? = nil
    ) throws -> PreparedRequest {
        let choice = try choose(among: formats, suffix: target.suffix, request)
        var parameters = ListParameters(
            request,
            of: target.endpoint,
            accepted: accepted ?? target.accepted
        )
        guard let query = target.query(&parameters) else {
            throw refusal(parameters, request, target)
        }
        return PreparedRequest(
            addresses: addresses,
            target: target,
            representation: choice,
            query: query,
            layout: parameters.layout,
            sent: parameters.sent,
            fingerprint: fingerprint,
            language: language
        )
    }

    /// Returns a problem with a link back to the list.
    func refusal(
        _ call: some ListCall,
        _ kind: ProblemKind,
        _ detail: String,
        faults: [Problem.Fault] = []
    ) -> Refusal {
        let way = Problem.Way("list", label: call.list.title, address: call.listAddress)
        return Refusal(
            problem: problem(kind, detail, faults: faults, ways: [way]),
            suffix: call.suffix
        )
    }
}
