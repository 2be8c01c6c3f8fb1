import Bytes
package import HTTP
import Listings
import Rendering

package struct ProgramRoute: Sendable {
    /// The method; GET also answers HEAD.
    package let method: HTTPMethod
    package let pattern: String
    /// Whether callers that the service does not know may use it.
    package let isOpen: Bool
    /// Responds to a request; it may block.
    let respond: Respond

    package typealias Respond =
        @Sendable (
            _ request: HTTPRequest,
            _ captures: [String: String],
            _ caller: String?
        ) throws -> Response

    package struct Response: Sendable {
        package var status: HTTPStatus
        /// The fields, with values that ``HTTPResponse`` accepts.
        package var fields: [(name: FieldName, value: String)]
        package var body: [UInt8]

        package init(
            _ status: HTTPStatus,
            _ fields: [(name: FieldName, value: String)],
            _ body: [UInt8]
        ) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    package init(
        _ method: HTTPMethod,
        _ pattern: String,
        isOpen: Bool,
        respond: @escaping Respond
    ) {
        self.method = method
        self.pattern = pattern
        self.isOpen = isOpen
        self.respond = respond
    }

    /// The first segment of its paths, which no list has as its name.
    var firstSegment: String { String(pattern.dropFirst().prefix { $0 != "/" }) }

    package static func check(_ routes: [ProgramRoute], besides lists: [String]) throws(Failure) {
        var router = Router<Int>()
        for (position, route) in routes.enumerated() {
            let location = "route \(route.method.name) \(route.pattern)"
            func failure(_ text: String) -> Failure {
                Failure(.configuration, "\(location): \(text)")
            }
            do throws(RoutingError) {
                try router.register(route.method, route.pattern, position)
            } catch {
                throw failure(text(of: error))
            }
            let first = route.firstSegment
            guard !first.isEmpty, !first.hasPrefix("{") else {
                throw failure("the path of each list; begin with a word, as in /hello")
            }
            if let segment = route.pattern.split(separator: "/").first(where: { $0.hasPrefix(":") })
            {
                throw failure("a capture is written {\(segment.dropFirst())}, not \(segment)")
            }
            guard first != "-" else {
                throw failure("paths below /-/ belong to Roster; begin with another word")
            }
            let taken = [first, FormatSuffix(first).name]
            if let list = lists.first(where: taken.contains) {
                throw failure("the list '\(list)' has this path; begin with another word")
            }
        }
    }

    private static func text(of error: RoutingError) -> String {
        switch error {
        case .patternWithoutSlash: "a path begins with /"
        case .malformedCapture: "a capture is a whole segment, as in /greetings/{name}"
        case .repeatedCapture(let name, _): "two captures have the name '\(name)'"
        case .unreachableSegment: "no path has a segment . or .."
        case .duplicate(_, _, let other): "another route has the same path, \(other)"
        case .methodIsNotRouted: "a route has the method GET, POST, PUT, PATCH or DELETE"
        }
    }
}

enum ProgramHandler {
    static func respond(to call: inout Call, at position: Int) throws {
        let crossOrigin = call.service.options.crossOrigin
        if !call.request.method.isReading, RequestOrigin.isForeign(call.request),
            !(crossOrigin?.allows(call.request) ?? false)
        {
            throw Problem.foreignOrigin
        }
        let route = call.service.options.routes[position]
        let made: ProgramRoute.Response
        do {
            made = try route.respond(call.request, call.captures.texts, call.caller?.name)
        } catch SourceError.outOfTime {
            throw Problem.slowProgram
        } catch let refusal as Refusal {
            throw Problem(refusal)
        }
        call.response.status = made.status
        for (name, value) in made.fields {
            call.response.addField(name, name == .location ? call.addresses.own(value) : value)
        }
        call.response.body.append(made.body.span)
        let isPage = call.response.field(.contentType)?.hasPrefix("text/html") ?? false
        if isPage, call.response.field(.contentSecurityPolicy) == nil {
            ContentSecurityPolicy.add(to: &call.response)
        }
        if call.response.field(.cacheControl) == nil {
            call.response.addField(.cacheControl, "no-store" as StaticString)
        }
        if call.response.field(.xContentTypeOptions) == nil {
            call.response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        }
    }
}
