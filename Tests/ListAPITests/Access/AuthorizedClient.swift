import Bytes
import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import SQLite
import TestSupport
import Testing

final class AuthorizedClient {
    static func token(of name: String) -> String { "roster_token-of-\(name)" }

    let middleware: Middleware
    let board: AccessPolicyStore
    private let folder = try? ScratchFolder()
    private let reader = RequestReader()

    init(
        _ lists: [ListDefinition],
        _ scopes: [(name: String, scopes: String)],
        openness: AccessPolicy.Openness = AccessPolicy.Openness(reading: false),
        writes: Bool = false,
        settings: Middleware.Settings = Middleware.Settings(),
        cacheBytes: Int = 1 << 20
    ) throws {
        let path = (folder?.path ?? "") + "/tokens"
        try folder?.write(Array(Self.lines(scopes).utf8), to: "tokens")
        board = try AccessPolicyStore(path, lists, openness)
        var options = ServiceOptions()
        // Other tests keep the machine busy.
        options.readingTimes.rows = .seconds(20)
        (options.readingTimes.counts, options.readingTimes.facets) = (.seconds(20), .seconds(20))
        options.access = board
        options.pageCacheBytes = cacheBytes
        if writes { options.writing = .everybody(requiresCondition: false) }
        let service = try APIHandler(lists, options: options, isDraining: { false })
        middleware = Middleware(service, settings, workers: ServiceWorkers())
    }

    /// The lines of a file of tokens; scopes after `- ` are those of a user without a token.
    static func lines(_ scopes: [(name: String, scopes: String)]) -> String {
        scopes.map { name, scopes in
            let digest = scopes.hasPrefix("- ") ? "" : TokenDigest(of: token(of: name)).text + " "
            return "\(name) \(digest)\(scopes)\n"
        }
        .joined()
    }

    func change(to scopes: [(name: String, scopes: String)]) throws {
        try folder?.write(Array(Self.lines(scopes).utf8), to: "tokens")
        board.reload()
    }

    /// The answer to a request; of somebody without a token for nil.
    func ask(
        _ method: HTTPMethod = .get,
        _ target: String,
        as name: String? = nil,
        fields: [(FieldName, String)] = [],
        json: String? = nil
    ) throws -> Answer {
        var all = fields
        if let name { all.append((.authorization, "Bearer \(Self.token(of: name))")) }
        if json != nil { all.append((.contentType, "application/json")) }
        var response = HTTPResponse()
        // Read by a loop, so that a head that comes again is known.
        let request =
            if let json {
                try HTTPRequest(method, target, fields: all, body: Array(json.utf8))
            } else {
                try #require(reader.read(method, target, all))
            }
        try middleware.respond(to: request, with: &response)
        if let deferral = response.deferral.take() {
            let made = try Gate()
            #expect(deferral.begin(waker: HTTPStreamWaker { made.open() }))
            #expect(try made.wait())
            #expect(try deferral.take(into: &response))
        }
        var answer = Answer(status: response.status.code, fields: [], body: "", pieces: 0)
        for line in response.fieldLines.text().split(separator: "\r\n") {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            answer.fields.append((String(line[..<colon]), String(line[colon...].dropFirst(2))))
        }
        if let stream = response.stream, !response.isLasting {
            var state = HTTPStreamState.more
            while state == .more { state = try stream.write(into: &response.body) }
        }
        answer.body = response.sharedBody?.bytes.text() ?? response.body.text()
        return answer
    }
}

enum PeopleList {
    enum Location: CaseIterable {
        case imported, postgres

        static let installed = allCases.filter {
            $0 != .postgres || PostgresCluster.programs != nil
        }

        func lists(_ isWanted: (Int) -> Bool = { _ in true }) throws -> [ListDefinition] {
            switch self {
            case .imported: try PeopleList.list(isWanted)
            case .postgres: try PeopleList.table(isWanted)
            }
        }
    }

    private static let cities = ["Oslo", "Bergen", "Paris", "Lyon", ""]
    static let northern = "people:read:city__in=Oslo,Bergen&age__lt=50"

    /// Whether a row is one of those.
    static func isNorthern(_ number: Int) -> Bool { number % 5 < 2 && number % 70 < 50 }

    /// The id, name, city, age and first day of those whose numbers suit.
    private static func people(_ isWanted: (Int) -> Bool) -> [[String]] {
        (1...300).filter(isWanted).map { number in
            let initial = Character(Unicode.Scalar(UInt8(65 + number * 7 % 26)))
            let day = number % 28 + 1
            return [
                "\(number)", "\(initial)nn\(number)", cities[number % 5], "\(number % 70)",
                "2024-0\(number % 9 + 1)-\(day < 10 ? "0" : "")\(day)",
            ]
        }
    }

    /// A file of those whose numbers suit.
    static func file(_ isWanted: (Int) -> Bool) -> String {
        let lines = people(isWanted).map { $0.joined(separator: ",") + "\n" }
        return "id,name,city,age,joined\n" + lines.joined()
    }

    static func list(
        named name: String = "people",
        _ isWanted: (Int) -> Bool = { _ in true }
    ) throws -> [ListDefinition] {
        let folder = try ScratchFolder()
        try folder.write(Array(file(isWanted).utf8), to: "\(name).csv")
        return try lists(of: "\(folder.path)/\(name).csv")
    }

    private static func values(_ isWanted: (Int) -> Bool) -> String {
        people(isWanted).map { row in
            "(\(row[0]), '\(row[1])', nullif('\(row[2])', ''), \(row[3]), '\(row[4])')"
        }
        .joined(separator: ",")
    }

    static func foreign(
        in folder: ScratchFolder,
        _ isWanted: (Int) -> Bool = { _ in true }
    ) throws -> [ListDefinition] {
        let path = "\(folder.path)/\(UInt64.random(in: 0...UInt64.max)).sqlite"
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        try connection.execute(
            """
            CREATE TABLE people (id integer PRIMARY KEY, name text, city text, age integer,
                joined date);
            INSERT INTO people VALUES \(values(isWanted));
            """
        )
        return try lists(of: path)
    }

    static func table(_ isWanted: (Int) -> Bool = { _ in true }) throws -> [ListDefinition] {
        let cluster = try #require(PostgresCluster.shared)
        let schema = "t\(UInt64.random(in: 0...UInt64.max))"
        try cluster.run(
            """
            CREATE SCHEMA \(schema); SET search_path = \(schema);
            CREATE TABLE people (id serial PRIMARY KEY, name text, city text, age integer,
                joined date);
            INSERT INTO people VALUES \(values(isWanted));
            SELECT setval('people_id_seq', 1000);
            """
        )
        return try lists(of: cluster.address(schema: schema))
    }

    private static func lists(of source: String) throws -> [ListDefinition] {
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(source)]
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        return try ListRegistry(configuration).lists
    }
}
