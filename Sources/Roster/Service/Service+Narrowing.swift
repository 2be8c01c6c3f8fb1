import HTTP
import Rendering

extension Service {
    /// Redirects a filter form to the list with the fields that have values.
    ///
    /// Forms also send empty fields, which the list would refuse.
    func redirectNarrowing(
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws(Refusal) {
        let suffix = FormatSuffix(captures[1]).format
        guard let endpoint = try endpoint(captures[0], request, suffix: suffix) else {
            throw Refusal(problem: noList(captures[0]), suffix: suffix)
        }
        let parameters = ListParameters(request, of: endpoint, accepted: [])
        guard !parameters.errors.contains(where: \.isOfEncoding) else {
            throw refusal(parameters, request, target(endpoint, .list, suffix))
        }
        let name = endpoint.definition.name
        let shown = suffix ?? (FormatSuffix(name).format == nil ? nil : .html)
        let path = addresses.list(shown.map { "\(name).\($0.rawValue)" } ?? name)
        let items = parameters.sent.filter { $0.value?.isEmpty == false }
        response.status = .seeOther
        response.addField(.location, SuggestedURL.make(path: path, items: items))
        response.addField(.cacheControl, "no-cache" as StaticString)
    }
}

extension ParameterError {
    /// Whether the parameter cannot be decoded.
    fileprivate var isOfEncoding: Bool {
        if case .malformedEncoding = self { true } else { false }
    }
}
