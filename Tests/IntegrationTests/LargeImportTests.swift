import Foundation
import TestSupport
import Testing

@Suite("A large file is served before its indexes are complete")
struct LargeImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file() throws -> String {
        let rows = (1...50_000).map { "\($0),Name \($0 * 7919 % 50_000),Ärger \($0 % 10)\n" }
        return try folder.write("id,name,city\n" + rows.joined(), to: "big.csv")
    }

    private func waitForIndexes(_ server: RosterProcess) throws {
        func isEnd(_ line: String) -> Bool { line.contains("big: indexes are complete after") }
        // A fast machine completes them before the server serves.
        guard !server.lines.contains(where: isEnd) else { return }
        #expect(try server.waitForLine(where: isEnd) != nil, "\(server.lines)")
    }

    @Test("rows are read in the order of the file and written at once, other orders follow")
    func early() throws {
        let server = try RosterProcess(serving: [try file(), "--allow-anonymous-writes"])
        #expect(try server.page("/big?limit=2").ids == ["1", "2"])
        let body = #"{"name":"Added","city":"Oslo"}"#
        let client = try server.connect()
        try client.send(
            "POST /big HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let made = try client.receiveResponse()
        #expect(made.status == 201, "\(made.text)")
        try waitForIndexes(server)
        #expect(try server.page("/big?sort=name&limit=2").ids == ["50001", "50000"])
        #expect(try server.page("/big?q=oslo").ids == ["50001"])
        let letters = try server.page("/big?name__contains=me+4999&sort=id&limit=2")
        #expect(letters.ids == ["8568", "11605"])
        try server.stop()
    }

    @Test("a file that changed is found by its new texts only")
    func renewed() throws {
        let database = folder.path("lists.db")
        for name in ["Alpha", "Beta"] {
            let rows = (1...50_000).map { "\($0),\(name) \($0)\n" }
            let file = try folder.write("id,name\n" + rows.joined(), to: "big.csv")
            let server = try RosterProcess(serving: [file, "--database", database])
            try waitForIndexes(server)
            let other = name == "Alpha" ? "beta" : "alpha"
            #expect(try server.page("/big?q=\(name)+49999").ids == ["49999"])
            #expect(try server.page("/big?name__contains=a+4999&limit=1").ids == ["4999"])
            #expect(try server.page("/big?name__contains=\(name)+49999").ids == ["49999"])
            for empty in ["q=\(other)", "name__contains=\(other)"] {
                #expect(try server.page("/big?\(empty)").ids == [])
            }
            try server.stop()
        }
    }

    @Test("a killed server continues with the missing indexes at its next start")
    func killed() throws {
        let file = try file()
        let database = folder.path("lists.db")
        let first = try RosterProcess(serving: [file, "--database", database])
        #expect(try first.page("/big?limit=2").ids == ["1", "2"])
        first.send(SIGKILL)
        _ = try first.waitForEnding()
        let second = try RosterProcess(serving: [file, "--database", database])
        #expect(try second.page("/big?sort=-id&limit=1").ids == ["50000"])
        try second.stop()
        // Without the file, the missing indexes are created before the list is served.
        let third = try RosterProcess(serving: ["--database", database])
        #expect(try third.page("/big?sort=name&limit=2").ids == ["50000", "17679"])
        #expect(try third.page("/big?q=arger+3&limit=1").ids == ["3"])
        try third.stop()
    }

    private func temporaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary"))
    }

    @Test("lists beyond the limit are in a temporary file, which no server leaves behind")
    func temporary() throws {
        let file = try file()
        try FileManager.default.createDirectory(
            atPath: folder.path("temporary"),
            withIntermediateDirectories: false
        )
        for ending in [SIGKILL, SIGTERM] {
            let server = try RosterProcess(
                serving: [file, "--memory-limit", "0"],
                environment: ["TMPDIR": folder.path("temporary")]
            )
            #expect(try temporaryFiles().count == 1)
            try waitForIndexes(server)
            #expect(try server.page("/big?sort=-name&limit=2").ids.count == 2)
            #expect(try server.get("/-/ready").text == "ready\nbig: ready\n")
            server.send(ending)
            _ = try server.waitForEnding()
        }
        #expect(try temporaryFiles() == [])
    }

    @Test("a disk without room ends the import, and indexes without room end the waiting")
    func fullDisk() throws {
        guard SmallDisk.isPossible else { return }
        let file = try file()
        for megabytes in [1, 8] {
            let disk = try SmallDisk(megabytes: megabytes)
            let server = try RosterProcess(
                ["--port", "0", file, "--memory-limit", "0"],
                environment: ["TMPDIR": disk.path, "ROSTER_DRAIN_DELAY": "0"]
            )
            let message = "no room \(megabytes == 1 ? "in" : "for its indexes in") \(disk.path)"
            #expect(try server.waitForLine { $0.contains(message) } != nil, "\(server.lines)")
            guard megabytes > 1 else { continue }
            #expect(try server.page("/big?sort=name&limit=2").ids == ["50000", "17679"])
            #expect(try server.get("/-/ready").status == 200)
            try server.stop()
        }
    }
}
