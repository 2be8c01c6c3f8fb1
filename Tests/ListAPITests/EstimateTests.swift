import HTTP
import ListAPITestSupport
import TestSupport
import Testing

@Suite("The statistics of PostgreSQL give numbers of rows")
struct EstimateTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let tables = """
        CREATE TABLE things (id integer PRIMARY KEY, kind integer);
        INSERT INTO things SELECT g, g % 2 FROM generate_series(1, 30000) g;
        ANALYZE things;
        INSERT INTO things SELECT g, 0 FROM generate_series(30001, 30010) g;
        CREATE TABLE others (id integer PRIMARY KEY);
        INSERT INTO others VALUES (1), (2);
        """

    @Test("an estimate is the number of the last ANALYZE, without conditions", .needsPostgres)
    func estimates() throws {
        let lists = try Shop.postgres.lists(in: folder, of: Self.tables)
        let client = try AuthorizedClient(
            lists,
            [("all", "*:read"), ("few", "things:read:id__lte=20 others:read")]
        )
        func total(_ target: String, as name: String = "all") throws -> String {
            let total = try client.ask(.get, target, as: name).json()["total"]
            return "\(total?["value"]?.integer ?? -1) \(total?["relation"]?.text ?? "")"
        }
        #expect(try total("/things.json?limit=1&count=estimated") == "30000 estimate")
        #expect(try total("/things.json?limit=1&count=exact") == "30010 eq")
        // Conditions and tables without statistics are counted, and so are the rows of a token.
        #expect(try total("/things.json?limit=1&count=estimated&kind=1") == "10000 gte")
        #expect(try total("/others.json?count=estimated") == "2 eq")
        #expect(try total("/things.json?limit=1&count=estimated", as: "few") == "20 eq")
    }
}
