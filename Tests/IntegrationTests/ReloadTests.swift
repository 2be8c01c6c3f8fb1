import Foundation
import TestSupport
import Testing

@Suite("SIGHUP reads again what settings name")
struct ReloadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Sends SIGHUP, and waits until everything has been read.
    private func reload(_ server: RosterProcess, refusing refused: String? = nil) throws -> [String]
    {
        let known = server.lines.count
        server.send(SIGHUP)
        let last = try server.waitForLine { $0.hasPrefix("roster: reloaded") }
        #expect(last == "roster: reloaded" + (refused.map { ", except \($0)" } ?? ""))
        return server.lines.dropFirst(known).dropLast().map { String($0.dropFirst(8)) }
    }

    @Test("templates that change are drawn, and broken ones leave the former ones")
    func templates() throws {
        let path = folder.path("")
        try folder.write("<b class=\"old\">{{lastName}}</b>", to: "user.row.html")
        let server = try RosterProcess(serving: ["--templates", path, "--loops", "2"])
        let before = try server.get("/users.html?limit=5")
        #expect(before.text.contains("class=\"old\""))
        let tag = try #require(before.field("ETag"))
        #expect(try reload(server) == [])
        try folder.write("<b class=\"new\">{{lastName}}</b>", to: "user.row.html")
        #expect(try reload(server) == ["--templates: user.row.html has changed"])
        for _ in 0..<8 {
            let after = try server.get("/users.html?limit=5", fields: "If-None-Match: \(tag)\r\n")
            #expect(after.status == 200)
            #expect(after.text.contains("class=\"new\""))
        }
        try folder.write("<b>\n{{lastNam}}</b>", to: "user.row.html")
        let lines = try reload(server, refusing: "--templates")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("--templates: \(path)/user.row.html:2:1: no column 'lastNam'"))
        #expect(lines[1] == "--templates: the old templates stay in use")
        #expect(try server.get("/users.html?limit=5").text.contains("class=\"new\""))
        try server.stop()
    }

    @Test("public files that change are served, and pages name the new ones")
    func publicFiles() throws {
        try folder.write("a{}", to: "style.css")
        let server = try RosterProcess(serving: ["--public", folder.path("")])
        let old = try server.get("/users.html").text
        try folder.write("b{}", to: "style.css")
        try folder.write("hello", to: "note.txt")
        #expect(
            try reload(server) == ["--public: note.txt is new", "--public: style.css has changed"]
        )
        #expect(try server.get("/-/assets/style.css").text == "b{}")
        #expect(try server.get("/-/assets/note.txt").text == "hello")
        let link = /style\.[0-9a-f]+\.css/
        let new = try server.get("/users.html").text
        #expect(old.firstMatch(of: link)?.0 != new.firstMatch(of: link)?.0)
        try FileManager.default.removeItem(atPath: folder.path("note.txt"))
        #expect(try reload(server) == ["--public: note.txt is gone"])
        #expect(try server.get("/-/assets/note.txt").status == 404)
        try server.stop()
    }

    @Test("settings of the file that can change do, others are named, and mistakes change nothing")
    func settings() throws {
        let file = try folder.write("rows-time = 400\npage-cache = 0\n", to: "settings")
        let server = try RosterProcess(serving: ["--config", file, "--rate-limit", "100000"])
        #expect(try server.get("/users").field("Access-Control-Allow-Origin") == nil)
        try folder.write(
            "rows-time = 500\npage-cache = 0\ncors = *\nidle-timeout = 90\nrate-limit = 5\n",
            to: "settings"
        )
        let restart = "--config: idle-timeout: 75 → 90; needs a restart"
        #expect(
            try reload(server) == [
                "--config: cors: none → *", restart, "--config: rows-time: 400 → 500",
            ]
        )
        #expect(try server.get("/users").field("Access-Control-Allow-Origin") == "*")
        // It is named until the program is started again.
        #expect(try reload(server) == [restart])
        try folder.write("rows-time = 500\ncorse = x\n", to: "settings")
        #expect(
            try reload(server, refusing: "--config") == [
                "--config: \(file):2: no setting 'corse'; did you mean cors?; see roster --help; "
                    + "the old settings stay in use"
            ]
        )
        #expect(try server.get("/users").field("Access-Control-Allow-Origin") == "*")
        try server.stop()
    }

    @Test("cursors of a former secret are honoured as long as the file has it")
    func secrets() throws {
        let first = String(repeating: "a", count: 32)
        let second = String(repeating: "b", count: 32)
        let file = try folder.write(first + "\n", to: "secrets")
        let server = try RosterProcess(serving: ["--cursor-secret-file", file])
        let next = try #require(try server.page("/users?limit=5").links.next)
        try folder.write(second + "\n" + first + "\n", to: "secrets")
        #expect(try reload(server) == ["--cursor-secret-file: other secrets sign cursors"])
        #expect(try server.get(next).status == 200)
        try folder.write(second + "\n", to: "secrets")
        _ = try reload(server)
        #expect([400, 410].contains(try server.get(next).status))
        try folder.write("short\n", to: "secrets")
        #expect(
            try reload(server, refusing: "--cursor-secret-file").last?
                .hasSuffix("; the old secrets stay in use") == true
        )
        try server.stop()
    }

    @Test("a client that follows a page gets the page as it is drawn now")
    func followers() throws {
        try folder.write("<b class=\"old\">{{lastName}}</b>", to: "user.row.html")
        let server = try RosterProcess(serving: ["--templates", folder.path(""), "--loops", "1"])
        let page = try server.get("/users?limit=5").text
        let changes = try #require(page.firstMatch(of: /"changes":"([^"]+)"/)).1
        let client = try server.connect()
        try client.send(
            "GET \(changes) HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=60\r\n\r\n"
        )
        #expect(try server.get("/-/live").status == 200)
        try folder.write("<b class=\"new\">{{lastName}}</b>", to: "user.row.html")
        _ = try reload(server)
        // Who waits is answered long before a minute is over.
        let start = ContinuousClock.now
        _ = try client.receiveResponse()
        #expect(ContinuousClock.now - start < .seconds(30))
        try server.stop()
    }
}
