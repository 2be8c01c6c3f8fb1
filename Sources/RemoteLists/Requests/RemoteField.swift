/// A field of a request or a response (RFC 9110 §5).
public struct RemoteField: Hashable, Sendable {
    /// The name, which is case-insensitive.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a field.
    ///
    /// - Throws: ``RemoteError/invalidField(_:)`` if the name is not a token, the value has a
    ///   control character, or the connection sets the field.
    public init(_ name: String, _ value: String) throws(RemoteError) {
        let isClean = value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
        guard Self.isToken(name), isClean, !Self.ofTheConnection.contains(name.lowercased()) else {
            throw .invalidField(name)
        }
        self.name = name
        self.value = value
    }

    /// Creates a field as received in a response, without validation.
    package init(received name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    private static let ofTheConnection: Set<String> = [
        "connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    static let accept = RemoteField(
        received: "Accept",
        "application/json, application/x-ndjson;q=0.9, text/csv;q=0.8, "
            + "text/tab-separated-values;q=0.7"
    )

    func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }

    /// RFC 9110 §5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
