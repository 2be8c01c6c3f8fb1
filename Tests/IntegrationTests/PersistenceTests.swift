import Foundation
import TestSupport
import Testing

@Suite("A database that is kept")
struct PersistenceTests {
    @Test("an unchanged file is not imported again, a changed one is")
    func keptBetweenRuns() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,first\n", to: "people.csv")
        let arguments = [file, "--database", folder.path("lists.db")]
        let imported = "roster: people: imported 1 rows from \(file)"

        let first = try RosterProcess(serving: arguments)
        #expect(first.lines.contains(imported))
        let tag = try #require(try first.get("/people").field("ETag"))
        try first.stop()

        let second = try RosterProcess(serving: arguments)
        #expect(!second.lines.contains { $0.contains("imported") })
        #expect(try second.get("/people").field("ETag") == tag)
        #expect(try second.get("/people", fields: "If-None-Match: \(tag)\r\n").status == 304)
        try second.stop()

        try folder.write("id,name\n1,second\n", to: "people.csv")
        let third = try RosterProcess(serving: arguments)
        #expect(third.lines.contains(imported))
        let answer = try third.get("/people", fields: "If-None-Match: \(tag)\r\n")
        #expect(answer.status == 200)
        #expect(answer.text.contains("second"))
        try third.stop()
    }

    @Test(
        "a row that an import has changed is never taken for the one before",
        arguments: [true, false]
    )
    func changedRow(isKept: Bool) throws {
        let folder = try TemporaryFolder()
        var arguments = [try folder.write("id,name\n1,first\n", to: "people.csv")]
        if isKept { arguments += ["--database", folder.path("lists.db")] }
        let first = try RosterProcess(serving: arguments)
        let tag = try #require(try first.get("/people/1").field("ETag"))
        #expect(try first.get("/people/1", fields: "If-None-Match: \(tag)\r\n").status == 304)
        try first.stop()
        try folder.write("id,name\n1,second\n", to: "people.csv")
        let second = try RosterProcess(serving: arguments)
        let answer = try second.get("/people/1", fields: "If-None-Match: \(tag)\r\n")
        #expect(answer.status == 200)
        #expect(answer.text.contains("second"))
    }

    @Test("after a stop the file alone has every row", arguments: [false, true])
    func completeFile(isShared: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,a\n", to: "people.csv")
        let arguments = [
            file, "--database", folder.path("lists.db"), "--allow-anonymous-writes", "--loops", "2",
        ]
        let server = try RosterProcess(serving: arguments)
        let other = isShared ? try RosterProcess(serving: arguments) : nil
        let clients = try (2...9).map { id in
            let client = try server.connect()
            let row = #"{"id":\#(id),"name":"b"}"#
            try client.send(
                "POST /people HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(row.utf8.count)\r\n\r\n\(row)"
            )
            #expect(try client.receiveResponse().status == 201)
            return client
        }
        #expect(try other?.page("/people").ids.count ?? 9 == 9)
        #expect(folder.size(of: "lists.db-wal") > 0)
        try server.stop()
        withExtendedLifetime(clients) {}
        #expect(folder.size(of: "lists.db-wal") == 0)
        let copy = folder.path("copy.db")
        try FileManager.default.copyItem(atPath: folder.path("lists.db"), toPath: copy)
        let rows = try RosterProcess.run(["export", "people", "--database", copy]).output
        #expect(rows.split(whereSeparator: \.isNewline).count == 10)
        // The other server goes on.
        #expect(try other?.page("/people").ids.count ?? 9 == 9)
        try other?.stop()
    }

    @Test("a missing file stops the start, unless the rows of its list have been written")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("lists.db")
        let people = try folder.write("id,name\n1,a\n", to: "people.csv")
        let towns = try folder.write("id,name\n1,b\n", to: "towns.csv")
        let arguments = [people, towns, "--database", database, "--allow-anonymous-writes"]
        let server = try RosterProcess(serving: arguments)
        let client = try server.connect()
        try client.send("DELETE /people/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().status == 204)
        try server.stop()
        try FileManager.default.removeItem(atPath: people)
        let second = try RosterProcess(serving: arguments)
        #expect(
            second.lines.first
                == "roster: people: \(people) is missing; the rows of \(database) are "
                + "served, because they have been changed since the import"
        )
        #expect(try second.page("/people").ids == [] && second.page("/towns").ids == ["1"])
        try second.stop()
        let alone = try RosterProcess(serving: [people, "--database", database])
        #expect(try alone.page("/people").ids == [])
        try alone.stop()
        for other in [["other=\(people)", "--database", database], [people]] {
            let run = try RosterProcess.run(other)
            #expect(run.ending == .exit(66) && run.lines.last?.hasSuffix("no such file") == true)
        }
        try FileManager.default.removeItem(atPath: towns)
        let unwritten = try RosterProcess.run(arguments)
        #expect(unwritten.ending == .exit(66))
        #expect(unwritten.lines.last == "roster: \(towns): no such file")
    }

    @Test("a kept list is served without its file, beside lists that are added")
    func withoutFile() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("lists.db")
        let file = try folder.write("id,name\n1,a\n", to: "old.csv")
        try RosterProcess(serving: [file, "--database", database]).stop()
        try FileManager.default.removeItem(atPath: file)
        let added = try folder.write("id,name\n2,b\n", to: "added.csv")
        let server = try RosterProcess(serving: [added, "--database", database])
        #expect(try server.page("/old").ids == ["1"])
        #expect(try server.page("/added").ids == ["2"])
        let names = try server.get("/").text.matches(of: /"id":"(\w+)"/).map { String($0.1) }
        #expect(names == ["added", "old"])
    }

    @Test("a list may get other columns and types when its file does")
    func changedShape() throws {
        let folder = try TemporaryFolder()
        let arguments = [
            try folder.write("id,a,b\n1,2,x\n", to: "t.csv"), "--database", folder.path("lists.db"),
        ]
        try RosterProcess(serving: arguments).stop()
        try folder.write("code,b,c\nx,2021-01-02,1.5\n", to: "t.csv")
        let server = try RosterProcess(serving: arguments)
        let page = try server.page("/t")
        #expect(page.columns.map(\.id) == ["code", "b", "c"])
        #expect(page.columns.map(\.type) == ["text", "date", "real"])
        #expect(page.ids == ["1"])
    }

    @Test("two programs may serve one database")
    func shared() throws {
        let folder = try TemporaryFolder()
        let arguments = [
            try folder.write("id,name\n1,a\n", to: "t.csv"), "--database", folder.path("lists.db"),
        ]
        let first = try RosterProcess(serving: arguments)
        let second = try RosterProcess(serving: arguments)
        #expect(try first.page("/t") == second.page("/t"))
        try first.stop()
        #expect(try second.page("/t").ids == ["1"])
    }

    @Test(
        "an import that is killed leaves nothing, and the next one succeeds",
        arguments: [1, 300_000, 1_500_000]
    )
    func killed(bytesWritten: Int) throws {
        let folder = try TemporaryFolder()
        let arguments = try killedImport(in: folder, bytesWritten: bytesWritten)
        let bare = try RosterProcess.run(["--port", "0"] + arguments.suffix(2))
        #expect(bare.ending == .exit(65))
        #expect(bare.lines == ["roster: there is no list to serve"])
        let server = try RosterProcess(serving: arguments)
        #expect(server.lines.contains { $0.contains("imported 4000 rows") })
        #expect(try server.page("/large?limit=1&sort=-id").ids == ["4000"])
        try server.stop()
    }

    @Test("an import that is killed leaves the list of an earlier one")
    func killedReplacement() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,earlier\n", to: "large.csv")
        let database = ["--database", folder.path("lists.db")]
        try RosterProcess(serving: [file] + database).stop()
        let arguments = try killedImport(in: folder, bytesWritten: 1_500_000)
        let kept = try RosterProcess(serving: database)
        #expect(try kept.page("/large").ids == ["1"])
        try kept.stop()
        let server = try RosterProcess(serving: arguments)
        #expect(try server.page("/large?limit=1&sort=-id").ids == ["4000"])
        try server.stop()
    }

    /// Imports a large file, and kills the import once so much of it is written.
    private func killedImport(in folder: TemporaryFolder, bytesWritten: Int) throws -> [String] {
        let name = String(repeating: "x", count: 700)
        let lines = (1...4_000).map { "\($0),\(name)\n" }
        let file = try folder.write("id,name\n" + lines.joined(), to: "large.csv")
        let arguments = [file, "--database", folder.path("lists.db")]
        let process = try RosterProcess(["--port", "0"] + arguments)
        // The log of the database grows while the one transaction of the import is written.
        let isReached = eventually(within: .seconds(60)) {
            folder.size(of: "lists.db-wal") >= bytesWritten
        }
        process.send(SIGKILL)
        #expect(isReached)
        let run = try process.waitForEnding()
        #expect(run.ending == .signal(SIGKILL))
        #expect(!run.lines.contains { $0.contains("imported") }, "killed too late to show anything")
        return arguments
    }

    /// Whether a condition comes true before a deadline.
    private func eventually(within time: Duration, _ condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            if condition() { return true }
            sched_yield()
        }
        return false
    }
}
