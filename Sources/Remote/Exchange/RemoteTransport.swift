/// Carries requests to servers and brings their answers back.
///
/// It follows no redirect, keeps no cookies and no cache, and judges no status: all that is done
/// once, by what uses it.
public protocol RemoteTransport: Sendable {
    /// Asks a server.
    ///
    /// - Parameter request: What to ask; its timeout and its bound on the answer are kept to.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``RemoteError/transport(_:)`` without an answer, ``RemoteError/tooLarge(maximumBytes:)``
    ///   as soon as the answer is past its bound.
    func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse

    /// Takes note that nothing more is asked for a while: what waits for requests may be given up.
    func refreshEnded()
}

/// A request, complete.
public struct RemoteRequest: Hashable, Sendable {
    /// What is asked to be done.
    public var method: Endpoint.Method
    /// Whom and what to ask.
    public var address: RemoteAddress
    /// The fields, besides those of the connection.
    public var fields: [RemoteField]
    /// The body; empty for none.
    public var body: [UInt8]
    /// The longest time until the last byte of the answer.
    public var timeout: Duration
    /// The largest answer, in bytes of its decoded body.
    public var maximumBytes: Int

    /// Creates a request.
    public init(
        method: Endpoint.Method = .get,
        address: RemoteAddress,
        fields: [RemoteField] = [],
        body: [UInt8] = [],
        timeout: Duration = .seconds(60),
        maximumBytes: Int = 64 << 20
    ) {
        self.method = method
        self.address = address
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.maximumBytes = maximumBytes
    }
}

/// What a server has answered.
public struct RemoteResponse: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The fields as received.
    public var fields: [RemoteField]
    /// The body, decoded where it was compressed.
    public var body: [UInt8]

    /// Creates an answer.
    public init(status: Int = 200, fields: [RemoteField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of a field, the values joined by `, ` when it came several times (RFC 9110 §5.3);
    /// nil when it did not come.
    public func field(_ name: String) -> String? {
        let values = fields.filter { $0.isNamed(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
