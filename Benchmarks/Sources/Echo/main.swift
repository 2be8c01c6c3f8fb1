import Glibc
import HTTP
import HTTPServer

/// Sends every body back, and at `/echo` the head of the request.
final class Echo: HTTPHandler {
    func respond(to request: borrowing HTTPRequest, with response: inout HTTPResponse) {
        switch (request.method, request.path.rawPath) {
        case (.trace, _), (.delete, "/"):
            response.status = .methodNotAllowed
            response.addField(.allow, "GET, HEAD, POST, PUT, PATCH, OPTIONS")
        case (.options, "*"), (.options, "/"), (.options, "/echo"):
            response.status = .noContent
            response.addField(.allow, "GET, HEAD, POST, PUT, PATCH, OPTIONS")
        case (_, "/"):
            response.addField(.contentType, "application/octet-stream")
            response.body.append(request.body)
        case (_, "/echo"):
            response.addField(.contentType, "text/plain; charset=utf-8")
            response.body.append("\(request.method.name) \(request.target)\n")
            for (name, value) in request.sentFields { response.body.append("\(name): \(value)\n") }
        default:
            response.status = .notFound
        }
    }
}

let arguments = CommandLine.arguments.dropFirst()
var configuration = HTTPServer.Configuration()
switch (arguments.first, arguments.last.flatMap(UInt16.init)) {
case (nil, _): break
case ("--port", let port?) where arguments.count == 2: configuration.port = port
default:
    print("usage: echo [--port N]")
    exit(2)
}
let server = try HTTPServer(configuration) { _ in Echo() }
print("Listening on http://\(server.addresses[0])")
fflush(nil)
try server.run()
