import HTTP
import Listings
import Rendering

/// A request to do something with a list, understood as far as its address.
protocol ListCall {
    var endpoint: ListEndpoint { get }
    /// The list as it was looked at: where a person is led back to.
    var answer: PreparedRequest { get }
    /// The address of the list as it was looked at.
    var listAddress: String { get }
}

extension ListCall {
    var list: ListDefinition { endpoint.definition }

    /// The format that the address named, if it did.
    var suffix: PageFormat? { answer.representation.suffix }

    /// Whether a person asks, who wants to see the list again.
    var isOfPerson: Bool { answer.representation.format == .html }
}

extension Service {
    /// Understands the address of a request to do something with a list.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - target: What its address names.
    ///   - formats: The formats that its answer has.
    ///   - accepted: The parameters it takes; nil for those of the target.
    /// - Returns: The list as it was looked at.
    /// - Throws: `Refusal` for a format or a parameter that is not understood.
    func answer(
        _ request: borrowing HTTPRequest,
        at target: ListTarget,
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

    /// A problem of what was to be done, with the way back to the list.
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
