import Bytes
import ListAPI
import ListAPITestSupport
import Rendering
import TestSupport
import Testing

@testable import HTTP

@Suite("Problems come in the format that was asked for")
struct ProblemTests {
    @Test(
        "the suffix or the Accept field decides how a problem is told",
        arguments: [
            ("/users?limit=0", nil, "application/problem+json"),
            ("/users?limit=0", "text/html", "text/html; charset=utf-8"),
            ("/users?limit=0", "text/csv", "text/plain; charset=utf-8"),
            ("/users?limit=0", "application/x-ndjson", "application/problem+json"),
            ("/users.json?limit=0", "text/html", "application/problem+json"),
            ("/users.html?limit=0", "application/json", "text/html; charset=utf-8"),
            ("/users.csv?limit=0", nil, "text/plain; charset=utf-8"),
            ("/users.ndjson?limit=0", "text/html", "application/problem+json"),
            ("/users/0.html", nil, "text/html; charset=utf-8"),
            ("/users/0.json", "text/html", "application/problem+json"),
            ("/users/-/sections/Painter.html", nil, "text/html; charset=utf-8"),
            ("/users/-/nothing.html", nil, "text/html; charset=utf-8"),
            ("/nothing.html", nil, "text/html; charset=utf-8"),
            ("/nothing/1.html", nil, "text/html; charset=utf-8"),
            ("/nothing.csv", nil, "text/plain; charset=utf-8"),
            ("/users/0?x=1", "text/csv", "text/plain; charset=utf-8"),
            ("/no/thing/at/all", "text/html", "text/html; charset=utf-8"),
        ] as [(String, String?, String)]
    )
    func format(target: String, accept: String?, contentType: String) throws {
        for way in Way.allCases {
            let answer = try Client(samples: way).get(target, accept: accept)
            #expect([400, 404, 406].contains(answer.status), "\(answer.status)")
            #expect(answer.field("Content-Type") == contentType)
            #expect(answer.field("Cache-Control") == "no-store")
            #expect(answer.field("X-Content-Type-Options") == "nosniff")
            #expect(answer.field("ETag") == nil)
            let isPage = contentType.hasPrefix("text/html")
            #expect((answer.field("Content-Security-Policy") != nil) == isPage)
        }
    }

    @Test("a table's client reads the same texts line by line", arguments: Way.allCases)
    func plainText(way: Way) throws {
        let answer = try Client(samples: way).get("/users.csv?limt=4&limit=501&sort=zip")
        let lines = answer.body.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.dropLast(2).joined(separator: "\n") == """
                400 Invalid query parameter
                3 parameters were not understood; nothing was read.
                limt: No parameter 'limt'. Known here: limit, after, before, page, offset, around, \
                sort, columns, group, section, per_section, or, not, q, count, sum, avg, min, max, \
                filled, statistics, facets, jump, layout, collapsed, bom, shape, pretty, {column}, {column}__{operator}. Did you mean limit?
                sort: No column 'zip'; columns: firstName, lastName, occupation, email, city, \
                joined, age.
                limit: At most 500 rows a page.
                Users: /users
                """
        )
        #expect(lines.suffix(2).first?.hasPrefix("Request req-") == true)
    }

    @Test(
        "a suggestion in a page leads to the corrected address",
        arguments: [
            ("/users.html?limt=4&sort=-age", "/users.html?limit=4&sort=-age"),
            (
                "/users.html?srot=-lastName,city:nullsfirst",
                "/users.html?sort=-lastName,city:nullsfirst"
            ),
            ("/users.html?sort=-agee,city", "/users.html?sort=-age,city"),
            ("/users.html?sort=agee:nullsfirst&limit=3", "/users.html?sort=age:nullsfirst&limit=3"),
            ("/users.html?columns=city,agee", "/users.html?columns=city,age"),
            ("/users.html?group=lastNam:initial", "/users.html?group=lastName:initial"),
            ("/users.html?limt=4&section=a%26b%3Dc", "/users.html?limit=4&section=a%26b%3Dc"),
            ("/users.html?limt=4&utm_source=x&section=a+b", "/users.html?limit=4&section=a%20b"),
            ("/users/-/sections/Writer.html?limt=4", "/users/-/sections/Writer.html?limit=4"),
            ("//evil.example/../../users.html?limt=5", "/users.html?limit=5"),
        ]
    )
    func correction(target: String, corrected: String) throws {
        let answer = try Client(samples: .inMemory).get(target)
        #expect(answer.status == 400)
        #expect(answer.htmlValues(of: "href").contains(corrected), "\(answer.body)")
    }

    @Test(
        "what leads nowhere says what it was, and where to go on",
        arguments: [
            ("/user", "No list 'user'.", ["list": "/users", "lists": "/"]),
            ("/Users.json", "No list 'Users'.", ["list": "/users", "lists": "/"]),
            ("/nothing", "No list 'nothing'.", ["lists": "/"]),
            ("/users.xml", "No list 'users.xml'.", ["lists": "/"]),
            ("/nothing/1", "No list 'nothing'.", ["lists": "/"]),
            ("/nothing/-/schema", "No list 'nothing'.", ["lists": "/"]),
            ("/users/0", "No row '0' in users.", ["list": "/users"]),
            ("/users/x%20%22y", "No row 'x \"y' in users.", ["list": "/users"]),
            ("/users/-", "No row '-' in users.", ["list": "/users"]),
            ("/users/-/rows", "The list 'users' has nothing at this address.", ["list": "/users"]),
            ("/nothing/", "Nothing is at this address.", ["lists": "/"]),
            ("/users/1/", "Nothing is at this address.", ["lists": "/"]),
            ("//", "Nothing is at this address.", ["lists": "/"]),
            ("/users/1/2/3", "Nothing is at this address.", ["lists": "/"]),
            ("/-/assets/none.css", "Nothing is at this address.", ["lists": "/"]),
            ("/-/problems/none", "Nothing is at this address.", ["lists": "/"]),
            (
                "/users/-/sections/Painter", "No section 'Painter' in users.",
                ["sections": "/users/-/sections"]
            ),
            (
                "/users/-/sections/Painter?group=city", "No section 'Painter' in users.",
                ["sections": "/users/-/sections?group=city"]
            ),
            (
                "/users/-/sections/old?group=age", "No section 'old' in users.",
                ["sections": "/users/-/sections?group=age"]
            ),
        ]
    )
    func notFound(target: String, detail: String, links: [String: String]) throws {
        for way in Way.allCases {
            let answer = try Client(samples: way).get(target)
            #expect(answer.status == 404)
            let problem = try answer.json()
            #expect(problem["type"]?.text == "/-/problems/not-found")
            #expect(problem["title"]?.text == "Not found")
            #expect(problem["status"]?.integer == 404)
            #expect(problem["detail"]?.text == detail)
            #expect(problem["links"] == .object(links.mapValues(JSON.text)))
        }
    }

    @Test("texts of a client are escaped where they are repeated")
    func escaping() throws {
        let client = try Client(samples: .inMemory)
        let hostile = "%3Cscript%3E%22'%26"
        for target in [
            "/\(hostile).html", "/users/\(hostile).html", "/users.html?\(hostile)=1",
            "/users.html?sort=\(hostile)", "/users.html?section=\(hostile)",
            "/users/-/sections/\(hostile).html",
        ] {
            let answer = try client.get(target)
            #expect(!answer.body.contains("<script"), "\(answer.body)")
            #expect(answer.body.contains("&lt;script&gt;&quot;'&amp;"), "\(answer.body)")
        }
    }

    @Test("every problem's type leads to its explanation", arguments: ProblemKind.all)
    func explanation(kind: ProblemKind) throws {
        let client = try Client(samples: .inMemory)
        let answer = try client.get("/-/problems/\(kind.name)")
        #expect(answer.status == 200)
        #expect(answer.mediaType == "application/json")
        let document = try answer.json()
        #expect(document["type"]?.text == "/-/problems/\(kind.name)")
        #expect(document["title"]?.text == kind.title)
        #expect(document["status"]?.integer == kind.status)
        #expect(document["detail"]?.text == kind.explanation)
        for page in [
            try client.get("/-/problems/\(kind.name).html"),
            try client.get("/-/problems/\(kind.name)", accept: "text/html"),
        ] {
            #expect(page.status == 200)
            #expect(page.mediaType == "text/html")
            #expect(page.body.contains("<h1>\(kind.title)</h1>"))
        }
    }

    @Test("an unnamed path or target that breaks the grammar is refused by the server")
    func grammar() throws {
        let client = try Client(samples: .throughServer)
        for target in ["/users/%zz", "/users/%ff", "/users/a%00b", "/users?a=b c", "users"] {
            #expect(try Client(samples: .throughServer).get(target).status == 400, "\(target)")
        }
        #expect(try client.get("/users").status == 200)
    }

    @Test(
        "what the server answers by itself has a type that leads to its explanation",
        arguments: [
            (.headTimeout, 408), (.bodyTimeout, 408), (.handlerFailed, 500),
            (.unknownMethod, 501), (.handlerTimeout, 503), (.overloaded, 503),
        ] as [(ProblemDetails, Int)]
    )
    func refusal(problem: ProblemDetails, status: Int) throws {
        let service = try APIHandler([try .sampleUsers()], isDraining: { false })
        var response = HTTPResponse()
        service.refuse(ProtocolErrorResponse(problem), with: &response)
        let type = try #require(try JSON(response.body.text())["type"]?.text)
        let explanation = try Client(samples: .inMemory).get(type)
        #expect(explanation.status == 200)
        #expect(try explanation.json()["status"]?.integer == status)
        #expect((response.field(.retryAfter) != nil) == (status == 503))
    }
}
