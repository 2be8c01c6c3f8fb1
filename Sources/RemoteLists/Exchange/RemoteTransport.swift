/// A transport that sends requests to servers and receives their responses.
///
/// It follows no redirects, stores no cookies, has no cache and checks no status. Its user does
/// that.
public protocol RemoteTransport: Sendable {
    /// Sends a request to a server.
    ///
    /// - Parameter request: The request, with its timeout and its size limit, which are enforced.
    /// - Returns: The response, with any status.
    /// - Throws: ``RemoteError/transport(_:)`` without a response,
    ///   ``RemoteError/tooLarge(maximumBytes:)`` as soon as the response exceeds the limit.
    func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse

    /// Reports that no request follows soon, so that idle resources may be released.
    func refreshEnded()
}

/// A complete request.
public struct RemoteRequest: Hashable, Sendable {
    /// The method.
    public var method: Endpoint.Method
    /// The address.
    public var address: RemoteAddress
    /// The fields, without those of the connection.
    public var fields: [RemoteField]
    /// The body, or empty.
    public var body: [UInt8]
    /// The maximum time until the last byte of the response.
    public var timeout: Duration
    /// The maximum size of the response, in bytes of its decoded body.
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

/// A response of a server.
public struct RemoteResponse: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The fields as received.
    public var fields: [RemoteField]
    /// The body, after decompression.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int = 200, fields: [RemoteField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Returns the value of a field, or nil.
    ///
    /// Repeated values are joined by `, ` (RFC 9110 §5.3).
    public func field(_ name: String) -> String? {
        let values = fields.filter { $0.isNamed(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
