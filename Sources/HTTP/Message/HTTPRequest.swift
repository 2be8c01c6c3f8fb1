import Bytes

/// A request as a client sent it, checked against the grammar.
///
/// It keeps a copy of the head's bytes and the places of the fields in it, and makes text only of
/// what is asked for. Its memory is used again for the next request of the event loop.
public struct HTTPRequest: Sendable {
    /// What is asked to be done.
    public var method: HTTPMethod = .get { didSet { readHead = nil } }

    /// The version the request is understood as.
    public var version: HTTPVersion = .http11 { didSet { readHead = nil } }

    /// The path of the target, decoded.
    public var path = RequestPath() { didSet { readHead = nil } }

    /// The complete body; empty without one, and for methods whose body has no meaning.
    public var body: [UInt8] = []

    /// What has taken the body, piece by piece; nil where it stands in ``body``.
    public var sink: (any HTTPBodySink)?

    /// The head's bytes as they were sent.
    var head: [UInt8] = []

    /// Where the fields lie in `head`.
    var fields: [FieldLine] = []

    /// Where the query lies in `head`; nil without `?`.
    var queryRange: Range<Int>?

    /// Where the target's authority lies in `head`, for a target in absolute form.
    var authorityRange: Range<Int>?

    /// The address as the client of a proxy sees it; nil for a request that came as it was sent.
    package internal(set) var external: ExternalAddress?

    /// What is known of the head as a whole, while method, version and path are as they were read.
    private(set) var readHead: ReadHead?

    /// Creates an empty request: GET `/`, no fields.
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

    /// The host the request is for, with its port if one was sent: what a trusted proxy says, else
    /// the target's authority in absolute form, else the Host field; nil for an HTTP/1.0 request
    /// without one.
    public var authority: String? {
        if let authority = external?.authority { return authority }
        return authorityRange.map { text(of: $0) } ?? field(.host)
    }

    /// The value of a field, the values joined by `, ` when it was sent several times
    /// (RFC 9110 §5.3); nil when it was not sent.
    ///
    /// A value that is not UTF-8 is read as ISO 8859-1, so that no byte is lost.
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
    ///   - fields: Fields in order; Host is added when it is missing.
    ///   - body: The complete body; Content-Length is not added.
    /// - Throws: What a client would have been refused for.
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

    /// A number that no request of the process has whose head is another one: what was found out
    /// about a head holds for all with its number.
    ///
    /// Nil for a request that was not read by a connection, whose method, version or path was changed
    /// since, or whose ``external`` address depends on its sender; the body is no part of the head.
    package var headNumber: UInt64? { external == nil ? readHead?.number : nil }

    /// A head that a connection has read.
    struct ReadHead: Sendable {
        /// Nil where nobody numbers heads.
        let number: UInt64?
        /// What it says about the connection.
        let connection: RequestHead
    }

    /// Takes note of what was read into the request.
    mutating func keep(_ connection: RequestHead, number: UInt64?) {
        readHead = ReadHead(number: number, connection: connection)
    }

    /// What the head at the front of bytes says about the connection, where it is the one that was
    /// read last, byte for byte.
    borrowing func headRead(at bytes: borrowing Span<UInt8>) -> RequestHead? {
        guard let readHead, bytes.count >= head.count,
            bytes.extracting(..<head.count).equals(head.span)
        else { return nil }
        return readHead.connection
    }

    /// A request without memory.
    static let empty = HTTPRequest()

    /// Whether there is memory that a request was read into.
    var hasMemory: Bool { head.capacity > 0 }

    /// Whether a field was sent, whatever its value.
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

    /// The bytes of the head as text: as UTF-8, or as ISO 8859-1 when they are not UTF-8.
    func text(of range: Range<Int>) -> String {
        let bytes = head[range]
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
