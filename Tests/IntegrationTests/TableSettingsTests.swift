import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Settings choose the tables of a database, their names and their keys")
struct TableSettingsTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("shop.db")
        let writer = try DatabaseConnection(.file(path), access: .readWrite)
        try writer.execute(
            """
            CREATE TABLE orders (customer INTEGER, number INTEGER, what TEXT);
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
            CREATE VIEW pairs AS SELECT customer, number, what FROM orders;
            CREATE VIEW names AS SELECT name FROM people;
            CREATE TABLE "a/b" (id INTEGER PRIMARY KEY);
            CREATE VIRTUAL TABLE found USING fts5(what);
            INSERT INTO orders VALUES (1, 1, 'x'), (1, 2, 'y'), (2, 1, 'z');
            INSERT INTO people VALUES (1, 'Ada'), (2, 'Bo');
            """
        )
    }

    private struct Directory: Decodable {
        struct List: Decodable { var id: String }
        var lists: [List]
    }

    private func lists(_ arguments: [String]) throws -> [String] {
        let server = try RosterProcess(serving: arguments)
        let body = Data(try server.get("/.json").body)
        try server.stop()
        return try JSONDecoder().decode(Directory.self, from: body).lists.map(\.id)
    }

    @Test("tables are named, chosen and hidden")
    func choices() throws {
        #expect(try lists([path]) == ["a-b", "names", "orders", "pairs", "people"])
        #expect(try lists([path, "--only", "people,found"]) == ["found", "people"])
        #expect(try lists([path, "--hide", "a/b,names,pairs"]) == ["orders", "people"])
        #expect(try lists(["x=\(path)#orders", "\(path)#a/b"]) == ["x", "a-b"])
        #expect(try lists(["x=\(path)#people", "y=\(path)#people"]) == ["x", "y"])
    }

    @Test("numbered lists say so and are read-only, and a key replaces the numbers")
    func keys() throws {
        let numbered = try RosterProcess(serving: [path, "--allow-anonymous-writes"])
        #expect(try numbered.page("/pairs.json").ids == ["1", "2", "3"])
        #expect(
            numbered.lines.contains(
                "roster: \(path): 'pairs' is a view whose first column is no id: its rows are "
                    + "numbered by position and can only be read; "
                    + "--key pairs=COLUMN[,COLUMN] names a key"
            )
        )
        try numbered.stop()
        let keyed = try RosterProcess(
            serving: [path, "--key", "pairs=customer,number", "--key", "names=name"]
        )
        #expect(try keyed.page("/pairs.json").ids == ["1,1", "1,2", "2,1"])
        #expect(try keyed.get("/names/Bo.json").status == 200)
        #expect(!keyed.lines.contains { $0.contains("numbered") })
        try keyed.stop()
    }

    @Test(
        "a setting that means nothing is an error",
        arguments: [
            (
                ["--only", "peple"],
                "--only: no source has a list or table 'peple'; did you mean people?"
            ),
            (["--hide", "x"], "--hide: no source has a list or table 'x'"),
            (
                ["--key", "ordrs=a"],
                "--key: no source has a list or table 'ordrs'; did you mean orders?"
            ),
            (
                ["--key", "pairs=custmer"],
                "--key: 'pairs' has no column 'custmer'; did you mean 'customer'?"
            ),
            (["--only", "people", "--hide", "people"], "there is no list to serve"),
        ]
    )
    func refusals(arguments: [String], message: String) throws {
        let run = try RosterProcess.run(["--port", "0", path] + arguments)
        #expect(run.lines.last == "roster: " + message)
        #expect(run.ending == .exit(message.hasPrefix("--") ? 64 : 65))
    }

    @Test("a source that names no table is an error")
    func sources() throws {
        for (source, message) in [
            (
                "\(path)#peple",
                "\(path)#peple: there is no table or view 'peple'; did you mean people?"
            ),
            (
                "x=\(path)",
                "x=\(path): a name is given to a list and not to a database, whose lists are named "
                    + "after its tables; x=\(path)#TABLE names one"
            ),
        ] {
            let run = try RosterProcess.run(["--port", "0", source])
            #expect(run.lines.last == "roster: " + message)
            #expect(run.ending == .exit(64))
        }
    }

    @Test("a database in write-ahead mode is served without a file beside it, and says so")
    func immutable() throws {
        // The engine follows no link there, so it cannot make its file, as in a read-only folder.
        try FileManager.default.createSymbolicLink(
            atPath: path + "-shm",
            withDestinationPath: "/nowhere/at/all"
        )
        let server = try RosterProcess(serving: [path])
        #expect(try server.page("/people.json").ids == ["1", "2"])
        #expect(server.lines.contains { $0.contains("it is read as immutable") })
        try server.stop()
        try Data(repeating: 1, count: 100).write(to: URL(filePath: path + "-wal"))
        let run = try RosterProcess.run(["--port", "0", path])
        #expect(run.lines.last?.contains("its log \(path)-wal has changes") == true)
        #expect(run.ending == .exit(66))
    }
}
