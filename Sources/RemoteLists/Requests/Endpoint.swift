/// A request to a server as a value that can be reused.
public struct Endpoint: Hashable, Sendable {
    /// The method of a request.
    ///
    /// Any token is allowed.
    public struct Method: Hashable, Sendable {
        /// The name as sent.
        public let name: String

        /// Creates a method from its name.
        ///
        /// The result is nil if the name is not a token (RFC 9110 §5.6.2).
        public init?(_ name: String) {
            guard RemoteField.isToken(name) else { return nil }
            self.name = name
        }

        private init(known name: String) { self.name = name }

        /// GET, which reads a representation.
        public static let get = Method(known: "GET")
        /// POST, which processes the body, for services that require it to read lists.
        public static let post = Method(known: "POST")
    }

    /// A name and a value of the query, without percent-encoding.
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

        var encoded: String {
            func encoded(_ text: String) -> String {
                RemoteAddress.encoded(text, in: .queryItem) ?? ""
            }
            return "\(encoded(name))=\(encoded(value))"
        }
    }

    /// The method.
    ///
    /// Default GET.
    public var method = Method.get
    /// The path below the configuration's address.
    ///
    /// Empty requests that address itself.
    public var path = ""
    /// The items appended to the query of the configuration's address.
    public var query: [QueryItem] = []
    /// The additional fields, which replace fields of the configuration with the same name.
    public var fields: [RemoteField] = []
    /// The maximum time from the request to the last byte of the response.
    ///
    /// Nil uses the configuration's.
    public var timeout: Duration?
    /// The body of the request.
    ///
    /// Default empty.
    public var body: [UInt8] = []

    /// Creates an endpoint with the method GET.
    public init(_ path: String = "", query: [QueryItem] = [], fields: [RemoteField] = []) {
        self.path = path
        self.query = query
        self.fields = fields
    }

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
