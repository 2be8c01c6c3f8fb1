import Bytes
import HTTP
import ListAPI
import ListDiff
import Listings
import Rendering
import RosterProgram
import System

struct Piece: Sendable {
    let name: String
    let perform: @Sendable (Int) throws -> Void

    init(_ name: String, _ perform: @escaping @Sendable (Int) throws -> Void) {
        self.name = name
        self.perform = perform
    }
}

enum Pieces {
    static let all =
        [
            Piece("parse") { try parse($0, isRepeated: false) },
            Piece("parse, the same head again") { try parse($0, isRepeated: true) },
            Piece("route", route),
            Piece("page from memory", readMemory),
            Piece("page from SQLite", readSorted),
            Piece("sections from SQLite", readSections), Piece("JSON of 50 rows", drawJSON),
            Piece("HTML of 50 rows", drawHTML), Piece("cursor written", writeCursor),
            Piece("cursor read", readCursor), Piece("gzip", compress),
            Piece("difference, one row moved") { try differ($0, movesAll: false) },
            Piece("difference, all in reverse") { try differ($0, movesAll: true) },
        ] + smallAnswers + requests + workloads

    private static let smallAnswers = [
        Piece("small answer") { try serve($0, ["/-/live", "/-/live?"]) },
        Piece("small answer, the same head again") { try serve($0, ["/-/live"]) },
    ]

    /// Whole requests as the gateway of a loop answers them, from memory unless said otherwise.
    private static let requests = [
        Piece("request, drawn as JSON") {
            try ask($0, cached: false, [(.accept, "application/json")])
        },
        Piece("request, drawn as HTML") { try ask($0, cached: false, [(.accept, "text/html")]) },
        Piece("request, kept") { try ask($0, cached: true, [(.accept, "application/json")]) },
        Piece("request, kept, gzip") {
            try ask($0, cached: true, [(.accept, "text/html"), (.acceptEncoding, "gzip, br")])
        },
        Piece("request, kept, 304") {
            try ask($0, cached: true, [(.accept, "application/json")], knowsPage: true)
        },
        Piece("request, drawn from SQLite") {
            let sorted = "/users?sort=lastName&group=none&count=none"
            try ask($0, sorted, Fixture.stored(), cached: false, [(.accept, "application/json")])
        },
    ]

    private static func head(sortedBy column: String) -> [UInt8] {
        Array(
            """
            GET /users?sort=\(column) HTTP/1.1\r\nHost: lists.example.org\r\n\
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n\
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
            Accept-Language: de,en-US;q=0.7,en;q=0.3\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\
            Connection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\nPriority: u=0, i\r\n\r\n
            """.utf8
        )
    }

    private static func parse(_ count: Int, isRepeated: Bool) throws {
        let heads = [head(sortedBy: "lastName"), head(sortedBy: "lastNome")]
        try converse(count, isRepeated ? [heads[0]] : heads) { _, _ in }
    }

    private static func serve(_ count: Int, _ targets: [String]) throws {
        let requests = targets.map { Array("GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) }
        let service = try APIHandler([Fixture.inMemory()], isDraining: { false })
        let middleware = Middleware(service)
        try converse(count, requests) { try middleware.respond(to: $0, with: &$1) }
    }

    /// Sends requests in turns, and has each answered.
    private static func converse(
        _ count: Int,
        _ requests: [[UInt8]],
        _ respond: (borrowing HTTPRequest, inout HTTPResponse) throws -> Void
    ) throws {
        let time = HTTPTime(monotonic: .now, secondsSince1970: 0)
        let rules = HTTPConnectionConfiguration(
            limits: HTTPLimits(),
            takeHeadNumbers: { 0..<(1 << 62) }
        )
        var output = HTTPOutput()
        var response = HTTPResponse()
        // A connection is good for so many requests.
        var machine = HTTPConnectionStateMachine(rules: rules, at: time)
        for number in 0..<count {
            if number % 500 == 499 { machine = HTTPConnectionStateMachine(rules: rules, at: time) }
            let request = requests[number % requests.count]
            guard machine.bytesReceived(request.span, at: time, into: &output) == .respond else {
                fatalError("the request was refused")
            }
            try respond(machine.request, &response)
            guard response.status == .ok else { fatalError("answered \(response.status)") }
            _ = machine.responseReady(&response, at: time, into: &output)
            output.removeAll()
            _ = machine.outputDrained(at: time, into: &output)
        }
    }

    private static func route(_ count: Int) throws {
        var router = Router<Int>()
        let patterns = [
            "/", "/-/live", "/-/ready", "/-/assets/{name}", "/{list}", "/{list}/{row}",
            "/{list}/-/schema", "/{list}/-/sections/{section}", "/{list}/{row}/-/{action}",
        ]
        for (number, pattern) in patterns.enumerated() {
            try router.register(.get, pattern, number)
        }
        let request = try HTTPRequest(.get, "/users/-/sections/Writer")
        for _ in 0..<count {
            guard case .found(7, _) = router.match(request.method, request.path) else {
                fatalError("another route was found")
            }
        }
    }

    private static func readMemory(_ count: Int) throws {
        var pages = try Pages(of: Fixture.inMemory())
        for _ in 0..<count { try pages.read() }
    }

    private static func readSections(_ count: Int) throws {
        var pages = try Pages(of: Fixture.stored())
        for _ in 0..<count { try pages.read() }
    }

    private static func readSorted(_ count: Int) throws {
        var pages = try Pages(of: Fixture.stored(), sortedBy: "lastName")
        for _ in 0..<count { try pages.read() }
    }

    private static func drawJSON(_ count: Int) throws { try draw(count, JSONPageRenderer()) }

    private static func drawHTML(_ count: Int) throws {
        let site = SiteAssets(stylesheet: "/s", script: "/j", icon: "/i", directory: "/")
        try draw(count, HTMLPageRenderer(site: site))
    }

    private static func draw(_ count: Int, _ renderer: some PageRenderer) throws {
        let list = try Fixture.inMemory()
        var pages = try Pages(of: list)
        try pages.read()
        let context = RenderContext(
            title: "Users",
            links: PlainLinks(),
            schema: list.source.schema
        )
        var buffer = ByteBuffer()
        for _ in 0..<count {
            buffer.removeAll()
            renderer.render(pages.page, in: context, to: &buffer)
        }
    }

    private static func writeCursor(_ count: Int) throws {
        var pages = try Pages(of: Fixture.inMemory())
        let cursor = try pages.next()
        var buffer = ByteBuffer()
        for _ in 0..<count {
            buffer.removeAll()
            cursor.write(to: &buffer)
        }
    }

    private static func readCursor(_ count: Int) throws {
        var pages = try Pages(of: Fixture.inMemory())
        let cursor = try pages.next()
        let text = cursor.text
        let valueCount = cursor.row?.values.count
        for _ in 0..<count {
            _ = try Cursor(text, signature: cursor.signature, valueCount: valueCount)
        }
    }

    private static func compress(_ count: Int) throws {
        var pages = try Pages(of: Fixture.inMemory())
        try pages.read()
        var page = ByteBuffer()
        var buffer = ByteBuffer(minimumCapacity: 1 << 16)
        let list = try Fixture.inMemory()
        let context = RenderContext(
            title: "Users",
            links: PlainLinks(),
            schema: list.source.schema
        )
        JSONPageRenderer().render(pages.page, in: context, to: &page)
        guard let encoder = GzipEncoder() else { fatalError("zlib has no memory") }
        for _ in 0..<count {
            buffer.removeAll()
            page.withBytes { encoder.compress($0, into: &buffer) }
        }
    }

    private static func differ(_ count: Int, movesAll: Bool) throws {
        let old = (0..<1_000).map { UInt64($0) }
        var new = old
        if movesAll { new.reverse() } else { new.append(new.remove(at: 10)) }
        var (before, after) = (ListDigest(), ListDigest())
        before.appendRows(old)
        after.appendRows(new)
        let names = (old: Names(old), new: Names(new))
        var differ = ListDiffer()
        for _ in 0..<count {
            _ = differ.difference(
                from: before,
                named: names.old,
                to: after,
                named: names.new,
                uniqueness: .trusted,
                limit: .max
            )
        }
    }

    private static func ask(
        _ count: Int,
        _ target: String = "/users",
        _ list: ListDefinition? = nil,
        cached: Bool,
        _ fields: [(FieldName, String)],
        knowsPage: Bool = false
    ) throws {
        var options = ServiceOptions()
        options.pageCacheBytes = cached ? 1 << 20 : 0
        let lists = [try list ?? Fixture.inMemory()]
        let service = try APIHandler(lists, options: options, isDraining: { false })
        let middleware = Middleware(service)
        var response = HTTPResponse()
        var request = try HTTPRequest(.get, target, fields: fields)
        try middleware.respond(to: request, with: &response)
        if knowsPage, let tag = response.field(.etag) {
            request = try HTTPRequest(.get, target, fields: fields + [(.ifNoneMatch, tag)])
        }
        let status = knowsPage ? HTTPStatus.notModified : .ok
        for _ in 0..<count {
            response.reset()
            try middleware.respond(to: request, with: &response)
            guard response.status == status else { fatalError("answered \(response.status)") }
        }
    }
}
