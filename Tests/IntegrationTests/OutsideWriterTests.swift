import Foundation
import TestSupport
import Testing

@Suite(
    "What other programs write is seen, under another tag",
    .enabled(if: OutsideProgram.hasSQLite)
)
struct OutsideWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a client sees of a list: its tag and the values of a column, by the order of the rows.
    private func look(
        _ server: RosterProcess,
        _ target: String
    ) throws -> (tag: String, ids: [String]) {
        let answer = try server.get(target)
        try #require(answer.status == 200, "\(answer.text)")
        let tag = try #require(answer.field("ETag"))
        let page = try JSONDecoder().decode(ListPage.self, from: Data(answer.body))
        return (tag, page.ids)
    }

    private func expectChange(
        _ statements: String,
        _ database: String,
        _ server: RosterProcess,
        _ target: String,
        ids: [String]
    ) throws {
        let before = try look(server, target)
        let known = "If-None-Match: \(before.tag)\r\n"
        let other = try OutsideProgram.sqlite(database, statements)
        try #require(other.code == 0, "\(statements): \(other.output)")
        #expect(try server.get(target, fields: known).status == 200, "\(statements)")
        let after = try look(server, target)
        #expect(after.tag != before.tag, "\(statements)")
        #expect(after.ids == ids, "\(statements)")
    }

    @Test("in somebody else's database, whatever its journal", arguments: ["delete", "wal"])
    func foreign(journal: String) throws {
        let database = folder.path("their.db")
        _ = try OutsideProgram.sqlite(
            database,
            """
            PRAGMA journal_mode = \(journal);
            CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO things VALUES (1, 'a'), (2, 'b');
            """
        )
        let server = try RosterProcess(serving: [database])
        let steps = [
            ("INSERT INTO things VALUES (3, 'c')", ["1", "2", "3"]),
            ("DELETE FROM things WHERE id = 2", ["1", "3"]),
            ("UPDATE things SET id = 7 WHERE id = 1", ["3", "7"]),
            ("UPDATE things SET name = 'd'", ["3", "7"]),
            ("VACUUM; INSERT INTO things VALUES (9, 'x')", ["3", "7", "9"]),
        ]
        for (statements, ids) in steps {
            try expectChange(statements, database, server, "/things", ids: ids)
        }
        try server.stop()
    }

    @Test("in a file that is renamed over the one that is served")
    func renamed() throws {
        let database = folder.path("their.db")
        func make(_ path: String, _ rows: String) throws {
            _ = try OutsideProgram.sqlite(
                path,
                "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT);"
                    + "INSERT INTO things VALUES \(rows);"
            )
        }
        try make(database, "(1, 'a')")
        let server = try RosterProcess(serving: [database])
        for round in 1...5 {
            let before = try look(server, "/things")
            try make(folder.path("next.db"), "(\(round * 10), 'b')")
            _ = try OutsideProgram.run("mv", ["-f", folder.path("next.db"), database])
            let after = try look(server, "/things")
            #expect(after.tag != before.tag)
            #expect(after.ids == ["\(round * 10)"])
        }
        try server.stop()
    }

    @Test("in a list of numbers of ours, though nothing else is told of it")
    func ours() throws {
        let file = try folder.write("id,age\n1,3\n2,5\n", to: "ages.csv")
        let database = folder.path("lists.db")
        let server = try RosterProcess(serving: [file, "--database", database])
        let steps = [
            ("UPDATE ages SET age = 4 WHERE id = 1", ["1", "2"]),
            ("INSERT INTO ages (id, age) VALUES (9, 1)", ["1", "2", "9"]),
            ("INSERT OR REPLACE INTO ages (id, age) VALUES (9, 2)", ["1", "2", "9"]),
            ("DELETE FROM ages WHERE id = 2", ["1", "9"]),
        ]
        for (statements, ids) in steps {
            let tag = try #require(try server.get("/ages/1").field("ETag"))
            try expectChange(statements, database, server, "/ages", ids: ids)
            let isSame = try server.get("/ages/1", fields: "If-None-Match: \(tag)\r\n").status
            #expect(isSame == (statements.contains("SET") ? 200 : 304), "\(statements)")
        }
        try server.stop()
        // What has been written to is not imported again.
        let again = try RosterProcess(serving: [file, "--database", database])
        #expect(try again.page("/ages").ids == ["1", "9"])
        try again.stop()
    }

    @Test("of a list of texts with few rows, other programs can delete rows and no more")
    func fewRows() throws {
        let file = try folder.write("id,name\n1,Zoë\n2,Ada\n", to: "people.csv")
        let database = folder.path("lists.db")
        let server = try RosterProcess(serving: [file, "--database", database])
        for statement in [
            "INSERT INTO people (id, name) VALUES (3, 'x')", "UPDATE people SET name = 'x'",
        ] {
            #expect(try OutsideProgram.sqlite(database, statement).code != 0, "\(statement)")
        }
        try expectChange("DELETE FROM people WHERE id = 2", database, server, "/people", ids: ["1"])
        try server.stop()
    }

    @Test("a list of texts, whose order and words only Roster knows, is kept from them whole")
    func refused() throws {
        let others = (3...64).map { "\($0),Bo\n" }
        let text = "id,name\n1,Zoë\n2,Ada\n" + others.joined()
        let file = try folder.write(text, to: "people.csv")
        let database = folder.path("lists.db")
        let server = try RosterProcess(serving: [file, "--database", database])
        let before = try look(server, "/people?sort=name&q=a")
        for statement in [
            "INSERT INTO people (id, name) VALUES (65, 'x')", "DELETE FROM people WHERE id = 2",
            "UPDATE people SET name = 'x'", "INSERT OR REPLACE INTO people (id) VALUES (1)",
        ] {
            let other = try OutsideProgram.sqlite(database, statement)
            #expect(other.code != 0, "\(statement)")
            #expect(other.output.contains("no such"), "\(statement): \(other.output)")
        }
        let after = try look(server, "/people?sort=name&q=a")
        #expect(after.tag == before.tag)
        #expect(after.ids == ["2"])
        try server.stop()
    }

    @Test("a file stamped by a clock that is ahead is kept by clients all the same")
    func future() throws {
        let database = folder.path("their.db")
        _ = try OutsideProgram.sqlite(
            database,
            "CREATE TABLE things (id INTEGER PRIMARY KEY); INSERT INTO things VALUES (1), (2), (3);"
        )
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1e8)],
            ofItemAtPath: database
        )
        let server = try RosterProcess(serving: [database])
        let tag = try look(server, "/things").tag
        #expect(try server.get("/things", fields: "If-None-Match: \(tag)\r\n").status == 304)
        #expect(try server.pages(from: "/things?limit=1").flatMap(\.ids) == ["1", "2", "3"])
        try expectChange(
            "INSERT INTO things VALUES (4)",
            database,
            server,
            "/things",
            ids: ["1", "2", "3", "4"]
        )
        try server.stop()
    }
}
