import Bytes
import FoundationEssentials
import HTTP
import ListAPI
import Listings
import Rendering
import RosterProgram
import System

extension ListApp {
    /// Prepares the app, and lets a test send requests to it within the process.
    ///
    /// ```swift
    /// @Test func lends() async throws {
    ///     try await Library().test { client in
    ///         #expect(try await client.get("/books").rows.count == 3)
    ///         #expect(try await client.post("/books/1/-/lend").status == 200)
    ///     }
    /// }
    /// ```
    ///
    /// No port is bound, and no setting is read.
    ///
    /// - Parameters:
    ///   - fetching: Returns the status and the JSON for each address from which lists fetch their
    ///     models. Nil sends requests to the services.
    ///   - body: Sends requests.
    /// - Returns: The result of the body.
    /// - Throws: ``AppError`` for an error in a declaration, or the error of the body.
    @concurrent
    public func test<Result: Sendable>(
        fetching: (@Sendable (_ address: String) async throws -> (status: Int, body: String))? =
            nil,
        _ body: @Sendable (TestClient) async throws -> Result
    ) async throws -> Result {
        let client = try await ThreadGroup.result(ofThread: "test") {
            do throws(Failure) {
                let stub = fetching.map { FetchStub(response: $0) }
                let client = FetchStub.$current.withValue(stub) {
                    Swift.Result { () throws(Failure) in try TestClient(self) }
                }
                return try client.get()
            } catch {
                throw AppError(description: error.text, exitCode: error.code.rawValue)
            }
        }
        return try await body(client)
    }
}

/// A client of an app in the same process, for tests.
///
/// ```swift
/// try await Library().test { client in
///     #expect(try await client.get("/books", accept: "text/csv").status == 200)
/// }
/// ```
public struct TestClient: Sendable {
    private let lists: [ListDefinition]
    private let assets: AssetLibrary
    private let options: ServiceOptions

    fileprivate init(_ app: some ListApp) throws(Failure) {
        let frame = try app.appearance.frame()
        let contents = try app.contents()
        lists = contents.lists
        assets = try AssetLibrary().framed(by: frame)
        var options = ServiceOptions()
        options.title = app.title
        options.imageHosts = frame.imageHosts
        options.routes = contents.routes
        try contents.check()
        options.identification = contents.identification
        if contents.identification != nil {
            options.access = AccessPolicyStore(identifying: lists)
        }
        do throws(TemplateErrors) {
            options.templates = try TemplateSet(of: contents.controllers)
        } catch {
            throw Failure(.configuration, error.errors.map(\.description).joined(separator: "\n"))
        }
        self.options = options
    }

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - target: The path, with a query if needed.
    ///   - accept: The media type of the response.
    /// - Returns: The response.
    /// - Throws: An error for a malformed target.
    public func get(
        _ target: String,
        accept: String = "application/json"
    ) async throws -> TestResponse {
        try await send("GET", target, fields: ["Accept": accept])
    }

    /// Sends JSON to an address.
    ///
    /// - Parameters:
    ///   - target: The path, with a query if needed.
    ///   - json: The content.
    /// - Returns: The response.
    /// - Throws: An error for a malformed target.
    public func post(_ target: String, json: String = "") async throws -> TestResponse {
        try await send("POST", target, fields: ["Accept": "application/json"], json: json)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The method, such as `PATCH`.
    ///   - target: The path, with a query if needed.
    ///   - fields: The fields of the request.
    ///   - json: The content.
    /// - Returns: The response.
    /// - Throws: An error for a malformed request.
    public func send(
        _ method: String,
        _ target: String,
        fields: [String: String] = [:],
        json: String = ""
    ) async throws -> TestResponse {
        var all: [(FieldName, String)] = []
        for (name, value) in fields {
            guard let field = FieldName(validating: name) else {
                throw AppError(description: "no field can have the name '\(name)'", exitCode: 64)
            }
            all.append((field, value))
        }
        if !json.isEmpty, fields["Content-Type"] == nil {
            all.append((.contentType, "application/json"))
        }
        guard let method = HTTPMethod(rawValue: method) else {
            throw AppError(description: "no method '\(method)'", exitCode: 64)
        }
        let request = try HTTPRequest(
            method,
            target,
            fields: all,
            body: Array(json.utf8)
        )
        return try await ThreadGroup.result(ofThread: "test") { [lists, assets, options] in
            // A handler belongs to one thread; the lists are those of all requests.
            let handler = try APIHandler(
                lists,
                assets: assets,
                options: options,
                isDraining: { false }
            )
            var response = HTTPResponse()
            try Middleware(handler).respond(to: request, with: &response)
            return try TestResponse(&response)
        }
    }
}

/// A response to a ``TestClient``.
///
/// ```swift
/// let response = try await client.get("/books?q=levi")
/// #expect(response.status == 200)
/// #expect(response.rows.map(\.id) == ["3"])
/// ```
public struct TestResponse: Sendable {
    /// The status, such as 200.
    public let status: Int
    /// The fields, in their order.
    public let fields: [(name: String, value: String)]
    /// The content.
    public let body: String

    init(_ response: inout HTTPResponse) throws {
        status = response.status.code
        fields = response.fieldLines.text().split(separator: "\r\n").map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        if let stream = response.stream {
            var buffer = ByteBuffer(minimumCapacity: 1_024)
            while try stream.write(into: &buffer) == .more {}
            body = buffer.text()
        } else if let shared = response.sharedBody {
            body = shared.bytes.text()
        } else {
            body = response.body.text()
        }
    }

    /// The first value of a field; nil without one.
    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The rows of a page in JSON, or the only row.
    ///
    /// They are empty if the content is no page.
    public var rows: [TestRow] {
        guard let page = try? JSONDecoder().decode(TestPage.self, from: Data(body.utf8)) else {
            return []
        }
        return page.sections?.flatMap(\.rows) ?? page.row.map { [$0] } ?? []
    }

    /// Decodes the content.
    ///
    /// - Parameter type: The type of the content.
    /// - Returns: The value.
    /// - Throws: The error of the decoder.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.utf8))
    }
}

/// A row of a page in JSON.
///
/// ```swift
/// #expect(response.rows.first?.cells["title"] == "The Periodic Table")
/// ```
public struct TestRow: Decodable, Sendable {
    /// The id in URLs.
    public let id: String
    /// The kind of the row.
    public let kind: String
    /// The texts of the cells by their columns; null and arrays have none.
    public let cells: [String: String]

    private enum Key: CodingKey { case id, kind, cells }

    /// Creates a row from JSON.
    public init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Key.self)
        id = try row.decode(String.self, forKey: .id)
        kind = try row.decode(String.self, forKey: .kind)
        cells = try row.decode([String: TestCell].self, forKey: .cells).compactMapValues(\.text)
    }
}

private struct TestPage: Decodable {
    struct Section: Decodable { let rows: [TestRow] }

    let sections: [Section]?
    let row: TestRow?
}

private struct TestCell: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let flag = try? value.decode(Bool.self) {
            text = "\(flag)"
        } else if let number = try? value.decode(Decimal.self) {
            text = number.description
        } else {
            text = nil
        }
    }
}
