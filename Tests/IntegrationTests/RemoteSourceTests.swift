import Foundation
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

    @Test("without the program that fetches nothing is served, and what is missing is named")
    func programIsMissing() throws {
        let folder = try TemporaryFolder()
        let program = URL(filePath: folder.path("roster"))
        try FileManager.default.copyItem(at: RosterProcess.program, to: program)
        let arguments = ["--port", "0", "http://127.0.0.1:9/people.json"]
        let path = program.resolvingSymlinksInPath().path(percentEncoded: false) + "-fetch"
        let missing = try RosterProcess(arguments, program: program).waitForEnding()
        #expect(missing.ending == .exit(69))
        let address = "roster: http://127.0.0.1:9/people.json: "
        #expect(
            missing.lines == ["\(address)fetching needs the program \(path), which is missing"]
        )
        try folder.write("", to: "roster-fetch")
        let useless = try RosterProcess(arguments, program: program).waitForEnding()
        #expect(useless.ending == .exit(69))
        #expect(
            useless.lines == [
                "\(address)fetching needs the program \(path), which cannot be started: "
                    + "Permission denied"
            ]
        )
    }

    @Test("a service that does not answer keeps the program from starting, with its reason")
    func unreachable() throws {
        // No other test listens at this address, so that none can take the port.
        let host = "127.0.0.12"
        let upstream = try RosterProcess(serving: ["--host", host])
        let port = try upstream.port
        for (path, reason) in [
            ("nothing", "status 404: {\"type\":\"/-/problems/not-found\""),
            ("users.html", "the answer is text/html; allowed: JSON, NDJSON, CSV and TSV"),
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
