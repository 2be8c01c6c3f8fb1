import Bytes
package import HTTP
import HTTPServer
package import ListAPI
package import Listings
import RosterProgram
package import TestSupport

/// How a request reaches a service; what a service answers must not depend on it.
package enum Way: CaseIterable, Sendable {
    case inMemory
    case throughServer
}

/// Asks a service, in one of both ways.
package final class Client {
    private enum Connection {
        case inMemory(APIHandler)
        case throughServer(TestServer, RawConnection)
    }

    private let connection: Connection

    package init(
        _ lists: [ListDefinition],
        _ way: Way = .inMemory,
        options: ServiceOptions = ServiceOptions(),
        isDraining: @escaping @Sendable () -> Bool = { false }
    ) throws {
        switch way {
        case .inMemory:
            connection = .inMemory(
                try APIHandler(lists, options: options, isDraining: isDraining)
            )
        case .throughServer:
            let server = try TestServer { _ in
                try APIHandler(lists, options: options, isDraining: isDraining)
            }
            connection = .throughServer(server, try server.connect())
        }
    }

    package init(of server: TestServer) throws {
        connection = .throughServer(server, try server.connect())
    }

    package convenience init(samples way: Way) throws {
        try self.init([try .sampleUsers()], way)
    }

    package func get(_ target: String, accept: String? = nil) throws -> Answer {
        try ask(.get, target, fields: accept.map { [(.accept, $0)] } ?? [])
    }

    package func ask(
        _ method: HTTPMethod,
        _ target: String,
        fields: [(FieldName, String)] = [],
        body: String? = nil
    ) throws -> Answer {
        switch connection {
        case .inMemory(let service):
            let body = Array((body ?? "").utf8)
            return try Self.ask(
                service,
                HTTPRequest(method, target, fields: fields, body: body)
            )
        case .throughServer(_, let connection):
            return try Self.ask(connection, method, target, fields, body)
        }
    }

    private static func ask(_ service: APIHandler, _ request: HTTPRequest) throws -> Answer {
        var response = HTTPResponse()
        try service.respond(to: request, with: &response)
        var answer = Answer(status: response.status.code, fields: [], body: "", pieces: 0)
        for line in response.fieldLines.text().split(separator: "\r\n") {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            answer.fields.append((String(line[..<colon]), String(line[colon...].dropFirst(2))))
        }
        guard request.method != .head, ![204, 304].contains(answer.status) else { return answer }
        guard let stream = response.stream else {
            answer.bytes = response.body.array()
            answer.body = response.body.text()
            return answer
        }
        var buffer = ByteBuffer()
        var state = HTTPStreamState.more
        while state == .more {
            state = try stream.write(into: &buffer)
            answer.pieces += 1
        }
        answer.bytes = buffer.array()
        answer.body = buffer.text()
        return answer
    }

    private static func ask(
        _ connection: RawConnection,
        _ method: HTTPMethod,
        _ target: String,
        _ fields: [(FieldName, String)],
        _ body: String?
    ) throws -> Answer {
        var head = "\(method.name) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in fields { head += "\(name.name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.utf8.count)\r\n" }
        try connection.send(head + "\r\n" + (body ?? ""))
        let response = try connection.receiveResponse(to: method.name)
        var answer = Answer(
            status: response.status,
            fields: response.fields,
            body: response.text,
            pieces: 0
        )
        answer.bytes = response.body
        return answer
    }
}

extension ListDefinition {
    /// The list of the sample users, which is only read.
    package static func sampleUsers() throws -> ListDefinition {
        try ListRegistry(Configuration()).lists[0]
    }
}

package struct Answer {
    package var status: Int
    package var fields: [(name: String, value: String)]
    package var body: String
    package var bytes: [UInt8] = []
    package var pieces: Int

    package init(status: Int, fields: [(name: String, value: String)], body: String, pieces: Int) {
        self.status = status
        self.fields = fields
        self.body = body
        self.pieces = pieces
    }

    /// The value of a field that stands once; nil where it is missing or stands more often.
    package func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }

    /// The media type without its parameters.
    package var mediaType: String? {
        field("Content-Type")?.split(separator: ";").first.map(String.init)
    }
}
