import Foundation
import TestSupport
import Testing

@Suite("How lists are read, and the indexes that would help")
struct ExplainTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The lines about questions that no index serves, though one could.
    private func unserved(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { line in
            line.hasSuffix(" all rows") || line.hasPrefix("CREATE ")
        }
    }

    private func explain(_ source: String, _ options: [String] = []) throws -> String {
        let run = try RosterProcess.run([source, "--explain"] + options)
        #expect(run.ending == .exit(0), "\(run.lines)")
        return run.output
    }

    static let tables = [
        #"CREATE TABLE pets (id INTEGER PRIMARY KEY, "order" TEXT, "a ""b" REAL NOT NULL, born)"#,
        #"CREATE TABLE "group" (id TEXT PRIMARY KEY, "order" TEXT, "a ""b" INTEGER, born TEXT)"#,
        """
        CREATE TABLE "a-b" (part INTEGER, key TEXT, "order" TEXT, "it's" REAL, "x$9" TEXT, \
        PRIMARY KEY (part, key)) WITHOUT ROWID
        """,
        #"CREATE TABLE pets ("order" TEXT COLLATE NOCASE, "a ""b" REAL, born TEXT)"#,
        #"CREATE TABLE pets (rowid TEXT PRIMARY KEY, "order" TEXT, big INT UNIQUE)"#,
        """
        CREATE TABLE pets (id TEXT PRIMARY KEY, name TEXT); CREATE INDEX Pets_Name ON pets (id); \
        CREATE TABLE pets_a (id TEXT PRIMARY KEY, b TEXT); ALTER TABLE pets ADD COLUMN a_b TEXT;
        """,
    ]

    @Test(
        "what is proposed for a file serves every question that it can",
        .enabled(if: OutsideProgram.hasSQLite, "sqlite3 is not installed"),
        arguments: tables
    )
    func file(tables: String) throws {
        let path = folder.path("shop.sqlite")
        #expect(try OutsideProgram.sqlite(path, tables).code == 0)
        let before = try explain(path)
        #expect(before.contains("CREATE INDEX "))
        #expect(before.contains(": as it is: by an index\n"))
        let made = try OutsideProgram.sqlite(path, "\n" + before)
        #expect(made.code == 0 && made.output == "", "\(made.output)")
        let after = try explain(path)
        #expect(unserved(after) == [])
        #expect(after.split(separator: "\n").count >= 4)
    }

    @Test(
        "an order is explained as it is asked for, in the sections of the list and without them",
        .enabled(if: OutsideProgram.hasSQLite, "sqlite3 is not installed")
    )
    func sections() throws {
        let path = folder.path("shop.sqlite")
        let table = "CREATE TABLE pets (id INTEGER PRIMARY KEY, kind TEXT, age INTEGER)"
        #expect(try OutsideProgram.sqlite(path, table).code == 0)
        let options = ["--group-by", "pets=kind"]
        let before = try explain(path, options)
        let age = "\"age\" COLLATE BINARY, \"id\" COLLATE BINARY);\n"
        for index in [age, "\"kind\" COLLATE BINARY, \(age)"] {
            #expect(before.contains("ON \"pets\" (\(index)"), "\(before)")
        }
        #expect(before.contains("-- pets: sort=age: sorts all rows\n"))
        #expect(before.contains("-- pets: group=none&sort=age: sorts all rows\n"))
        #expect(try OutsideProgram.sqlite(path, "\n" + before).code == 0)
        let after = try explain(path, options)
        #expect(unserved(after) == [])
        #expect(after.contains("-- pets: sort=age: by an index\n"))
    }

    @Test(
        "views, imported lists and rows in memory are told apart",
        .enabled(if: OutsideProgram.hasSQLite, "sqlite3 is not installed")
    )
    func others() throws {
        let path = folder.path("shop.sqlite")
        _ = try OutsideProgram.sqlite(
            path,
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE VIEW v AS SELECT id, a FROM t;"
        )
        let found = try explain(path)
        #expect(
            found.contains(
                "v: sort=a: sorts all rows; a view has no index, but the tables it reads may have"
            )
        )
        #expect(found.components(separatedBy: "CREATE INDEX").count == 2)
        // Lists of fewer rows have no indexes.
        let rows = String(repeating: "1,2,3,4,5,6,7,8,9,10,11\n", count: 64)
        let file = try folder.write("a,b,c,d,e,f,g,h,i,j,k\n" + rows, to: "many.csv")
        let imported = try explain(file)
        #expect(imported.contains("-- many: sort=a: by an index\n"))
        #expect(
            imported.contains("sort=k: sorts all rows; it is imported without such an index\n")
        )
        #expect(!imported.contains("\nCREATE "))
        // Sections of an imported list get their index when they are asked for at the start.
        let people = String(repeating: "Ada,Oslo\nBo,Bergen\n", count: 32)
        let names = try folder.write("name,town\n" + people, to: "names.csv")
        let stored = ["--database", folder.path("names.db")]
        let option = "--group-by names=name:initial"
        #expect(
            try explain(names, stored).contains(
                "group=name:initial: sorts all rows; an index is made where the program is started "
                    + "with \(option)\n"
            )
        )
        let started = try RosterProcess.run(
            stored + option.split(separator: " ").map(String.init) + ["--explain"]
        )
        #expect(started.lines == ["roster: names: making an index for its sections"])
        #expect(started.output.contains("-- names: group=name:initial: by an index\n"))
        let again = try RosterProcess.run(stored + ["--explain"]).output
        #expect(again.contains("-- names: group=name:initial: by an index\n"))
        let run = try RosterProcess.run(["--explain"])
        #expect(run.output == "-- users: its rows are in memory and need no index\n")
    }

    @Test("what is proposed for PostgreSQL serves every question that it can", .needsPostgres)
    func postgres() throws {
        let cluster = try #require(PostgresCluster.shared)
        let schema = "e\(UInt64.random(in: 0...UInt64.max))"
        func run(_ sql: String) throws {
            try cluster.run("SET search_path = \(schema); \(sql)")
        }
        try cluster.run("CREATE SCHEMA \(schema)")
        try run(
            """
            CREATE TYPE mood AS ENUM ('sad', 'happy');
            CREATE TABLE "order" (id int PRIMARY KEY, "group" text COLLATE "en-US-x-icu", "a ""b" real,
                "x$9" uuid, born date, at timestamptz, ok boolean, price numeric, doc jsonb,
                feeling mood, "C" text COLLATE "C", short char(3), data bytea);
            CREATE TABLE pairs (part int, key text COLLATE "en-US-x-icu", name varchar(9),
                PRIMARY KEY (part, key));
            CREATE INDEX further ON pairs (part, name);
            CREATE VIEW few AS SELECT id, born FROM "order";
            """
        )
        let address = cluster.address(schema: schema)
        let before = try explain(address)
        #expect(before.contains("CREATE INDEX ON \"order\" (\"group\" COLLATE \"C\", \"id\");\n"))
        #expect(before.contains("pairs: name=…: looks at all rows\n"))
        #expect(before.contains("feeling=…: looks at all rows; no index can be made for it\n"))
        #expect(before.contains("order: q=…: looks at all rows; no index can be made for it\n"))
        #expect(before.contains("pairs: id=…: by an index\n"))
        #expect(before.contains("pairs: q=…: looks at all rows\n"))
        #expect(before.contains("group=group_:initial: sorts all rows\n"))
        let statements = before.components(separatedBy: ";\n").map { statement in
            statement.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        }
        let indexes = statements.filter { $0.hasPrefix("CREATE INDEX ") }
        #expect(indexes.count > 10 && Set(indexes).count == indexes.count)
        // Several indexes of a table use one function.
        #expect(before.components(separatedBy: "FUNCTION roster_initial").count == 3)
        let script = try folder.write("SET search_path = \(schema);\n" + before, to: "indexes.sql")
        try cluster.run("\\i \(script)")
        let after = try explain(address)
        #expect(unserved(after) == [])
        #expect(after.contains("-- pairs: name=…: by an index\n"))
        #expect(after.contains("-- pairs: name__contains=…: by an index\n"))
        #expect(after.contains("-- pairs: q=…: by an index\n"))
        #expect(after.contains("-- pairs: group=key:initial: by an index\n"))
    }
}
