import Bytes
import FoundationEssentials
import HTTP
import Listings

/// A request to a route, or one whose caller an ``Authentication`` identifies.
///
/// ```swift
/// Route(.get, "/greetings/{name}") { request in
///     .text("Hello, \(request["name"] ?? "you"), in \(request.query("city") ?? "your town")!")
/// }
/// ```
public struct AppRequest: Sendable {
    private let request: HTTPRequest
    private let captures: [String: String]
    /// The name of the caller; nil for one that is not known.
    public let caller: String?

    init(_ request: HTTPRequest, captures: [String: String] = [:], caller: String? = nil) {
        self.request = request
        self.captures = captures
        self.caller = caller
    }

    /// The method, such as `GET`.
    public var method: String { request.method.name }

    /// The path and the query as the client sent them.
    public var target: String { request.target }

    /// The segment of the path that `{name}` captures; nil if the route has no such capture.
    public subscript(name: String) -> String? { captures[name] }

    /// Returns the first value of a query parameter, decoded; nil without one.
    public func query(_ name: String) -> String? {
        guard let items = try? request.queryItems else { return nil }
        return items.first { $0.name == name }?.value
    }

    /// Returns the value of a header field; nil without one.
    ///
    /// Values of repeated fields are joined by commas.
    public func field(_ name: String) -> String? {
        FieldName(validating: name).flatMap(request.field)
    }

    /// Returns the value of a cookie; nil without one.
    public func cookie(_ name: String) -> String? {
        for pair in (field("Cookie") ?? "").split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            if parts.count == 2, parts[0] == name { return String(parts[1]) }
        }
        return nil
    }

    /// The content.
    public var body: [UInt8] { request.body }

    /// Decodes JSON content, with dates as in ISO 8601.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value.
    /// - Throws: ``Refusal/invalid(_:)``, whose response is 400, for other content.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            return try decoder.decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw Refusal.invalid(error.reason)
        }
    }
}

extension DecodingError {
    /// The reason for a client, which names the member of the JSON.
    var reason: String {
        let (text, context): (String, Context) =
            switch self {
            case .typeMismatch(let type, let context): ("is no \(Self.name(of: type))", context)
            case .valueNotFound(let type, let context):
                ("has no value; \(Self.name(of: type)) is needed", context)
            case .keyNotFound(let key, let context):
                ("has no member '\(key.stringValue)', which is needed", context)
            case .dataCorrupted(let context):
                (context.codingPath.isEmpty ? "is no JSON" : "is not understood", context)
            @unknown default: ("is not understood", Context(codingPath: [], debugDescription: ""))
            }
        let path = context.codingPath.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }
        return path.isEmpty ? "The content \(text)." : "The member \(path.joined()) \(text)."
    }

    private static func name(of type: Any.Type) -> String {
        let text = "\(type)"
        if text.hasPrefix("Dictionary<") { return "object" }
        return text.hasPrefix("Array<") ? "array" : text
    }
}
