import Database
import ListAPITestSupport
import Listings
import RosterProgram
import SQLite
import TestSupport
import Testing

enum StoredLists {
    private static let table = #"""
        id,name,amount,price,active,born,seen,mail,site,note
        10,Ängström,5,1.50,true,1990-04-05,2024-02-29T23:59:59.5+05:30,a@example.org,\#
        https://example.org/a,"one, ""two"""
        9,Barbara,0,0.10,false,2021-11-13,2021-11-13T08:05:09Z,b@example.org,\#
        javascript:alert(1),"two
        lines"
        2,<i>Chloé</i> & co,-7,100,true,0001-01-01,1969-12-31T00:00:00Z,c@example.org,,=1+1
        11,,9007199254740993,12345678901234567890.5,,,,,,
        12,Exactly thirty-three bytes of it.,12,2.25,false,9999-12-31,2024-05-06T07:08:09-08:00,\#
        """q""@example.org",http://example.org/<x>,🙂
        30,barbara,3,,true,2024-02-29,2024-02-29T00:00:00Z,d@example.org,https://example.org/d,plain
        31,\#(String(repeating: "Zeppelin ", count: 21))Zz,\#
        1,3.5,true,2000-01-01,2000-01-01T00:00:00Z,e@example.org,https://example.org/e,long

        """#
    private static let records = ##"""
        [
        {"code":"a/b","name":"Ada <&>","count":1,"share":0.5,\##
        "ok":true,"day":"2024-01-02","tags":["x","<y>"],"any":1},
        {"code":"c","name":null,"count":9007199254740993,\##
        "share":1e21,"ok":false,"day":"2023-12-31","tags":[],"any":"two"},
        {"code":"é","name":"Bo \"q\" \u2028\u0001","count":-3,\##
        "share":-0.25,"ok":true,"day":null,"tags":{"k":"</script>"},"any":[1,{"a":null}]},
        {"code":"d e","name":"","count":0,\##
        "share":12345678901234567890.5,"ok":null,"day":"0001-01-01","tags":null,"any":true},
        {"code":"f","name":"🙂 smile","count":2,\##
        "share":2,"ok":true,"day":"2024-01-02","tags":[[]],"any":"2024-01-02"}
        ]
        """##

    /// An imported table and an imported file of JSON, both to be written to.
    static func imported(in folder: ScratchFolder) throws -> [ListDefinition] {
        try folder.write(Array(table.utf8), to: "table.csv")
        try folder.write(Array(records.utf8), to: "records.json")
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = true
        configuration.database = folder.path + "/lists.db"
        configuration.sources = try ["table.csv", "records.json"].map {
            try SourceArgument("\(folder.path)/\($0)")
        }
        _ = try ListRegistry(configuration)
        let connection = try DatabaseConnection(
            .file("\(folder.path)/lists.db"),
            access: .readWrite
        )
        // Their versions, and those of their rows, are known beforehand.
        try connection.execute(
            """
            UPDATE "table" SET roster_revision = 100 + id;
            UPDATE records SET roster_revision = 200 + id;
            UPDATE roster_lists SET epoch = 42, counter = 7;
            """
        )
        configuration.sources = []
        return try ListRegistry(configuration).lists
    }

    static func foreign(in folder: ScratchFolder) throws -> [ListDefinition] {
        let path = folder.path + "/theirs.db"
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        try connection.execute(
            """
            CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, ratio REAL,
                ok BOOLEAN, day DATE, moment DATETIME, face BLOB, any);
            INSERT INTO things VALUES
                (1, 'Ada <&> "q"', 7, 0.5, 1, '2024-01-02', '2024-01-02 03:04:05', x'00FF', 1),
                (2, NULL, 9007199254740993, 1e300, 0, '2023-12-31', '2023-12-31T23:59:59Z',
                    x'', 'x'),
                (3, 'Bo' || char(1) || char(8232), -1, -0.0, NULL, NULL, NULL, NULL, 2.5),
                (4, '\(String(repeating: "Zz ", count: 70))', 0, 9e999, 1, '0001-01-01',
                    '', x'01', x'02'),
                (5, 'é', 3, 3, 1, 'no day', '2024-02-30 00:00:00', 'text', NULL);
            CREATE TABLE pairs (x INTEGER, y TEXT, z, PRIMARY KEY (x, y)) WITHOUT ROWID;
            INSERT INTO pairs VALUES (2, 'b,c', 0), (1, '50%', '<z>'), (1, 'a', NULL);
            """
        )
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(path)]
        return try ListRegistry(configuration).lists
    }

    static func postgres() throws -> [ListDefinition] {
        let cluster = try #require(PostgresCluster.shared)
        let schema = "replay\(UInt64.random(in: 0...UInt64.max))"
        try cluster.run(
            """
            CREATE SCHEMA \(schema); SET search_path = \(schema); SET TimeZone = 'UTC';
            CREATE TABLE things (id serial PRIMARY KEY, name text, size bigint,
                price numeric(12, 2), ratio double precision, ok boolean, day date,
                moment timestamptz, plain timestamp,
                data jsonb, face bytea, tags text[], token uuid);
            INSERT INTO things VALUES
                (1, 'Ada <&> "q"', 7, 1.50, 0.5, true, '2024-01-02', '2024-01-02 03:04:05.5+05:30',
                    '2024-01-02 03:04:05', '{"a": [1, "<x>"]}', '\\x00ff', '{a,"b c"}',
                    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'),
                (2, NULL, 9007199254740993, 12345678.90, 1e300, false, '0001-01-01', NULL, NULL,
                    NULL, '', '{}', NULL),
                (3, 'Bo' || chr(1) || chr(8232), -1, 0, 'NaN', NULL, NULL, '1969-12-31 23:59:59Z',
                    '9999-12-31 23:59:59', '[]', NULL, NULL, NULL),
                (4, repeat('Zz ', 70), 0, -0.10, 'Infinity', true, '9999-12-31',
                    '2024-05-06 07:08:09-08', NULL, '"text"', '\\x01', '{NULL}', NULL),
                (5, 'é', 3, NULL, -0.25, true, '2024-02-29', NULL, NULL, 'null', NULL, '{x}',
                    NULL);
            """
        )
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(cluster.address(schema: schema))]
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        return try ListRegistry(configuration).lists
    }
}
