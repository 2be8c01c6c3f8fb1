import Bytes
import Database
import HTTP
import ListAPI
import Listings
import MemoryLists
import RemoteCodable
import RemoteCurl
import RemoteLists
import TestSupport
import Testing

@testable import RosterProgram

@Suite("Lists of one Roster shown by another")
struct OwnServiceTests {
    @Test("all pages and sections are read, and shown as the rows they are")
    func chain() async throws {
        let first = try TestServer(makeHandler: { _ in try Self.service(count: 120) })
        let format = RecordFormat()
        let address = "http://127.0.0.1:\(first.port)/cities.json?limit=50&sort=-name"
        let source = RemoteSource(
            of: RemoteConfiguration(try RemoteAddress(address)),
            as: format.format,
            over: CurlTransport()
        )
        try await source.refresh()
        #expect(source.snapshot.models.map(\.id).sorted() == (1...120).map(String.init).sorted())
        let shape = try #require(format.shape)
        #expect(shape.idType == .integer)
        #expect(shape.columns.map(\.id) == ["id", "name"])

        let list = try Self.list(of: source, shape)
        let body = try Self.body(of: list, "/copy.json?limit=1")
        #expect(
            body.contains(
                "\"rows\":[{\"id\":\"1\",\"kind\":\"copy.row\",\"cells\":{\"id\":1,\"name\":\"n1\"}"
            )
        )
        #expect(!body.contains("\"stale\""))
    }

    @Test(
        "an address is a source, named by its last part",
        arguments: [
            ("https://example.org/data/people.json?x=1", "people", true),
            ("http://example.org/people/", "people", true),
            ("https://example.org", "example.org", true),
            ("users=https://example.org/a?b=c", "users", true),
            ("people.csv", "people", false),
            ("a=b/people.csv", "a", false),
        ]
    )
    func sources(text: String, name: String, isRemote: Bool) throws {
        let source = try SourceArgument(text)
        #expect(source.listName == name)
        #expect((source.address != nil) == isRemote)
        #expect(source.isFile != isRemote)
    }

    @Test(
        "what is no address is refused",
        arguments: ["ftp://a/b", "https://user:word@a/", "users=http://", "http://a b/"]
    )
    func refusedSources(text: String) {
        #expect(throws: Failure.self) { try SourceArgument(text) }
    }

    @Test(
        "the interval of refreshes is a setting",
        arguments: [("5", Duration.seconds(5)), ("0", nil), ("86400", .seconds(86_400))]
    )
    func interval(text: String, interval: Duration?) throws {
        let flag = try Configuration(arguments: ["--refresh", text], environment: [:])
        let variable = try Configuration(arguments: [], environment: ["ROSTER_REFRESH": text])
        #expect(flag.refresh == interval)
        #expect(variable.refresh == interval)
    }

    @Test("an interval that is none is refused", arguments: ["86401", "-1", "1.5", "often", ""])
    func refusedInterval(text: String) {
        #expect(throws: Failure.self) {
            try Configuration(arguments: ["--refresh=" + text], environment: [:])
        }
    }

    private static func service(count: Int) throws -> APIHandler {
        var registry = ControllerRegistry()
        let source = try MemorySource(
            models: (1...count).map { City(id: $0, name: "n\($0)") },
            using: registry.register(CityController()),
            schema: ListSchema(columns: CityController().columns, idType: .integer),
            version: ListVersion(epoch: 1, counter: 1)
        )
        return try APIHandler([ListDefinition("cities", source: source)], isDraining: { false })
    }

    private static func list(
        of source: RemoteSource<Record>,
        _ shape: RecordFormat.Shape
    ) throws -> RemoteList<Record> {
        var registry = ControllerRegistry()
        let controller = RecordController(list: "copy", columns: shape.columns)
        return try RemoteList(
            of: source,
            using: registry.register(controller),
            schema: ListSchema(columns: shape.columns, idType: shape.idType)
        )
    }

    private static func body(of list: any ListSource, _ target: String) throws -> String {
        var response = HTTPResponse()
        try answer(list, target, &response)
        return response.body.text()
    }

    private static func tag(of list: any ListSource) throws -> String? {
        var response = HTTPResponse()
        try answer(list, "/copy.json", &response)
        return response.field(.etag)
    }

    private static func answer(
        _ list: any ListSource,
        _ target: String,
        _ response: inout HTTPResponse
    ) throws {
        let service = try APIHandler([ListDefinition("copy", source: list)], isDraining: { false })
        try service.respond(to: HTTPRequest(.get, target), with: &response)
    }
}
