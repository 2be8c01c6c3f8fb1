import Foundation
import TestSupport
import Testing

@Suite("A served file is read again when it changes")
struct WatchedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func serve(_ arguments: [String]) throws -> RosterProcess {
        try RosterProcess(serving: arguments)
    }

    private func expectLine(_ end: String, of server: RosterProcess) throws {
        let line = try server.waitForLine { $0.hasSuffix(end) }
        #expect(line != nil, "\(end): \(server.lines)")
    }

    @Test("an edit, a replacement and other columns are shown", arguments: [false, true])
    func changes(isStored: Bool) throws {
        let file = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let database = isStored ? ["--database", folder.path("lists.db")] : []
        let server = try serve([file] + database)
        #expect(try server.page("/people").ids == ["1"])
        // A client that waits for the next version gets it.
        let page = try server.get("/people.json").text
        let address = try #require(page.firstMatch(of: #/"changes":"([^"]+)"/#)?.output.1)
        let client = try server.connect()
        try client.send(
            "GET \(address) HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=20\r\n\r\n"
        )
        try folder.write("id,name\n1,Ada\n2,Bo\n", to: "people.csv")
        try expectLine("people: imported 2 rows from \(file)", of: server)
        let change = try client.receiveResponse()
        #expect(change.status == 200)
        #expect(change.text.contains("Bo"), "\(change.text)")
        #expect(try server.page("/people").ids == ["1", "2"])
        let other = try folder.write("id,age\n7,70\n", to: "other.csv")
        #expect(try OutsideProgram.run("mv", [other, file]).code == 0)
        try expectLine("people: imported 1 rows from \(file)", of: server)
        #expect(try server.get("/people.csv").text.contains("70"))
        try server.stop()
    }

    @Test("a broken edit or a removed file keeps the rows, which are then stale")
    func broken() throws {
        let file = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let server = try serve([file])
        try folder.write("id,name\n1,\"Ada\n", to: "people.csv")
        try expectLine("people: the rows of the last import stay", of: server)
        #expect(server.lines.contains { $0.contains("people.csv:2:3: the quote that opens") })
        let stale = try server.get("/people.json").text
        #expect(stale.contains("\"stale\":true") && stale.contains("Ada"))
        #expect(try server.get("/people.html").text.contains("may be out of date"))
        try folder.write("id,name\n1,Eve\n", to: "people.csv")
        try expectLine("people: imported 1 rows from \(file)", of: server)
        let fresh = try server.get("/people.json").text
        #expect(!fresh.contains("\"stale\"") && fresh.contains("Eve"))
        try FileManager.default.removeItem(atPath: file)
        try expectLine("\(file): no such file", of: server)
        #expect(try server.page("/people").ids == ["1"])
        try server.stop()
    }

    private func expectLists(_ names: [String], of server: RosterProcess) throws {
        let index = try server.get("/.json").text
        let found = index.matches(of: #/"self":"\/(\w+)"/#).map { String($0.output.1) }
        #expect(found.sorted() == names.sorted(), "\(server.lines)")
    }

    @Test("lists that a changed document has or no longer has are added and removed")
    func lists() throws {
        let file = try folder.write(#"{"users":[{"id":1}],"posts":[{"id":2}]}"#, to: "db.json")
        let server = try serve([file])
        try expectLists(["users", "posts"], of: server)
        try folder.write(#"{"users":[{"id":1}],"tags":[{"t":5}]}"#, to: "db.json")
        try expectLine("\(file): list 'posts' is gone", of: server)
        #expect(server.lines.contains { $0.hasSuffix("\(file): list 'tags' is new") })
        try expectLists(["users", "tags"], of: server)
        #expect(try server.get("/tags.csv").text == "t\r\n5\r\n")
        #expect(try server.get("/posts.json").status == 404)
        // A document with one list has its own name.
        try folder.write(#"{"users":[{"id":7}]}"#, to: "db.json")
        try expectLine("\(file): list 'users' is gone", of: server)
        try expectLists(["db"], of: server)
        // A broken edit takes nothing away.
        try folder.write(#"{"users":[{"#, to: "db.json")
        try expectLine("db: the rows of the last import stay", of: server)
        try expectLists(["db"], of: server)
        try server.stop()
    }

    /// Serves a folder with a file that can be read and one that cannot.
    private func serveFolder() throws -> RosterProcess {
        try FileManager.default.createDirectory(
            atPath: folder.path("data"),
            withIntermediateDirectories: false
        )
        try folder.write("id\n1\n", to: "data/a.csv")
        try folder.write("id\n\"1\n", to: "data/broken.csv")
        return try serve([folder.path("data")])
    }

    @Test("new files of a folder, and files that are valid now, are added")
    func newFiles() throws {
        let server = try serveFolder()
        try expectLists(["a"], of: server)
        try folder.write("id,n\n1,x\n", to: "data/b.csv")
        try expectLine("b.csv: list 'b' is new", of: server)
        try folder.write("id\n1\n", to: "data/broken.csv")
        try expectLine("broken.csv: list 'broken' is new", of: server)
        try folder.write("no list", to: "data/readme.md")
        try folder.write("id\n1\n2\n", to: "data/a.csv")
        try expectLine("a: imported 2 rows from \(folder.path("data"))/a.csv", of: server)
        try expectLists(["a", "b", "broken"], of: server)
        try server.stop()
    }

    @Test("a writer that keeps the file open is followed, without its unfinished lines")
    func logger() throws {
        let file = try folder.write("id,name\n1,Ada\n", to: "log.csv")
        let server = try serve([file])
        let writer = try #require(FileHandle(forWritingAtPath: file))
        try writer.seekToEnd()
        for number in 2...3 {
            try writer.write(contentsOf: Data("\(number),Bo\n".utf8))
            try expectLine("log: imported \(number) rows from \(file)", of: server)
        }
        try writer.write(contentsOf: Data("4,Cy\n5,\"Unfin".utf8))
        try expectLine("log: imported 4 rows from \(file)", of: server)
        #expect(try server.page("/log").ids == ["1", "2", "3", "4"])
        try writer.write(contentsOf: Data("ished\"\n".utf8))
        try expectLine("log: imported 5 rows from \(file)", of: server)
        #expect(try server.get("/log.csv").text.hasSuffix("5,Unfinished\r\n"))
        #expect(!server.lines.contains { $0.contains("stay") }, "\(server.lines)")
        try server.stop()
    }

    @Test("an unfinished last line of NDJSON is left out until its writer ends it")
    func unfinished() throws {
        let file = try folder.write("{\"id\":1}\n{\"id\":2,\"name\":\"Ren\u{E9}", to: "log.ndjson")
        let handle = try #require(FileHandle(forWritingAtPath: file))
        // The file ends within a character.
        try handle.truncate(atOffset: try handle.seekToEnd() - 1)
        let server = try serve([file, "--allow-anonymous-writes"])
        let note = "a last line without its end: 1, the first at 2:1; left out until it is finished"
        #expect(server.lines.contains { $0.hasSuffix(note) }, "\(server.lines)")
        #expect(try server.page("/log").ids == ["1"])
        let edit = try server.send(["name": "x"], "PATCH", "/log/1")
        #expect(edit.status == 409 && edit.text.contains("its last line is not finished"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0xA9]) + Data("\"}\n".utf8))
        try expectLine("log: imported 2 rows from \(file)", of: server)
        #expect(try server.get("/log.ndjson").text.contains("René"))
        try server.stop()
    }

    @Test("a link to a folder that is switched is followed", arguments: [false, true])
    func switched(isFolder: Bool) throws {
        let link = folder.path("current")
        for (name, file) in [("old", "people.csv"), ("new", "people.csv"), ("new", "more.csv")] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name),
                withIntermediateDirectories: true
            )
            try folder.write("id,name\n1,\(name)\n", to: "\(name)/\(file)")
        }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "old")
        let server = try serve([isFolder ? link : link + "/people.csv"])
        #expect(try server.get("/people.csv").text == "id,name\r\n1,old\r\n")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("next"),
            withDestinationPath: "new"
        )
        #expect(try OutsideProgram.run("mv", ["-T", folder.path("next"), link]).code == 0)
        try expectLine("people: imported 1 rows from \(link)/people.csv", of: server)
        if isFolder { try expectLine("more.csv: list 'more' is new", of: server) }
        #expect(try server.get("/people.csv").text == "id,name\r\n1,new\r\n")
        try server.stop()
    }

    @Test("a file that cannot be read is named on the overview and by the probe, with its reason")
    func named() throws {
        let server = try serveFolder()
        let reason = "2:1: the quote that opens here is never closed"
        func expectNamed(_ name: String, _ state: String) throws {
            let ready = try server.get("/-/ready")
            #expect(ready.status == 200)
            #expect(ready.text == "ready\na: \(state)\n\(name).csv: unreadable: \(reason)\n")
            let page = try server.get("/.html").text
            #expect(page.contains("Not readable now") && page.contains("\(name).csv"))
            #expect(page.contains(reason) && !page.contains(folder.path("data")))
            let json = try server.get("/.json").text
            #expect(json.contains(#""failures":[{"source":"\#(name).csv","reason":"\#(reason)"}]"#))
        }
        try expectNamed("broken", "ready")
        try FileManager.default.removeItem(atPath: folder.path("data/broken.csv"))
        try expectLine("broken.csv: no such file", of: server)
        #expect(try server.get("/-/ready").text == "ready\na: ready\n")
        try folder.write("id\n\"1\n", to: "data/a.csv")
        try expectLine("a: the rows of the last import stay", of: server)
        try expectNamed("a", "stale")
        try folder.write("id\n2\n", to: "data/a.csv")
        try expectLine("a: imported 1 rows from \(folder.path("data"))/a.csv", of: server)
        #expect(try server.get("/-/ready").text == "ready\na: ready\n")
        #expect(try !server.get("/.json").text.contains("failures"))
        try server.stop()
    }

    @Test("rows that clients have written are not replaced")
    func written() throws {
        let file = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let server = try serve([file, "--database", ":memory:", "--allow-anonymous-writes"])
        let client = try server.connect()
        try client.send("DELETE /people/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().status == 204)
        try folder.write("id,name\n1,Ada\n2,Bo\n", to: "people.csv")
        try expectLine("so \(file) is not imported again", of: server)
        #expect(try server.page("/people").ids == [])
        try server.stop()
    }
}
