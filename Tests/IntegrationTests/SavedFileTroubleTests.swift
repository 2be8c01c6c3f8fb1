import Foundation
import TestSupport
import Testing

@Suite("A saved file is whole, and edits of other programs are not lost")
struct SavedFileTroubleTests {
    private static let kills: Int =
        ProcessInfo.processInfo.environment["ROSTER_TEST_KILLS"].flatMap { Int($0) } ?? 3

    private let folder: TemporaryFolder
    private let writes = "--allow-anonymous-writes"

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    /// The names by the ids, as Python reads them.
    private func rows(_ path: String) throws -> [String: String] {
        let script = """
            import csv, json, sys
            rows = list(csv.DictReader(open(sys.argv[1], newline='')))
            assert all(list(row) == ['id', 'name', 'note'] for row in rows)
            assert len({row['id'] for row in rows}) == len(rows)
            print(json.dumps({row['id']: row['name'] for row in rows}))
            """
        let run = try OutsideProgram.run("python3", ["-c", script, path])
        try #require(run.code == 0, "\(run.output)")
        return try JSONDecoder().decode([String: String].self, from: Data(run.output.utf8))
    }

    @Test("ids with blanks around them name the rows of the file that is saved")
    func paddedIDs() throws {
        let twice = try folder.write("id,name\n 5,a\n5,b\n", to: "twice.csv")
        let pairs = try folder.write("sku,n,name\n 5,1,a\n5,2,b\n 6, 1,c\n", to: "pairs.csv")
        let server = try RosterProcess(
            serving: [twice, pairs, writes, "--key", "pairs=sku,n"]
        )
        let client = try server.connect()
        for row in ["twice/1", "twice/2", "pairs/5,1", "pairs/6,1"] {
            let body = #"{"name":"New"}"#
            try client.send(
                "PATCH /\(row) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            #expect(try client.receiveResponse(to: "PATCH").status == 200, "\(row)")
        }
        #expect(try text("twice.csv") == "id,name\n 5,New\n5,New\n")
        #expect(try text("pairs.csv") == "sku,n,name\n 5,1,New\n5,2,b\n 6, 1,New\n")
        try server.stop()
    }

    @Test("a server killed under 16 writers loses nothing that it acknowledged")
    func killed() throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let note = String(repeating: "x", count: 60)
        let lines = (1...60_000).map { "\($0),Name \($0),\(note)\n" }
        let path = try folder.write("id,name,note\n" + lines.joined(), to: "people.csv")
        var expected = try rows(path)
        for round in 0..<Self.kills {
            let server = try RosterProcess(serving: [path, writes, "--loops", "2"])
            let clients = try (0..<16).map { _ in try server.connect() }
            var sent: [String: String] = [:]
            for (number, client) in clients.enumerated() {
                for write in 0..<20 {
                    let id = "\(100 * number + write + 1)"
                    sent[id] = "round \(round) \(id)"
                    let body = #"{"name":"round \#(round) \#(id)"}"#
                    try client.send(
                        "PATCH /people/\(id) HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Type: application/json\r\nPrefer: return=minimal\r\n"
                            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                }
            }
            for write in 0..<Int.random(in: 1...4, using: &random) {
                for (number, client) in clients.enumerated() {
                    let status = try client.receiveResponse(to: "PATCH").status
                    let id = "\(100 * number + write + 1)"
                    if status == 204 { expected[id] = sent[id] } else { #expect(status == 503) }
                }
            }
            server.send(SIGKILL)
            #expect(try server.waitForEnding().ending == .signal(SIGKILL))
            let found = try rows(path)
            #expect(found.count == expected.count)
            for (id, name) in expected {
                #expect(found[id] == name || found[id] == sent[id], "row \(id)")
            }
            expected = found
        }
        // The next start removes what the last one has left.
        let again = try RosterProcess(serving: [path, writes])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(names == ["people.csv"])
        try again.stop()
    }

    @Test(
        "a full disk is told, the file stays, and it is saved when there is room",
        .enabled(if: SmallDisk.isPossible)
    )
    func full() throws {
        let disk = try SmallDisk(megabytes: 2)
        let path = disk.path + "/people.csv"
        try Data("id,name\n1,Ada\n".utf8).write(to: URL(filePath: path))
        let server = try RosterProcess(serving: [path, writes])
        let large = String(repeating: "x", count: 900_000)
        #expect(try server.send(["name": large], "PATCH", "/people/1").status == 200)
        let refused = try server.send(["name": large], "POST", "/people")
        #expect(refused.status == 507 && refused.text.contains("There is no room left"))
        #expect(try server.page("/people?columns=id").ids == ["1"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "id,name\n1,\(large)\n")
        try disk.resize(megabytes: 32)
        #expect(try server.send(["name": "Bo"], "POST", "/people").status == 201)
        try server.stop()
    }

    @Test("a file at the limit of its size is full, and stays")
    func fileLimit() throws {
        let path = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        // Blocks of 512 bytes.
        let server = try RosterProcess(
            ["-c", "ulimit -f 8; exec \"$0\" \"$@\"", RosterProcess.program.path, path, writes],
            environment: ["ROSTER_PORT": "0", "ROSTER_DRAIN_DELAY": "0"],
            program: URL(filePath: "/bin/sh")
        )
        try server.waitForLine { $0.contains(" at http://") }
        let large = String(repeating: "x", count: 20_000)
        let refused = try server.send(["name": large], "PATCH", "/people/1")
        #expect(refused.status == 507, "\(refused.text)")
        #expect(try text("people.csv") == "id,name\n1,Ada\n")
        #expect(try server.send(["name": "Eve"], "PATCH", "/people/1").status == 200)
        #expect(try text("people.csv") == "id,name\n1,Eve\n")
    }

    @Test("the reason why a file cannot be saved until a person has changed it is told")
    func lasting() throws {
        let path = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let server = try RosterProcess(serving: [path, writes, "--save-limit", "1"])
        func expect(_ status: Int, _ reason: String, _ name: String = "Eve") throws {
            let refused = try server.send(["name": name], "PATCH", "/people/1")
            #expect(refused.status == status && refused.text.contains(reason), "\(refused.text)")
            #expect(!refused.text.contains(folder.path("")))
        }
        let large = String(repeating: "x", count: 600_000)
        #expect(try server.send(["name": large], "POST", "/people").status == 201)
        try expect(422, "would be larger than --save-limit, 1 MiB", large)
        try folder.write("id,name\n1,\"Ada\n", to: "people.csv")
        try expect(409, "the quote that opens here is never closed")
        try FileManager.default.removeItem(atPath: path)
        try expect(409, "Edits cannot be saved in the file 'people.csv': the file is gone.")
        try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let saved = try server.send(["name": "Eve"], "PATCH", "/people/1")
        #expect(saved.status == 200, "\(saved.text)")
        #expect(try text("people.csv") == "id,name\n1,Eve\n")
        try server.stop()
    }

    @Test("an edit of another program stays, and one of the same row is a conflict")
    func otherProgram() throws {
        let path = try folder.write("id,name,n\n1,Ada,1\n2,Bo,2\n", to: "people.csv")
        let server = try RosterProcess(serving: [path, writes])
        let tag = try #require(try server.get("/people/1").field("ETag"))
        try folder.write("id,name,n\n1,Ada,1\n2,Bob,2\n3,Cy,3\n", to: "people.csv")
        // Row 1 has not changed, so that its tag holds.
        let edit = try server.send(
            ["name": "Eve"],
            "PATCH",
            "/people/1",
            fields: "If-Match: \(tag)\r\n"
        )
        #expect(edit.status == 200, "\(edit.text)")
        #expect(try text("people.csv") == "id,name,n\n1,Eve,1\n2,Bob,2\n3,Cy,3\n")
        try folder.write("id,name,n\n1,Eva,1\n2,Bob,2\n", to: "people.csv")
        let conflict = try server.send(["name": "Eden"], "PATCH", "/people/1")
        // The watcher may have read the file before.
        if conflict.status == 409 {
            #expect(conflict.text.contains("Eva") && conflict.text.contains("Eve"))
            #expect(try text("people.csv") == "id,name,n\n1,Eva,1\n2,Bob,2\n")
            #expect(try server.send(["name": "Eden"], "PATCH", "/people/1").status == 200)
        }
        #expect(conflict.status == 200 || conflict.status == 409)
        #expect(try text("people.csv") == "id,name,n\n1,Eden,1\n2,Bob,2\n")
        #expect(try server.page("/people").ids == ["1", "2"])
        try server.stop()
    }

    @Test("a program that adds rows meanwhile loses none, and neither does the server")
    func meanwhile() throws {
        let path = try folder.write("id,name,note\n1,Ada,\n", to: "people.csv")
        let server = try RosterProcess(serving: [path, writes])
        // It replaces the file under the lock that the server takes.
        let script = """
            import fcntl, os, sys, time
            path = sys.argv[1]
            lock = os.path.join(os.path.dirname(path), '.people.csv.roster')
            for number in range(1000, 1040):
                while True:
                    file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
                    fcntl.flock(file, fcntl.LOCK_EX)
                    try:
                        same = os.stat(lock).st_ino == os.fstat(file).st_ino
                    except FileNotFoundError:
                        same = False
                    if same: break
                    os.close(file)
                text = open(path).read()
                open(path + '.new', 'w').write(text + f'{number},other,\\n')
                os.rename(path + '.new', path)
                os.unlink(lock)
                os.close(file)
            """
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/env")
        other.arguments = ["python3", "-c", script, path]
        try other.run()
        var made: Set<String> = []
        while other.isRunning || made.count < 20 {
            let response = try server.send(["name": "own"], "POST", "/people")
            guard response.status == 201 else {
                #expect(response.status == 503, "\(response.text)")
                continue
            }
            let address = try #require(response.field("Location"))
            made.insert(String(address.dropFirst("/people/".count)))
        }
        other.waitUntilExit()
        #expect(other.terminationStatus == 0)
        let found = try rows(path)
        #expect((1_000..<1_040).allSatisfy { found["\($0)"] != nil })
        #expect(made.allSatisfy { found[$0] != nil })
        try server.stop()
    }

    @Test("a link keeps its target, and the mode and the attributes of the file stay")
    func attributes() throws {
        let path = try folder.write("id,name\n1,Ada\n", to: "real.csv")
        let link = folder.path("people.csv")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let script = """
            import os, sys
            os.chmod(sys.argv[1], 0o640)
            try: os.setxattr(sys.argv[1], 'user.note', b'kept')
            except OSError: pass
            """
        #expect(try OutsideProgram.run("python3", ["-c", script, path]).code == 0)
        let look = """
            import os, sys
            print(oct(os.stat(sys.argv[1]).st_mode), os.listxattr(sys.argv[1]))
            """
        let before = try OutsideProgram.run("python3", ["-c", look, path]).output
        let server = try RosterProcess(serving: [link, writes])
        #expect(try server.send(["name": "Eve"], "PATCH", "/people/1").status == 200)
        try server.stop()
        #expect(try text("real.csv") == "id,name\n1,Eve\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(try OutsideProgram.run("python3", ["-c", look, path]).output == before)
    }

    @Test("a file that cannot be saved ends the start, with the reason")
    func refusals() throws {
        try folder.write("id\n1\n", to: "linked.csv")
        try FileManager.default.linkItem(
            atPath: folder.path("linked.csv"),
            toPath: folder.path("other.csv")
        )
        try folder.write("id\n1\n", to: "fixed.csv")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o444],
            ofItemAtPath: folder.path("fixed.csv")
        )
        try folder.write(#"{"a":[{"id":1}],"b":[{"id":1}]}"#, to: "several.json")
        try folder.write(#"{"a":{"n":1},"b":{"n":2}}"#, to: "keyed.json")
        let line = String(repeating: "x", count: 1 << 20)
        try folder.write("id,t\n1,\(line)\n", to: "large.csv")
        try folder.write("id\n1\n", to: "packed.csv")
        #expect(try OutsideProgram.run("gzip", [folder.path("packed.csv")]).code == 0)
        let rows = WorkbookWriter.row(["id"]) + WorkbookWriter.row(["1"])
        try folder.write(WorkbookWriter(rows: rows).bytes, to: "sales.xlsx")
        for (name, reason) in [
            ("linked.csv", "the file has several names (hard links)"),
            ("fixed.csv", "the user of the server may not write to it or its folder"),
            ("several.json", "the document has several lists"),
            ("keyed.json", "the rows of the document are not the objects of one array"),
            ("large.csv", "the file is larger than --save-limit, 1 MiB"),
            ("packed.csv.gz", "the file is compressed"),
            ("sales.xlsx", "a workbook is not written"),
        ] {
            let arguments = [folder.path(name), writes, "--save-limit", "1"]
            let run = try RosterProcess.run(arguments)
            #expect(run.ending == .exit(78), "\(name)")
            let text = "roster: edits of \(name) need --database FILE: \(reason)"
            #expect(run.lines.last == text)
            let kept = try RosterProcess(serving: arguments + ["--database", ":memory:"])
            #expect(kept.lines.contains { $0.contains("stay in memory, and are lost") }, "\(name)")
            try kept.stop()
        }
    }
}
