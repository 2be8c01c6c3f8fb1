/// What is asked of a server: a value, to be asked as often as one likes.
public struct Endpoint: Hashable, Sendable {
    /// What is asked to be done; an open set.
    public struct Method: Hashable, Sendable {
        /// The method as it is sent.
        public let name: String

        /// Takes a method by its name; the result is nil when the name is no token
        /// (RFC 9110 §5.6.2).
        public init?(_ name: String) {
            guard RemoteField.isToken(name) else { return nil }
            self.name = name
        }

        private init(known name: String) { self.name = name }

        /// Give out a representation.
        public static let get = Method(known: "GET")
        /// Process the body; for services that are asked for lists that way.
        public static let post = Method(known: "POST")
    }

    /// A name and a value of the query, not encoded.
    public struct QueryItem: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates an item.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// The item as it stands in a query.
        var encoded: String {
            func encoded(_ text: String) -> String {
                RemoteAddress.encoded(text, in: .queryItem) ?? ""
            }
            return "\(encoded(name))=\(encoded(value))"
        }
    }

    /// What is asked to be done.
    ///
    /// Default GET.
    public var method = Method.get
    /// Where below the configuration's address; empty asks that address itself.
    public var path = ""
    /// Appended to the query of the configuration's address.
    public var query: [QueryItem] = []
    /// Sent besides those of the configuration, and instead of those with the same name.
    public var fields: [RemoteField] = []
    /// The longest time for one answer, from asking to its last byte; nil takes the
    /// configuration's.
    public var timeout: Duration?
    /// Sent with the request.
    ///
    /// Default empty.
    public var body: [UInt8] = []

    /// Creates an endpoint that is read.
    public init(_ path: String = "", query: [QueryItem] = [], fields: [RemoteField] = []) {
        self.path = path
        self.query = query
        self.fields = fields
    }

    /// The first request.
    func request(_ configuration: RemoteConfiguration) throws(RemoteError) -> RemoteRequest {
        var sent = configuration.fields.filter { field in
            !fields.contains { $0.isNamed(field.name) }
        }
        sent += fields
        if !sent.contains(where: { $0.isNamed("accept") }) { sent.append(.accept) }
        return RemoteRequest(
            method: method,
            address: try configuration.address.extended(path: path, query: query),
            fields: sent,
            body: body,
            timeout: timeout ?? configuration.timeout,
            maximumBytes: configuration.limits.maximumResponseBytes
        )
    }
}
