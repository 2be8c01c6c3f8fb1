import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("What clients hold comes to be what there is, by changes alone")
struct ConvergenceTests {
    private static func server(
        _ source: String? = nil,
        database: String? = nil,
        loops: Int = 1
    ) throws -> TestServer {
        var configuration = RosterProgram.Configuration()
        if let source { configuration.sources = [try SourceArgument(source)] }
        configuration.database = database
        configuration.allowsAnonymousWrites = true
        var options = ServiceOptions()
        // Other tests keep the machine busy.
        options.readingTimes.rows = .seconds(20)
        options.writing = .everybody(requiresCondition: false)
        let shared = options
        let lists = try ListRegistry(configuration).lists
        return try TestServer {
            $0.loops = loops
        } makeHandler: { _ in
            try APIHandler(lists, options: shared, isDraining: { false })
        }
    }

    private static func follow(_ servers: [TestServer], seed: UInt64) throws {
        let convergence = try Convergence(servers, seed: seed)
        try convergence.run(writes: Convergence.writes)
        #expect(convergence.applied > Convergence.writes / 4)
    }

    @Test("ten clients of two loops, while the list is written to")
    func loops() throws {
        try Self.follow([Self.server(loops: 2)], seed: 1)
    }

    @Test("two servers on one file, of which each is told what the other one writes")
    func files() throws {
        let folder = try ScratchFolder()
        let head = "id,firstName,lastName,occupation,city,age\n"
        let people = (1...60).map { number in
            "\(number),Ada,Name \(number % 9),\(["Writer", "Nurse"][number % 2]),Oslo,\(number)\n"
        }
        try folder.write(Array((head + people.joined()).utf8), to: "users.csv")
        let database = folder.path + "/users.sqlite"
        // The second one finds what the first one has imported.
        let first = try Self.server(folder.path + "/users.csv", database: database)
        try Self.follow([first, Self.server(database: database)], seed: 2)
    }

    @Test(
        "two servers on one PostgreSQL, of which each is told what the other one writes",
        .needsPostgres
    )
    func postgres() throws {
        let cluster = try #require(PostgresCluster.shared)
        let schema = "c\(UInt64.random(in: 0...UInt64.max))"
        try cluster.run(
            """
            CREATE SCHEMA \(schema); SET search_path = \(schema);
            CREATE TABLE users (id integer PRIMARY KEY, "firstName" text, "lastName" text,
                occupation text, city text, age integer);
            INSERT INTO users SELECT n, 'Ada', 'Name ' || n % 9,
                CASE n % 2 WHEN 0 THEN 'Writer' ELSE 'Nurse' END, 'Oslo', n
                FROM generate_series(1, 60) AS n;
            """
        )
        let address = cluster.address(schema: schema)
        try Self.follow((0..<2).map { _ in try Self.server(address) }, seed: 3)
    }
}
