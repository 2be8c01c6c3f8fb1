package import Bytes

/// A request as a client sent it, checked against the grammar.
///
/// It holds a copy of the head's bytes and the ranges of the fields, and makes strings on demand.
/// The event loop reuses its memory for the next request.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod = .get { didSet { readHead = nil } }

    /// The version by which the request is interpreted.
    public var version: HTTPVersion = .http11 { didSet { readHead = nil } }

    /// The path of the target, decoded.
    public var path = RequestPath() { didSet { readHead = nil } }

    /// The complete body; empty without one, and for methods whose body has no meaning.
    public var body: [UInt8] = []

    /// The sink that has taken the body piece by piece; nil if it is in ``body``.
    public var sink: (any HTTPBodySink)?

    /// The head's bytes as they were sent.
    var head: [UInt8] = []

    /// Ranges in `head`.
    var fields: [FieldLine] = []

    /// A range in `head`; nil without `?`.
    var queryRange: Range<Int>?

    /// The range of the target's authority in `head`, for a target in absolute form.
    var authorityRange: Range<Int>?

    package internal(set) var external: ExternalAddress?
    /// Whether ``external`` is there; a stored flag, because testing the value copies it.
    package internal(set) var hasExternalAddress = false

    /// The result of reading the head, valid while method, version and path are unchanged.
    private(set) var readHead: ReadHead?

    init() {}

    /// The query as it was sent, without the `?`; nil when the target has no `?`.
    public var query: String? {
        queryRange.map { text(of: $0) }
    }

    /// The query's names and values, decoded.
    ///
    /// - Throws: The first name or value that cannot be decoded.
    public var queryItems: QueryItems {
        get throws(QueryError) { try QueryItems(rawQuery: query) }
    }

    /// The requested host, with its port if one was sent.
    ///
    /// A trusted proxy's value comes first, then the target's authority in absolute form, then the
    /// Host field. It is nil for an HTTP/1.0 request without one.
    public var authority: String? {
        if let authority = external?.authority { return authority }
        return authorityRange.map { text(of: $0) } ?? field(.host)
    }

    /// Returns the value of a field; nil if it was not sent.
    ///
    /// The values of repeated fields are joined by `, ` (RFC 9110 §5.3). A value that is not UTF-8
    /// is read as ISO 8859-1, so that no byte is lost.
    public func field(_ name: FieldName) -> String? {
        var value: String?
        for field in fields where isNamed(field, name) {
            let text = text(of: field.value)
            value = value.map { $0 + ", " + text } ?? text
        }
        return value
    }
}

extension HTTPRequest {
    /// Creates a request as if it had been received, for tests and for handlers called in memory.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The request target, as in `/users?limit=5`.
    ///   - fields: Fields in order; Host is added if it is missing.
    ///   - body: The complete body; Content-Length is not added.
    /// - Throws: The error for which a client's request would be refused.
    public init(
        _ method: HTTPMethod = .get,
        _ target: String = "/",
        fields: [(FieldName, String)] = [],
        body: [UInt8] = []
    ) throws(ParseError) {
        var text = "\(method.name) \(target) HTTP/1.1\r\n"
        if !fields.contains(where: { $0.0 == .host }) { text += "host: localhost\r\n" }
        for (name, value) in fields { text += "\(name.name): \(value)\r\n" }
        text += "\r\n"
        self.init()
        var parser = RequestParser()
        let bytes = Array(text.utf8)
        guard case .complete = try parser.parse(bytes.span, into: &self, limits: HTTPLimits())
        else {
            throw .truncatedHead
        }
        self.body = body
    }

    /// A number of the head, equal only for equal heads of the process.
    ///
    /// Results about a head hold for all requests with its number. It is nil if no connection has
    /// read the request, or if method, version or path have changed. It is also nil with an
    /// ``external`` address, which depends on the sender. The body is not part of the head.
    package var headNumber: UInt64? { hasExternalAddress ? nil : readHead?.number }

    struct ReadHead: Sendable {
        /// Nil if heads are not numbered.
        let number: UInt64?
        let connection: RequestHead
    }

    mutating func keep(_ connection: RequestHead, number: UInt64?) {
        readHead = ReadHead(number: number, connection: connection)
    }

    /// Nil if the bytes do not begin with the same head.
    borrowing func headRead(at bytes: borrowing Span<UInt8>) -> RequestHead? {
        guard let readHead, bytes.count >= head.count,
            bytes.extracting(..<head.count).equals(head.span)
        else { return nil }
        return readHead.connection
    }

    package static let empty = HTTPRequest()

    /// Memory from an earlier request.
    var hasMemory: Bool { head.capacity > 0 }

    package func hasField(_ name: FieldName) -> Bool {
        fields.contains { isNamed($0, name) }
    }

    func isNamed(_ field: FieldLine, _ name: FieldName) -> Bool {
        switch name.storage {
        case .known(let known): field.known == known
        case .other(let lowercased):
            field.known == nil && head[field.name].equalsIgnoringCase(lowercased)
        }
    }

    /// UTF-8 if valid, otherwise ISO 8859-1.
    func text(of range: Range<Int>) -> String {
        let bytes = head[range]
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension HTTPRequest {
    /// The request target as it was sent, from which `path` and `query` are read.
    ///
    /// - Complexity: O(bytes of the request line).
    public var target: String {
        // Empty lines may precede the request line. A blank stands on either side of the target.
        guard let start = head.firstIndex(of: .space).map({ $0 + 1 }),
            let end = head[start...].firstIndex(of: .space)
        else { return "" }
        return text(of: start..<end)
    }

    /// All field lines in order, with names as they were sent.
    ///
    /// `field(_:)` is cheaper for one field.
    ///
    /// - Complexity: O(bytes of the head).
    public var sentFields: [(name: String, value: String)] {
        fields.map { (text(of: $0.name), text(of: $0.value)) }
    }
}

extension HTTPRequest {
    /// As it was sent.
    package func writeTarget(to buffer: inout ByteBuffer) {
        guard let start = head.firstIndex(of: .space).map({ $0 + 1 }),
            let end = head[start...].firstIndex(of: .space)
        else { return }
        buffer.append(head.span.extracting(start..<end))
    }

    /// The host is spelled in exactly these bytes.
    ///
    /// False also if no host was sent, or several.
    package func isAuthority(_ spelled: borrowing ByteBuffer) -> Bool {
        if let authority = external?.authority {
            return spelled.withBytes { authority.utf8.span.equals($0) }
        }
        var range = authorityRange
        if range == nil {
            for field in fields where isNamed(field, .host) {
                guard range == nil else { return false }
                range = field.value
            }
        }
        guard let range else { return false }
        return spelled.withBytes { head.span.extracting(range).equals($0) }
    }

    /// Appends the values of a field as sent, each after a line feed, which no value contains.
    package func writeValues(of name: FieldName, to buffer: inout ByteBuffer) {
        for field in fields where isNamed(field, name) {
            buffer.append(UInt8.lineFeed)
            buffer.append(head.span.extracting(field.value))
        }
    }
}

package struct HTTPPeer: Hashable, Sendable {
    /// Nil for a Unix socket.
    package let address: IPAddress?
    package let text: String
    package let isUnixSocket: Bool

    /// The address is numeric without a port, or a text with the prefix `unix:`.
    package init(address: String) {
        self.address = IPAddress(address)
        text = address
        isUnixSocket = address.hasPrefix("unix:")
    }
}

package protocol HTTPPeerHandler: HTTPHandler {
    /// The sender of the next request; nil if it is unknown.
    var peer: HTTPPeer? { get set }
}

/// The version by which a request is interpreted (RFC 9110 §2.5).
public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/1.0: the connection closes after the response unless the client requests to keep it.
    case http10
    /// HTTP/1.1, and every later minor version of 1.
    case http11
}

/// The method of a request (RFC 9110 §9).
///
/// A well-formed method that is not listed here never reaches a handler: the response is 501.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    /// Transfer the current representation.
    case get = "GET"
    /// As GET, without the content.
    case head = "HEAD"
    /// Process the request's content.
    case post = "POST"
    /// Create or replace the target.
    case put = "PUT"
    /// Change a part of the target (RFC 5789).
    case patch = "PATCH"
    /// Remove the target.
    case delete = "DELETE"
    /// Describe the communication options of the target.
    case options = "OPTIONS"
    /// Echo the request; recognised so that the response is 405.
    case trace = "TRACE"
    /// Run a query in the request's content; recognised so that the response is 405.
    case query = "QUERY"
    /// Open a tunnel; recognised so that the response is 501.
    case connect = "CONNECT"

    /// The method as written in a request line.
    public var name: String { rawValue }

    /// The body is read and dropped.
    package var ignoresBody: Bool {
        switch self {
        case .get, .head, .delete, .options, .trace, .connect: true
        case .post, .put, .patch, .query: false
        }
    }
}
