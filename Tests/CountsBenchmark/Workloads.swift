import HTTP
import ListAPI
import Listings
import RosterProgram
import TestSupport

/// Whole requests as people send them: few come twice, and lists change meanwhile.
///
/// They are answered from the bytes of the request to those of the answer, with the page cache as it
/// is by default unless said otherwise.
extension Pieces {
    static let workloads =
        [
            Piece("workload, same URL, JSON") { count in
                try visit(count, [try samples()]) { _ in request("/users") }
            },
            Piece("workload, new URL, JSON") { count in
                try visit(count, [try samples()]) { request("/users?utm_s=\(1_000_000 + $0)") }
            },
            Piece("workload, new URL, HTML") { count in
                try visit(count, [try samples()]) {
                    request("/users?utm_s=\(1_000_000 + $0)", accept: "text/html")
                }
            },
            Piece("workload, with a token") { count in
                let list = try samples()
                var options = ServiceOptions()
                options.access = try Fixture.access(to: [list])
                try visit(count, [list], options) { _ in
                    request("/users", "Authorization: Bearer \(Fixture.token)\r\n")
                }
            },
            Piece("workload, a new filter") { count in
                try visit(count, [try samples()]) {
                    request("/users?age__gte=1&age__ne=\(1_000_000 + $0)")
                }
            },
            Piece("workload, words typed letter by letter") { count in
                let typed = Fixture.typedWords
                try visit(count, [try samples()]) { request("/users?q=\(typed[$0 % typed.count])") }
            },
            Piece("workload, cells of all types, JSON") { count in
                try visit(count, [try Fixture.mixed()], keepsPages: false) { _ in request("/mixed")
                }
            },
            Piece("workload, cells of all types, HTML") { count in
                try visit(count, [try Fixture.mixed()], keepsPages: false) { _ in
                    request("/mixed", accept: "text/html")
                }
            },
            Piece("workload, new URL, SQLite") { count in
                try visit(count, [try Fixture.importedSamples()]) {
                    request("/users?utm_s=\(1_000_000 + $0)")
                }
            },
            Piece("workload, a list that is written to") { count in
                let (list, write) = try Fixture.changing()
                try visit(count, [list]) { number in
                    if number % 10 == 0 { try write(number) }
                    return request("/users")
                }
            },
        ] + (PostgresCluster.programs == nil ? [] : [postgres])

    private static let postgres = Piece("workload, new URL, PostgreSQL") { count in
        try visit(count, [try Fixture.postgres()]) { request("/users?utm_s=\(1_000_000 + $0)") }
    }

    /// The sample users, which the program serves where it is told of no list.
    private static func samples() throws -> ListDefinition {
        try ListRegistry(Configuration()).lists[0]
    }

    private static func request(
        _ target: String,
        _ fields: String = "",
        accept: String = "application/json"
    ) -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n\(fields)\r\n"
    }

    private static func visit(
        _ count: Int,
        _ lists: [ListDefinition],
        _ options: ServiceOptions = ServiceOptions(),
        keepsPages: Bool = true,
        _ makeRequest: (Int) throws -> String
    ) throws {
        var options = options
        options.pageCacheBytes = keepsPages ? Configuration().pageCacheMegabytes << 20 : 0
        // Under valgrind all takes longer.
        options.readingTimes.rows = .seconds(60)
        options.readingTimes.counts = .seconds(60)
        let middleware = Middleware(try APIHandler(lists, options: options, isDraining: { false }))
        let time = HTTPTime(monotonic: .now, secondsSince1970: 0)
        let rules = HTTPConnectionConfiguration(
            limits: HTTPLimits(),
            takeHeadNumbers: { 0..<(1 << 62) }
        )
        var output = HTTPOutput()
        var response = HTTPResponse()
        var machine = HTTPConnectionStateMachine(rules: rules, at: time)
        for number in 0..<count {
            // A connection is good for so many requests.
            if number % 500 == 499 { machine = HTTPConnectionStateMachine(rules: rules, at: time) }
            let text = try makeRequest(number)
            let action = machine.bytesReceived(text.utf8.span, at: time, into: &output)
            guard action == .respond else { fatalError("the request was refused") }
            try middleware.respond(to: machine.request, with: &response)
            guard response.status == .ok else { fatalError("answered \(response.status)") }
            _ = machine.responseReady(&response, at: time, into: &output)
            output.removeAll()
            _ = machine.outputDrained(at: time, into: &output)
        }
    }
}
