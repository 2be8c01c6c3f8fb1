import Foundation
import SQLite
import TestSupport
import Testing

@Suite("What was concluded from another program's data is concluded again when they change")
struct ForeignDataChangeTests {
    private let folder: TemporaryFolder
    private let file: String
    private let other: DatabaseConnection

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path("their.sqlite")
        other = try DatabaseConnection(.file(file), access: .readWrite)
    }

    private func ids(_ answer: RawResponse) throws -> [String] {
        let page = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let sections = try #require(page?["sections"] as? [[String: Any]], "\(answer.text)")
        let rows = sections.flatMap { $0["rows"] as? [[String: Any]] ?? [] }
        return rows.map { $0["id"] as? String ?? "" }
    }

    /// Whether a server that ran before a change answers like one that started after it.
    private func expectEqual(
        _ old: RosterProcess,
        _ new: RosterProcess,
        _ addresses: [String],
        _ expected: [[String]]
    ) throws {
        for (address, ids) in zip(addresses, expected) {
            let (first, second) = (try old.get(address), try new.get(address))
            #expect(first.status == 200 && second.status == 200, "\(address) \(first.text)")
            #expect(try self.ids(first) == ids, "\(address)")
            #expect(try self.ids(second) == ids, "\(address)")
            #expect(first.text == second.text, "\(address)")
        }
    }

    private static let times = [
        "/t?at=2024-03-12T02:30:00Z", "/t?at__lt=2024-03-12T02:10:00Z", "/t?sort=at",
        "/t?sort=-at", "/t?at__gte=2024-03-12T02:30:00Z&sort=at",
    ]

    @Test("times in another spelling are found and ordered", arguments: ["", "INDEX"])
    func times(index: String) throws {
        try other.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT);
            INSERT INTO t VALUES (1, '2024-03-12T01:00:00Z'), (2, '2024-03-12T02:00:00Z');
            """
        )
        if !index.isEmpty { try other.execute("CREATE INDEX t_at ON t (at)") }
        let old = try RosterProcess(serving: [file])
        #expect(try ids(old.get("/t?sort=at")) == ["1", "2"])
        try other.execute(
            "INSERT INTO t VALUES (3, '2024-03-12 02:30:00'), (4, '2024-03-12T04:30:00+02:00')"
        )
        let new = try RosterProcess(serving: [file])
        let expected = [
            ["3", "4"], ["1", "2"], ["1", "2", "3", "4"], ["4", "3", "2", "1"], ["3", "4"],
        ]
        try expectEqual(old, new, Self.times, expected)
        var found: [String] = []
        var address: String? = "/t?sort=at&limit=1"
        // Each page comes from the other server.
        while let next = address, found.count < 10 {
            let answer = try (found.count.isMultiple(of: 2) ? old : new).get(next)
            found += try ids(answer)
            let page = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            address = (page?["links"] as? [String: Any])?["next"] as? String
        }
        #expect(found == ["1", "2", "3", "4"])
        try old.stop()
        try new.stop()
    }

    @Test("one odd spelling among thousands of rows is found and ordered")
    func rareSpelling() throws {
        try other.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT);
            CREATE INDEX t_at ON t (at);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO t SELECT i, strftime('%Y-%m-%dT%H:%M:%SZ', i * 60, 'unixepoch') FROM n;
            UPDATE t SET at = '1970-01-02T12:00:30+10:00' WHERE id = 2049;
            """
        )
        let server = try RosterProcess(serving: [file])
        let rows = try server.get("/t?sort=at&at__gte=1970-01-02T01:59:00Z&limit=4")
        #expect(try ids(rows) == ["1559", "1560", "2049", "1561"])
        #expect(try ids(server.get("/t?at=1970-01-02T02:00:30Z")) == ["2049"])
        try server.stop()
    }

    @Test("keys that become equal or missing make other ids, and no error")
    func keys() throws {
        try other.execute(
            """
            CREATE TABLE t (id PRIMARY KEY, x); INSERT INTO t VALUES ('1', 'a');
            CREATE VIEW v AS SELECT id, x FROM t;
            CREATE TABLE w (id TEXT PRIMARY KEY, x); INSERT INTO w VALUES ('k', 'a');
            """
        )
        let old = try RosterProcess(serving: [file])
        let cursor = try old.get("/t?limit=1")
        for list in ["t", "v", "w"] {
            #expect(try old.get("/\(list).csv").text.contains("a"))
        }
        try other.execute(
            "INSERT INTO t VALUES (1, 'b'), (NULL, 'c'); INSERT INTO w VALUES (NULL, 'b')"
        )
        for list in ["t", "v", "w"] {
            let answer = try old.get("/\(list)")
            #expect(answer.status == 200, "\(list)")
            #expect(!answer.text.contains(#""id":"""#), "\(list)")
        }
        let new = try RosterProcess(serving: [file])
        try expectEqual(
            old,
            new,
            ["/t", "/v", "/w", "/t?x=b"],
            [["1", "2", "3"], ["1", "2", "3"], ["1", "2"], ["2"]]
        )
        #expect(try old.get("/t.csv").text == "id,x\r\n1,a\r\n1,b\r\n,c\r\n")
        #expect(try old.get("/t").field("ETag") == new.get("/t").field("ETag"))
        #expect(cursor.field("ETag") != (try new.get("/t?limit=1").field("ETag")))
        try old.stop()
        try new.stop()
    }

    @Test("a column whose values become times is one of times")
    func kinds() throws {
        try other.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, at); INSERT INTO t VALUES (1, 'x'), (2, 5)"
        )
        let old = try RosterProcess(serving: [file])
        let first = try old.get("/t?sort=at&limit=1")
        let page = try JSONSerialization.jsonObject(with: Data(first.body)) as? [String: Any]
        let next = try #require((page?["links"] as? [String: Any])?["next"] as? String)
        try other.execute(
            """
            DELETE FROM t;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
            INSERT INTO t SELECT i, strftime('%Y-%m-%d %H:%M:%S', -i * 60, 'unixepoch') FROM n;
            INSERT INTO t VALUES (31, '1969-12-31T23:59:30+01:00')
            """
        )
        let new = try RosterProcess(serving: [file])
        let expected = [["31", "30", "29"], ["1"], ["31"]]
        let addresses = [
            "/t?sort=at&limit=3", "/t?at__gt=1969-12-31T23:58:30Z",
            "/t?at__lt=1969-12-31T23:00:00Z",
        ]
        try expectEqual(old, new, addresses, expected)
        // The order of the cursor is no longer known.
        for server in [old, new] { #expect(try server.get(next).status == 400) }
        try old.stop()
        try new.stop()
    }

    @Test("values in JSON are compared byte by byte, as the columns of the table are")
    func members() throws {
        try other.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, meta TEXT, v TEXT);
            INSERT INTO t VALUES (1, '{"v":"f"}', 'f'), (2, '{"v":"e"}', 'e'),
              (3, '{"v":"é"}', 'é'), (4, '{"v":"Z"}', 'Z'), (5, '{"v":""}', '');
            """
        )
        let server = try RosterProcess(serving: [file])
        for (condition, expected) in [
            ("__lt=%C3%A9", ["1", "2", "4", "5"]), ("__gte=e", ["1", "2", "3"]), ("=%C3%A9", ["3"]),
            ("__gt=Z", ["1", "2", "3"]), ("__lte=", ["5"]),
        ] {
            for name in ["v", "meta.v"] {
                let found = try ids(server.get("/t?\(name)\(condition)"))
                #expect(found == expected, "\(name)\(condition)")
            }
        }
        let sorted = ["5", "4", "2", "1", "3"]
        for name in ["v", "meta.v"] {
            #expect(try ids(server.get("/t?sort=\(name)")) == sorted)
            #expect(try ids(server.get("/t?sort=-\(name)")) == sorted.reversed())
        }
        try server.stop()
    }
}
