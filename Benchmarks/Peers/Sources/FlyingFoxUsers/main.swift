import FlyingFox
import Foundation
import ListPage
import People

// The page of users by FlyingFox: `/users` as JSON by Foundation's encoder.

let people = Person.make(50)
let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080
let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port))
await server.appendRoute("GET /users") { _ in
    HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "application/json"],
        body: try JSONEncoder().encode(ListPage(of: people))
    )
}
try await server.run()
