import HTTP

/// The authentication that a service requires, for its OpenAPI description.
struct OpenAPISecurity {
    private let takesTokens: Bool
    private let isOpen: Bool
    private let limitsRate: Bool

    /// Takes the rules of a service from its options.
    init(_ options: ServiceOptions) {
        takesTokens = options.access != nil
        isOpen = options.access?.isOpen ?? true
        limitsRate = options.limitsRate
    }

    /// The ways in which a client can authenticate.
    var schemes: JSONPart {
        guard takesTokens else { return [:] }
        return ["token": ["type": "http", "scheme": "bearer"]]
    }

    /// Returns an operation with its required authentication and its refusals.
    func applied(to operation: OpenAPIOperation, _ entry: Route.Entry) -> OpenAPIOperation {
        var operation = operation
        var refusals = limitsRate ? [429] : []
        switch entry.route {
        case .live, .ready:
            if takesTokens { operation.security = [] }
            return operation
        case .problem:
            if takesTokens { operation.security = [] }
        default:
            guard takesTokens else { break }
            let isOptional = isOpen && entry.method.isReading && entry.route != .metrics
            operation.security = isOptional ? [[:], ["token": []]] : [["token": []]]
            refusals += [401, 403]
        }
        let added = refusals.filter { !operation.problems.contains($0) }
        operation.problems = (operation.problems + added).sorted()
        return operation
    }
}
