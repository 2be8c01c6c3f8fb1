import Database
import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import SQLite
import TestSupport
import Testing

@Suite("The bytes of a cell have an address")
struct CellDownloadTests {
    private let folder: ScratchFolder
    private let lists: [ListDefinition]
    private let client: Client

    init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        let location = DatabaseLocation.file(Array("\(folder.path)/photos.db".utf8))
        try DatabaseConnection(location, access: .readWrite).execute(
            """
            CREATE TABLE photos (code TEXT PRIMARY KEY, city TEXT, picture BLOB, taken DATE, n INTEGER);
            INSERT INTO photos VALUES
                ('a', 'Oslo', x'00417F0A', '2024-02-29', 7), ('b c.json', 'Rome', x'', NULL, NULL),
                ('c', 'Rome', NULL, NULL, NULL), ('d', 'Oslo', 'text', NULL, 1)
            """
        )
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("\(folder.path)/photos.db")]
        lists = try ListRegistry(configuration).lists
        client = try Client(lists)
    }

    @Test(
        "JSON, lines and pages name it beside the number of bytes",
        arguments: [
            ("/photos.json", #""picture":{"bytes":4,"href":"/photos/a/-/cells/picture"}"#),
            ("/photos.json", #"{"bytes":0,"href":"/photos/b%20c.json/-/cells/picture"}"#),
            ("/photos.json", #""picture":"text""#),
            ("/photos/a.json", #""picture":{"bytes":4,"href":"/photos/a/-/cells/picture"}"#),
            ("/photos.ndjson", #""picture":{"bytes":4,"href":"/photos/a/-/cells/picture"}"#),
            ("/photos.ndjson?limit=2", #"{"bytes":4,"href":"/photos/a/-/cells/picture"}"#),
            ("/photos.html", #"<a href="/photos/a/-/cells/picture">4 bytes</a>"#),
            ("/photos.html?layout=grid", #"<a href="/photos/a/-/cells/picture">4 bytes</a>"#),
            ("/photos/a.html", #"<a href="/photos/a/-/cells/picture">4 bytes</a>"#),
            ("/photos.csv", "a,Oslo,4 bytes,2024-02-29,7"),
        ]
    )
    func named(target: String, expected: String) throws {
        let answer = try client.get(target)
        #expect(answer.status == 200)
        #expect(answer.body.contains(expected), "\(answer.body)")
    }

    @Test("it answers the bytes as a file", arguments: Way.allCases)
    func download(way: Way) throws {
        let client = try Client(lists, way)
        let answer = try client.get("/photos/a/-/cells/picture")
        #expect(answer.status == 200)
        #expect(answer.body == "\0A\u{7F}\n")
        #expect(answer.field("Content-Type") == "application/octet-stream")
        #expect(answer.field("X-Content-Type-Options") == "nosniff")
        let disposition = #"attachment; filename="photos-a-picture.bin""#
        #expect(answer.field("Content-Disposition") == disposition)
        let empty = try client.get("/photos/b%20c.json/-/cells/picture")
        #expect(empty.status == 200 && empty.body.isEmpty)
        let name = #"attachment; filename="photos-b_c.json-picture.bin""#
        #expect(empty.field("Content-Disposition") == name)
        let head = try client.ask(.head, "/photos/a/-/cells/picture")
        #expect(head.status == 200 && head.field("Content-Type") == "application/octet-stream")
    }

    @Test(
        "other values are answered as text",
        arguments: [
            ("a/-/cells/city", "Oslo"), ("a/-/cells/taken", "2024-02-29"), ("a/-/cells/n", "7"),
            ("a/-/cells/code", "a"), ("d/-/cells/picture", "text"),
        ]
    )
    func texts(target: String, expected: String) throws {
        let answer = try client.get("/photos/" + target)
        #expect(answer.status == 200)
        #expect(answer.body == expected)
        #expect(answer.field("Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.field("X-Content-Type-Options") == "nosniff")
    }

    @Test(
        "a cell that is not there is told as such",
        arguments: [
            ("/photos/x/-/cells/picture", 404, "No row 'x' in photos."),
            ("/photos/a/-/cells/pictrue", 404, "the nearest is 'picture'"),
            ("/photos/c/-/cells/picture", 404, "Row 'c' has no value in column 'picture'."),
            ("/phots/c/-/cells/picture", 404, "No list 'phots'."),
            ("/photos/a/-/cells/picture?limit=3", 400, "limit"),
        ]
    )
    func absent(target: String, status: Int, detail: String) throws {
        let answer = try client.get(target, accept: "application/json")
        #expect(answer.status == status)
        #expect(answer.body.contains(detail), "\(answer.body)")
        #expect(try client.ask(.delete, "/photos/a/-/cells/picture").status == 405)
    }

    @Test("it is for those who may read the row")
    func scopes() throws {
        let authorized = try AuthorizedClient(
            lists,
            [("north", "photos:read:city=Oslo"), ("all", "photos:read")]
        )
        let target = "/photos/a/-/cells/picture"
        #expect(try authorized.ask(.get, target, as: "north").status == 200)
        #expect(try authorized.ask(.get, "/photos/c/-/cells/city", as: "all").body == "Rome")
        #expect(try authorized.ask(.get, "/photos/c/-/cells/city", as: "north").status == 404)
        #expect(
            try authorized.ask(.get, "/photos/b%20c.json/-/cells/picture", as: "north").status
                == 404
        )
        #expect(try authorized.ask(.get, target).status == 401)
    }

    @Test("a row with a revision gives its entity tag")
    func tags() throws {
        try folder.write(Array("id,name\n1,Ada\n".utf8), to: "people.csv")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("\(folder.path)/people.csv")]
        let client = try Client(try ListRegistry(configuration).lists)
        let answer = try client.get("/people/1/-/cells/name")
        #expect(answer.body == "Ada")
        let tag = try #require(answer.field("ETag"))
        #expect(try client.get("/people/1").field("ETag") == tag)
        let again = try client.ask(
            .get,
            "/people/1/-/cells/name",
            fields: [(.ifNoneMatch, tag)]
        )
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        let page = try client.get("/people.json").body
        #expect(!page.contains("href\":\"/people/1/-/cells"))
    }

    @Test("a source that cannot read bytes links to none, and answers its texts")
    func samples() throws {
        let client = try Client(samples: .inMemory)
        let answer = try client.get("/users/1/-/cells/lastName")
        #expect(answer.status == 200)
        #expect(answer.mediaType == "text/plain")
    }
}
