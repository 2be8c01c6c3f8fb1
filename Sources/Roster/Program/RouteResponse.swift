import FoundationEssentials
import HTTP
import ListAPI

/// A response of a route.
///
/// ```swift
/// RouteResponse.text("Hello")
/// RouteResponse.json(["count": 3], status: 201).field("Location", "/carts/3")
/// RouteResponse.redirect(to: "/books")
/// ```
///
/// Pages have the content security policy of all pages, and no response is cached, unless a field
/// says otherwise. A `Location` on this server gets the base path.
public struct RouteResponse: Sendable {
    /// The status, 200 to 599.
    public var status: Int
    /// The header fields, in their order.
    public var fields: [(name: String, value: String)]
    /// The content.
    public var body: [UInt8]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The header fields.
    ///   - body: The content.
    public init(
        status: Int = 200,
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Returns a response with a plain text.
    public static func text(_ text: String, status: Int = 200) -> RouteResponse {
        content(text, "text/plain; charset=utf-8", status)
    }

    /// Returns a response with a page, whose HTML is sent as it is.
    public static func html(_ html: String, status: Int = 200) -> RouteResponse {
        content(html, "text/html; charset=utf-8", status)
    }

    /// Returns a response with a value as JSON, with dates as in ISO 8601.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status.
    /// - Returns: The response.
    /// - Throws: The error of the encoder.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> RouteResponse {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return RouteResponse(
            status: status,
            fields: [("Content-Type", "application/json")],
            body: Array(try encoder.encode(value))
        )
    }

    /// Returns a response that leads to another address, which is read by GET.
    public static func redirect(to address: String) -> RouteResponse {
        RouteResponse(status: 303, fields: [("Location", address)])
    }

    /// Returns a response without content.
    public static func status(_ status: Int) -> RouteResponse { RouteResponse(status: status) }

    /// Returns the response with a further header field.
    public func field(_ name: String, _ value: String) -> RouteResponse {
        RouteResponse(status: status, fields: fields + [(name, value)], body: body)
    }

    private static func content(_ text: String, _ type: String, _ status: Int) -> RouteResponse {
        RouteResponse(status: status, fields: [("Content-Type", type)], body: Array(text.utf8))
    }

    /// Fails for a response that cannot be sent.
    func checked() throws(RouteError) -> ProgramRoute.Response {
        guard (200...599).contains(status) else {
            throw RouteError(description: "\(status) is no status of a response")
        }
        let status = HTTPStatus(code: status)
        guard body.isEmpty || !status.forbidsContent else {
            throw RouteError(description: "a response of the status \(status.code) has no content")
        }
        var checked = ProgramRoute.Response(status, [], body)
        for (name, value) in fields {
            guard let field = FieldName(validating: name), field.accepts(value) else {
                throw RouteError(description: "a response cannot have the field '\(name)'")
            }
            checked.fields.append((field, value))
        }
        return checked
    }
}

struct RouteError: Error, CustomStringConvertible {
    let description: String
}
