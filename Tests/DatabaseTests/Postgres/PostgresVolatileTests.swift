import Database
import Foundation
import Listings
import Postgres
import TestSupport
import Testing

@Suite("Rows of PostgreSQL that change without a new snapshot", .needsPostgres)
struct PostgresVolatileTests {
    private let cluster: PostgresCluster
    private let name = "v\(UInt64.random(in: 0...UInt64.max))"

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run("CREATE DATABASE \(name)")
    }

    @discardableResult
    private func run(_ sql: String) throws -> String { try cluster.run(sql, database: name) }

    private func database() throws -> PostgresDatabase {
        try .patient(cluster.address(database: name))
    }

    @Test("are those of foreign tables, and of what calls functions of time or chance")
    func found() throws {
        try run(
            """
            CREATE EXTENSION file_fdw;
            CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
            CREATE FOREIGN TABLE "f foreign" (id int) SERVER files OPTIONS (filename '/dev/null');
            CREATE TABLE plain (id int PRIMARY KEY, at timestamptz, name text, data jsonb);
            CREATE FUNCTION mine() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';
            CREATE FUNCTION fixed() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
            CREATE VIEW "f now" AS SELECT id FROM plain WHERE at < now();
            CREATE VIEW "f today" AS SELECT id FROM plain WHERE at < CURRENT_DATE;
            CREATE VIEW "f age" AS SELECT id, age(at) FROM plain;
            CREATE VIEW "f random" AS SELECT id FROM plain ORDER BY random();
            CREATE VIEW "f sample" AS SELECT id FROM plain TABLESAMPLE BERNOULLI (50);
            CREATE VIEW "f mine" AS SELECT id, mine() FROM plain;
            CREATE VIEW "f user" AS SELECT id FROM plain WHERE name = current_user;
            CREATE VIEW "f setting" AS SELECT id FROM plain WHERE name = current_setting('x', true);
            CREATE VIEW "f activity" AS SELECT pid AS id FROM pg_stat_activity;
            CREATE SEQUENCE steps;
            CREATE VIEW "f sequence" AS SELECT last_value AS id FROM steps;
            CREATE VIEW "f over" AS SELECT id FROM "f now";
            CREATE VIEW "f join" AS SELECT p.id FROM plain p
                WHERE EXISTS (SELECT FROM "f foreign" f WHERE f.id = p.id);
            CREATE TABLE "f parts" (id int) PARTITION BY RANGE (id);
            CREATE FOREIGN TABLE part PARTITION OF "f parts" DEFAULT
                SERVER files OPTIONS (filename '/dev/null');
            CREATE TABLE "f policy" (id int PRIMARY KEY, at timestamptz);
            CREATE POLICY p ON "f policy" USING (at < now());
            CREATE VIEW shown AS SELECT id, to_char(at, 'YYYY') a, concat(name, id) b, at::date c,
                jsonb_build_object('a', id) d, name || at e, at + '1 day' f,
                extract(year from at) g, fixed(), count(*) OVER () h,
                (SELECT max(id) FROM plain) i FROM plain;
            CREATE VIEW summed AS SELECT name, array_agg(id), string_agg(name, ',') FROM plain
                GROUP BY name;
            CREATE MATERIALIZED VIEW stored AS SELECT id, now() FROM plain;
            CREATE TABLE parted (id int PRIMARY KEY) PARTITION BY RANGE (id);
            CREATE TABLE p1 PARTITION OF parted DEFAULT;
            CREATE VIEW whole AS SELECT id FROM parted;
            """
        )
        let lists = try PostgresCatalog(database()).lists
        #expect(lists.count == 21)
        for list in lists {
            #expect(list.table.isVolatile == list.name.hasPrefix("f "), "\(list.name)")
        }
    }

    @Test("have another version at every read, also where another list shows them")
    func versions() throws {
        try run(
            """
            CREATE TABLE plain (id int PRIMARY KEY, name text);
            INSERT INTO plain VALUES (1, 'x');
            CREATE VIEW ages AS SELECT id, now() AS at FROM plain;
            """
        )
        let plain = try PostgresList("plain", in: database())
        let ages = try PostgresList("ages", in: database())
        #expect(try plain.reader.version().isLasting)
        let first = try ages.read()
        let second = try ages.read()
        let (version, other) = (first.version, second.version)
        #expect(version != other && !version.isLasting && !other.isLasting)
        #expect(try !ages.reader.version().isLasting)
    }

    @Test("are read where a table has a foreign child, whose rows have no versions")
    func inherited() throws {
        try run(
            """
            CREATE EXTENSION file_fdw;
            CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
            CREATE TABLE parent (id int PRIMARY KEY, name text);
            INSERT INTO parent VALUES (1, 'x');
            CREATE FOREIGN TABLE child () INHERITS (parent)
                SERVER files OPTIONS (filename '/dev/null');
            """
        )
        let page = try PostgresList("parent", in: database()).read()
        #expect(page.rowCount == 1 && page.revision(ofRow: 0) == nil)
    }

    @Test("are found when a view is defined anew")
    func redefined() throws {
        try run("CREATE TABLE t (id int PRIMARY KEY); CREATE VIEW few AS SELECT id FROM t")
        let database = try database()
        let before = try PostgresCatalog(database)
        #expect(before.lists.allSatisfy { !$0.table.isVolatile })
        try run("CREATE OR REPLACE VIEW few AS SELECT id FROM t WHERE now() > '2000-01-01'")
        #expect(try PostgresCatalog.schema(of: database) != before.schema)
        let after = try PostgresCatalog(database)
        #expect(after.schemas["few"] != before.schemas["few"])
        // The table is the same, whatever others do with views.
        #expect(after.schemas["t"] == before.schemas["t"])
        #expect(after.lists.filter(\.table.isVolatile).map(\.name) == ["few"])
    }
}
