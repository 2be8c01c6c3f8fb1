import Bytes
import Foundation
import HTTP
import Locks
import TestSupport
import Testing

@Suite("Lists of other services are served")
struct RemoteSourceTests {
    @Test("the pages of another service are one list, with its types and ids")
    func chain() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(People(120).csv, to: "people.csv")
        let upstream = try RosterProcess(serving: [file])
        let address = "http://127.0.0.1:\(try upstream.port)/people.json?limit=50"
        let server = try RosterProcess(serving: [address, "--group-by", "occupation"])
        #expect(server.lines.contains("roster: people: fetched 120 rows from \(address)"))
        let query = "?group=none&sort=-visits,firstName&limit=500"
        var copy = try server.page("/people\(query)")
        let original = try upstream.page("/people\(query)")
        copy.links = original.links
        #expect(copy == original)
        try server.stop()
    }

    @Test("rows stay while their service is gone, as stale, and are good again when it is back")
    func recovery() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,a\n", to: "people.csv")
        // No other test listens at this address, so that the port stays free.
        let host = "127.0.0.13"
        let first = try RosterProcess(serving: [file, "--host", host])
        let port = "\(try first.port)"
        let server = try RosterProcess(
            serving: ["http://\(host):\(port)/people.json", "--refresh", "1"]
        )
        try refresh(server, until: "\"state\":\"loaded\"")
        try first.stop()
        try refresh(server, until: "\"code\":\"unreachable\"")
        let page = try server.get("/people.json").text
        #expect(page.contains("\"stale\":true"))
        #expect(page.contains("\"name\":\"a\""))
        try folder.write("id,name\n1,b\n", to: "people.csv")
        let second = try RosterProcess([file, "--host", host, "--port", port])
        try second.waitForLine { $0.contains(" at http://") }
        try refresh(server, until: "\"state\":\"loaded\"")
        let fresh = try server.get("/people.json").text
        #expect(!fresh.contains("\"stale\""))
        #expect(fresh.contains("\"name\":\"b\""))
        #expect(try server.waitForLine { $0 == "roster: people: up to date again" } != nil)
        try server.stop()
    }

    /// Asks for the rows of `people` again until they are as far as that.
    private func refresh(_ server: RosterProcess, until end: String) throws {
        let client = try server.connect()
        var state = ""
        while !state.contains(end) {
            try client.send("POST /people/-/refresh HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try client.receiveResponse()
            #expect(answer.status == 202)
            state = answer.text
        }
    }

    @Test("without libcurl nothing is served, and what is missing is named")
    func libraryIsMissing() throws {
        let folder = try TemporaryFolder()
        // A file that is no library ends the loader's search for a better one.
        for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] { try folder.write("", to: name) }
        let missing = try RosterProcess(
            ["--port", "0", "http://127.0.0.1:9/people.json"],
            environment: ["LD_LIBRARY_PATH": folder.path("")]
        )
        .waitForEnding()
        #expect(missing.ending == .exit(69))
        #expect(
            missing.lines == [
                "roster: http://127.0.0.1:9/people.json: fetching needs libcurl (libcurl.so.4), "
                    + "which is not installed: apt-get install libcurl4"
            ]
        )
    }

    @Test("a program that was replaced while it runs fetches on")
    func replaced() throws {
        let count = Locked(0)
        let upstream = try TestServer { _, response in
            response.addField(.contentType, "application/json")
            let number = count.withLock { count in
                count += 1
                return count
            }
            response.body.append("[{\"id\":\(number)}]")
        }
        let folder = try TemporaryFolder()
        let program = URL(filePath: folder.path("roster"))
        try FileManager.default.copyItem(at: RosterProcess.program, to: program)
        let address = "http://127.0.0.1:\(upstream.port)/people"
        let server = try RosterProcess(["--port", "0", address], program: program)
        try server.waitForLine { $0.contains(" at http://") }
        try FileManager.default.removeItem(at: program)
        try folder.write("", to: "roster")
        while count.withLock({ $0 }) == 1 { try refresh(server, until: "\"state\":") }
        try refresh(server, until: "\"state\":\"loaded\"")
        #expect(try server.get("/people.json").text.contains("\"id\":\"2\""))
    }

    @Test("what is sent to a source comes from the environment or a file, and is told nobody")
    func credentials() throws {
        let asked = Locked<[String]>([])
        let upstream = try TestServer { request, response in
            let fields = [request.field("Authorization"), request.field("X-Key")]
            asked.withLock { $0.append(fields.map { $0 ?? "-" }.joined(separator: " ")) }
            guard request.field("Authorization") == "Bearer s3cret" else {
                response.status = .unauthorized
                return response.body.append(request.field("Authorization") ?? "who?")
            }
            response.addField(.contentType, "application/json")
            response.body.append("[{\"id\":1}]")
        }
        let address = "http://127.0.0.1:\(upstream.port)/people"
        let folder = try TemporaryFolder()
        let file = try folder.write("# ours\npeople=X-Key: k3y\n", to: "fields")
        let server = try RosterProcess(
            serving: [address, "--source-fields-file", file],
            environment: ["ROSTER_SOURCE_FIELDS": "Authorization: Bearer s3cret"]
        )
        #expect(asked.withLock { $0 } == ["Bearer s3cret k3y"])
        #expect(try server.page("/people").ids == ["1"])
        #expect(!server.lines.joined().contains("s3cret"))
        let refused = try RosterProcess.run(
            ["--port", "0", address],
            environment: ["ROSTER_SOURCE_FIELDS": "Authorization: Bearer wr0ng"]
        )
        #expect(refused.ending == .exit(69))
        #expect(refused.lines == ["roster: \(address): status 401: ***"])
    }

    @Test(
        "what would go to the wrong server, or to none, keeps the program from starting",
        arguments: [
            (
                ["a=http://127.0.0.1:9/", "b=http://127.0.0.2:9/"], "A: s3cret",
                "'A' would be sent to 2 servers; write LIST=A: for one of a, b"
            ),
            ([], "A: s3cret", "there is no http(s) source to send 'A' to"),
            (
                ["a=http://127.0.0.1:9/"], "b=A: s3cret",
                "no http(s) source gives the list 'b'; there are a"
            ),
            (["a=http://127.0.0.1:9/"], "A: s3cret\na: s3cret", "'a' is given twice"),
        ]
    )
    func misdirected(sources: [String], fields: String, text: String) throws {
        let run = try RosterProcess.run(
            ["--port", "0"] + sources,
            environment: ["ROSTER_SOURCE_FIELDS": fields]
        )
        #expect(run.ending == .exit(78))
        let line = fields.contains("\n") ? 2 : 1
        #expect(run.lines == ["roster: ROSTER_SOURCE_FIELDS:\(line): \(text)"])
    }

    @Test("a file of fields that cannot be read is named")
    func missingFields() throws {
        let run = try RosterProcess.run(
            ["--port", "0", "http://127.0.0.1:9/", "--source-fields-file", "/no/such/file"]
        )
        #expect(run.ending == .exit(66))
        #expect(run.lines == ["roster: /no/such/file: No such file or directory"])
    }

    @Test("a service that does not answer keeps the program from starting, with its reason")
    func unreachable() throws {
        // No other test listens at this address, so that none can take the port.
        let host = "127.0.0.12"
        let upstream = try RosterProcess(serving: ["--host", host])
        let port = try upstream.port
        for (path, reason) in [
            ("nothing", "status 404: {\"type\":\"/-/problems/not-found\""),
            ("users.html", "the response is text/html; allowed: JSON, NDJSON, CSV and TSV"),
        ] {
            let address = "http://\(host):\(port)/\(path)"
            let run = try RosterProcess.run(["--port", "0", address])
            #expect(run.ending == .exit(69))
            #expect(run.lines.count == 1)
            #expect(run.lines.first?.hasPrefix("roster: \(address): \(reason)") == true)
        }
        try upstream.stop()
        let address = "http://\(host):\(port)/users"
        let run = try RosterProcess.run(["--port", "0", address])
        #expect(run.ending == .exit(69))
        #expect(run.lines == ["roster: \(address): the host does not take connections"])
    }
}
