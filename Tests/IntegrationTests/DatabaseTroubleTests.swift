import Foundation
import SQLite
import TestSupport
import Testing

@Suite("A database that cannot be used now is told, and used again later")
struct DatabaseTroubleTests {
    private func put(
        _ name: String,
        to id: String,
        on server: RosterProcess
    ) throws -> RawResponse {
        let client = try server.connect()
        let body = #"{"name":"\#(name)"}"#
        try client.send(
            "PUT /people/\(id) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return try client.receiveResponse(to: "PUT")
    }

    private func serve(_ folder: TemporaryFolder) throws -> RosterProcess {
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        return try RosterProcess(
            serving: [file, "--database", folder.path("lists.db"), "--allow-anonymous-writes"]
        )
    }

    @Test("another process that writes makes the client try later")
    func locked() throws {
        let folder = try TemporaryFolder()
        let server = try serve(folder)
        let other = try DatabaseConnection(.file(folder.path("lists.db")), access: .readWrite)
        try other.begin(.writing)
        let answer = try put("x", to: "2", on: server)
        #expect(answer.status == 503)
        #expect(answer.field("Retry-After") != nil)
        #expect(answer.text.contains("Another client is writing"))
        #expect(try server.get("/people").status == 200)
        other.rollback()
        #expect(try put("x", to: "2", on: server).status == 201)
    }

    @Test("the log says how long a refused write waited for others")
    func waiting() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        let server = try RosterProcess(
            serving: [
                file, "--database", folder.path("lists.db"), "--allow-anonymous-writes",
                "--write-wait", "1", "--access-log", "--log-format", "json", "--loops", "1",
            ]
        )
        let other = try DatabaseConnection(.file(folder.path("lists.db")), access: .readWrite)
        try other.begin(.writing)
        let clients = try (2...4).map { number in
            let client = try server.connect()
            try client.send(
                "PUT /people/\(number) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"name\":\"x\"}"
            )
            return client
        }
        for client in clients { #expect(try client.receiveResponse(to: "PUT").status == 503) }
        var waited: [Double] = []
        while waited.count < clients.count {
            let line = try #require(try server.waitForLine { $0.contains("\"status\":503") })
            let match = try #require(line.firstMatch(of: /"queueMilliseconds":([0-9.]+)/))
            waited.append(try #require(Double(match.1)))
        }
        // The first one waits for the lock, and the others for the first one.
        #expect(waited.min() ?? 0 < 500 && waited.max() ?? 0 > 800, "\(waited)")
        other.rollback()
    }

    @Test("what another process writes to a list of ours is seen, under another tag")
    func changedByOthers() throws {
        let folder = try TemporaryFolder()
        let server = try serve(folder)
        let tag = try #require(try server.get("/people").field("ETag"))
        let other = try DatabaseConnection(.file(folder.path("lists.db")), access: .readWrite)
        try other.execute("UPDATE people SET name = 'other' WHERE id = 1")
        let answer = try server.get("/people", fields: "If-None-Match: \(tag)\r\n")
        #expect(answer.status == 200)
        #expect(answer.text.contains("other"))
        #expect(try server.page("/people?q=other").ids == ["1"])
        #expect(try server.page("/people?q=first").ids == [])
    }

    @Test("a file put in place of the database is read and written; a useless one is told")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let server = try serve(folder)
        let tag = try #require(try server.get("/people").field("ETag"))
        #expect(try put("before", to: "1", on: server).status == 200)
        let second = try folder.write("id,name\n1,second\n", to: "second.csv")
        let successor = [
            "import", second, "--list", "people", "--database", folder.path("second.db"),
        ]
        #expect(try RosterProcess.run(successor).ending == .exit(0))
        let files = FileManager.default
        func replace(by file: String) throws {
            for ending in ["-wal", "-shm", ""] {
                try? files.removeItem(atPath: folder.path("lists.db") + ending)
            }
            try files.copyItem(atPath: file, toPath: folder.path("lists.db"))
        }
        try replace(by: second)
        #expect(try server.get("/people").status == 503)
        #expect(try put("x", to: "1", on: server).status == 503)
        try replace(by: folder.path("second.db"))
        let answer = try server.get("/people", fields: "If-None-Match: \(tag)\r\n")
        #expect(answer.status == 200)
        #expect(answer.text.contains("second"))
        #expect(try put("third", to: "1", on: server).status == 200)
        #expect(try server.get("/people/1").text.contains("third"))
    }

    @Test(
        "a full disk is told, and forgotten when there is room",
        .enabled(if: SmallDisk.isPossible)
    )
    func full() throws {
        let disk = try SmallDisk(megabytes: 4)
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        let server = try RosterProcess(
            serving: [file, "--database", disk.path + "/lists.db", "--allow-anonymous-writes"]
        )
        let text = String(repeating: "x", count: 400_000)
        var acknowledged = 1
        var answer = try put(text, to: "\(acknowledged + 1)", on: server)
        while answer.status == 201, acknowledged < 100 {
            acknowledged += 1
            answer = try put(text, to: "\(acknowledged + 1)", on: server)
        }
        #expect(answer.status == 507)
        #expect(answer.text.contains("There is no room left; nothing was written."))
        #expect(
            try server.get("/people?limit=1").text.contains(#""total":{"value":\#(acknowledged)"#)
        )
        try disk.resize(megabytes: 32)
        #expect(try put("small", to: "500", on: server).status == 201)
        try server.stop()
    }

    @Test("a file at the limit of its size is full, and the server serves on")
    func fileLimit() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        // Blocks of 512 bytes.
        let server = try RosterProcess(
            [
                "-c", "ulimit -f 4096; exec \"$0\" \"$@\"", RosterProcess.program.path, file,
                "--database", folder.path("lists.db"), "--allow-anonymous-writes",
            ],
            environment: ["ROSTER_PORT": "0", "ROSTER_DRAIN_DELAY": "0"],
            program: URL(filePath: "/bin/sh")
        )
        try server.waitForLine { $0.contains(" at http://") }
        let text = String(repeating: "x", count: 200_000)
        var acknowledged = 1
        var answer = try put(text, to: "\(acknowledged + 1)", on: server)
        while answer.status == 201, acknowledged < 100 {
            acknowledged += 1
            answer = try put(text, to: "\(acknowledged + 1)", on: server)
        }
        #expect(answer.status == 507, "\(answer.text)")
        #expect(answer.text.contains("There is no room left; nothing was written."))
        #expect(
            try server.get("/people?limit=1").text.contains(#""total":{"value":\#(acknowledged)"#)
        )
        let client = try server.connect()
        let table = "id,name\n" + (1_000..<1_020).map { "\($0),\(text)\n" }.joined()
        try client.send(
            "POST /people/-/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                + "Content-Length: \(table.utf8.count)\r\n\r\n\(table)"
        )
        let refused = try client.receiveResponse()
        #expect(refused.status == 507, "\(refused.text)")
        try server.stop()
    }

    @Test("a disk that is only read is told at the start", .enabled(if: SmallDisk.isPossible))
    func readOnly() throws {
        let disk = try SmallDisk(megabytes: 4)
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        let database = disk.path + "/lists.db"
        #expect(try RosterProcess.run(["import", file, "--database", database]).ending == .exit(0))
        try disk.makeReadOnly()
        let run = try RosterProcess.run(
            ["--port", "0", "--database", database, "--allow-anonymous-writes"]
        )
        #expect(run.ending == .exit(73))
        #expect(run.lines.last?.hasPrefix("roster: \(database): ") == true)
        let export = try RosterProcess.run(["export", "people", "--database", database])
        #expect(export.output == "id,name\r\n1,first\r\n")
    }

    @Test(
        "a file that may not be written to is told, and written again when it may",
        .enabled(if: OutsideProgram.canBeNobody)
    )
    func forbidden() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path(""))
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        let server = try RosterProcess(
            servingAsNobody: [
                file, "--database", folder.path("lists.db"), "--allow-anonymous-writes",
                "--loops", "1",
            ]
        )
        func permit(_ mode: Int) {
            for ending in ["", "-wal", "-shm"] {
                let path = folder.path("lists.db") + ending
                // There need be no log.
                try? files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
        }
        permit(0o444)
        let answer = try put("x", to: "2", on: server)
        #expect(answer.status == 503)
        #expect(answer.field("Retry-After") != nil)
        #expect(try server.page("/people").ids == ["1"])
        permit(0o644)
        #expect(try put("x", to: "2", on: server).status == 201)
        server.send(SIGTERM)
        let lines = try server.waitForEnding().lines
        #expect(lines.contains { $0.hasSuffix("the database may only be read") })
    }

    @Test("a damaged page is told where it is read, and a sound file in its place is served")
    func corrupted() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "text ", count: 60)
        let rows = (1...8_000).map { "\($0),\($0 * 7_919 % 8_000) \(text)\n" }
        let file = try folder.write("id,name\n" + rows.joined(), to: "people.csv")
        let database = folder.path("lists.db")
        #expect(try RosterProcess.run(["import", file, "--database", database]).ending == .exit(0))
        try FileManager.default.copyItem(atPath: database, toPath: folder.path("sound.db"))
        let server = try RosterProcess(serving: ["--database", database])
        let handle = try #require(FileHandle(forUpdatingAtPath: database))
        let pages = try handle.seekToEnd() / 4_096
        // The first pages and the last hold the schema and the catalog.
        for page in (pages / 8)..<(pages * 7 / 8) {
            try handle.seek(toOffset: page * 4_096 + 8)
            try handle.write(contentsOf: [UInt8](repeating: 0xA5, count: 2_000))
        }
        try handle.close()
        var statuses: Set<Int> = []
        for page in 1...160 {
            let answer = try server.get("/people?limit=50&sort=-name&page=\(page)&count=none")
            statuses.insert(answer.status)
            guard answer.status != 200 else { continue }
            #expect(answer.field("Retry-After") != nil)
            #expect(answer.text.contains("The rows of this list cannot be read at the moment."))
        }
        #expect(statuses.contains(503) && statuses.isSubset(of: [200, 503]))
        _ = try OutsideProgram.run("mv", ["-f", folder.path("sound.db"), database])
        for ending in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: database + ending)
        }
        let ids = try server.pages(from: "/people?limit=500&sort=name&count=none").flatMap(\.ids)
        #expect(Set(ids).count == 8_000)
        server.send(SIGTERM)
        let lines = try server.waitForEnding().lines
        #expect(lines.contains { $0.contains("malformed") })
    }

    @Test("a file that is none any more is told, at the start and while it is served")
    func headerless() throws {
        let folder = try TemporaryFolder()
        let server = try serve(folder)
        let database = folder.path("lists.db")
        try server.stop()
        let handle = try #require(FileHandle(forUpdatingAtPath: database))
        try handle.write(contentsOf: [UInt8](repeating: 0xFF, count: 100))
        try handle.close()
        let run = try RosterProcess.run(["--port", "0", "--database", database])
        #expect(run.ending == .exit(65))
        #expect(run.lines == ["roster: \(database): is not an SQLite database"])
    }

    @Test("a log that is gone after a crash leaves the last state that was whole")
    func lostLog() throws {
        let folder = try TemporaryFolder()
        let server = try serve(folder)
        #expect(try put("x", to: "2", on: server).status == 201)
        server.send(SIGKILL)
        _ = try server.waitForEnding()
        let database = folder.path("lists.db")
        try FileManager.default.removeItem(atPath: database + "-wal")
        let again = try serve(folder)
        #expect(try again.get("/people/1").status == 200)
        #expect(try put("y", to: "3", on: again).status == 201)
        try again.stop()
    }

    @Test(
        "when somebody removes the log, what was acknowledged is kept and nothing more is written"
    )
    func removedLog() throws {
        let folder = try TemporaryFolder()
        let server = try serve(folder)
        let client = try server.connect()
        let body = #"{"name":"x"}"#
        func put(_ id: Int) throws -> Int {
            try client.send(
                "PUT /people/\(id) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            return try client.receiveResponse(to: "PUT").status
        }
        #expect(try put(2) == 201)
        #expect(try put(3) == 201)
        try FileManager.default.removeItem(atPath: folder.path("lists.db") + "-wal")
        #expect(try put(4) == 503)
        for _ in 0..<8 { #expect(try self.put("y", to: "5", on: server).status == 503) }
        #expect(try server.page("/people").ids == ["1", "2", "3"])
        server.send(SIGTERM)
        let lines = try server.waitForEnding().lines
        #expect(lines.contains { $0.contains("removed the database's write-ahead log") })
        let again = try serve(folder)
        #expect(try again.page("/people").ids == ["1", "2", "3"])
        #expect(try self.put("y", to: "5", on: again).status == 201)
        try again.stop()
    }

    /// Makes a database of another program, of which each write locks the whole file.
    private func makeThings(at path: String) throws -> DatabaseConnection {
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        try connection.execute(
            "PRAGMA journal_mode = DELETE; CREATE TABLE things (id INTEGER PRIMARY KEY);"
        )
        return connection
    }

    @Test("somebody else's database that is locked is told to come later, and read when it is free")
    func lockedForeign() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("their.db")
        let other = try makeThings(at: database)
        let server = try RosterProcess(serving: [database, "--loops", "1"])
        #expect(try server.page("/things").ids == [])
        try other.execute("BEGIN EXCLUSIVE; INSERT INTO things VALUES (1);")
        // A page that is kept may be sent on; this one is not.
        let answer = try server.get("/things?limit=7")
        #expect(answer.status == 503)
        #expect(answer.field("Retry-After") != nil)
        #expect(answer.text.contains("Another program holds a lock on the database of this list."))
        try other.commit()
        #expect(try server.page("/things").ids == ["1"])
        server.send(SIGTERM)
        #expect(try server.waitForEnding().lines.contains { $0.contains("locked") })
    }

    @Test("a database that is locked from the first request on hides no other list")
    func isolation() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let database = folder.path("their.db")
        let other = try makeThings(at: database)
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        let server = try RosterProcess(serving: [database, file, "--loops", "1"])
        try other.execute("BEGIN EXCLUSIVE; INSERT INTO things VALUES (1);")
        let directory = try server.get("/")
        #expect(directory.status == 200)
        #expect(directory.text.contains(#""id":"things","title":"Things","total":null"#))
        #expect(directory.text.contains(#""total":{"value":1,"relation":"eq"}"#))
        #expect(try server.page("/people").ids == ["1"])
        #expect(try server.get("/things?limit=7").status == 503)
        let began = ContinuousClock.now
        for limit in 1...20 { #expect(try server.get("/things?limit=\(limit)").status == 503) }
        // Each would wait half a second, if one had not waited in vain before.
        #expect(ContinuousClock.now - began < .seconds(8))
        try other.commit()
        let deadline = ContinuousClock.now + .seconds(20)
        while try !server.get("/").text.contains(#""title":"Things","total":{"value":1"#) {
            try #require(ContinuousClock.now < deadline)
        }
        #expect(try server.page("/things").ids == ["1"])
    }

    @Test("a lock of a moment is waited for")
    func shortLock() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let database = folder.path("their.db")
        let other = try makeThings(at: database)
        let server = try RosterProcess(serving: [database, "--loops", "1"])
        #expect(try server.page("/things").ids == [])
        try other.execute("BEGIN EXCLUSIVE; INSERT INTO things VALUES (1);")
        let client = try server.connect()
        try client.send("GET /things?limit=7 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // The worker waits for the lock as soon as the loop answers another request.
        #expect(try server.get("/-/live").status == 200)
        try other.commit()
        let answer = try client.receiveResponse()
        #expect(answer.status == 200 && answer.text.contains(#""id":"1""#))
        try server.stop()
    }

    @Test("readiness tells which list cannot be read, and an optional one does not count")
    func readiness() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let database = folder.path("their.db")
        try DatabaseConnection(.file(database), access: .readWrite)
            .execute("CREATE TABLE things (id INTEGER PRIMARY KEY);")
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        let server = try RosterProcess(serving: [database, file])
        let lenient = try RosterProcess(
            serving: [database, file, "--optional", "things"]
        )
        #expect(try server.get("/-/ready").text == "ready\npeople: ready\nthings: ready\n")
        #expect(try lenient.get("/-/ready").status == 200)
        try FileManager.default.moveItem(atPath: database, toPath: database + ".gone")
        let answer = try server.get("/-/ready")
        #expect(answer.status == 503)
        #expect(answer.text == "unavailable\npeople: ready\nthings: unavailable\n")
        #expect(try server.get("/-/live").status == 200)
        let other = try lenient.get("/-/ready")
        #expect(other.status == 200)
        #expect(other.text == "ready\npeople: ready\nthings: unavailable\n")
        try FileManager.default.moveItem(atPath: database + ".gone", toPath: database)
        #expect(try server.get("/-/ready").status == 200)
        let run = try RosterProcess.run([file, "--optional", "peple", "--port", "0"])
        #expect(run.ending == .exit(64))
        #expect(run.lines.last == "roster: --optional: no list 'peple'; did you mean people?")
    }

    @Test("a clock that was set back or forth performs nothing twice within its day")
    func clock() throws {
        let folder = try TemporaryFolder()
        let server = try serve(folder)
        func post() throws -> RawResponse {
            let client = try server.connect()
            let body = #"{"name":"once"}"#
            try client.send(
                "POST /people HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)"
                    + "\r\n\r\n\(body)"
            )
            return try client.receiveResponse(to: "POST")
        }
        #expect(try post().field("Location") == "/people/2")
        let other = try DatabaseConnection(.file(folder.path("lists.db")), access: .readWrite)
        // As if the clock had been years ahead then, and half a day behind.
        for seconds in [100_000_000, -100_043_200] {
            try other.execute("UPDATE roster_answers SET made = made + \(seconds)")
            let again = try post()
            #expect(again.status == 201)
            #expect(again.field("Idempotent-Replayed") == "true")
        }
        try other.execute("UPDATE roster_answers SET made = made - 43300")
        #expect(try post().field("Location") == "/people/3")
    }
}
