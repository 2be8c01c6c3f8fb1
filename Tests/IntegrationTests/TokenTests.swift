import Foundation
import TestSupport
import Testing

@Suite("Tokens on the command line")
struct TokenTests {
    private func make(_ name: String, _ scopes: String...) throws -> (token: String, line: String) {
        let run = try RosterProcess.run(["token", name] + scopes)
        #expect(run.ending == .exit(0))
        let said = try #require(run.lines.first?.split(separator: " ").last)
        return (String(said), run.output)
    }

    @Test("a token is shown once, opens what its line says, and is closed without a restart")
    func life() throws {
        let alice = try make("alice", "users:read:city=Oslo")
        let monitor = try make("monitor", "operate")
        #expect(alice.token.hasPrefix("roster_") && alice.token.utf8.count == 71)
        #expect(!alice.line.contains(alice.token))
        #expect(
            alice.line.hasPrefix("alice sha256:") && alice.line.hasSuffix("users:read:city=Oslo\n")
        )
        let folder = try TemporaryFolder()
        let file = try folder.write(alice.line + monitor.line, to: "tokens")
        let server = try RosterProcess(
            serving: [
                "--tokens", file, "--anonymous", "none", "--access-log", "--log-format", "json",
            ]
        )
        func status(_ target: String, _ token: String?) throws -> Int {
            let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            return try server.get(target, fields: field).status
        }
        #expect(try status("/users", nil) == 401)
        #expect(try status("/users", alice.token) == 200)
        #expect(try status("/-/metrics", alice.token) == 403)
        #expect(try status("/-/metrics", monitor.token) == 200)
        #expect(try status("/-/lists", monitor.token) == 200)
        #expect(try status("/-/live", nil) == 200)
        let line = try server.waitForLine { $0.contains("\"caller\":\"alice\"") } ?? ""
        #expect(line.contains("\"path\":\"/{list}\",\"list\":\"users\""))
        #expect(!line.contains(alice.token) && !line.contains("Oslo"))
        try folder.write(monitor.line, to: "tokens")
        server.send(SIGHUP)
        _ = try server.waitForLine { $0.contains("was read again") }
        #expect(try status("/users", alice.token) == 401)
        try folder.write("nonsense\n", to: "tokens")
        server.send(SIGHUP)
        _ = try server.waitForLine { $0.contains("the old tokens stay in use") }
        #expect(try server.waitForLine { _ in true }?.contains("reloaded, except --tokens") == true)
        #expect(try status("/-/metrics", monitor.token) == 200)
        try server.stop()
    }

    @Test("row filters that clients escape without a token are told of at the start")
    func escapedFilters() throws {
        let folder = try TemporaryFolder()
        let lines = try make("alice", "users:read:city=Oslo").line + make("bob", "*:write").line
        let file = try folder.write(lines, to: "tokens")
        for (arguments, count) in [([], 1), (["--anonymous", "none"], 0)] {
            let server = try RosterProcess(serving: ["--tokens", file] + arguments)
            let notice =
                "roster: --tokens: clients without a token read all rows, also those that 'alice' "
                + "may not see; --anonymous none prevents that"
            #expect(server.lines.count { $0 == notice } == count)
            try server.stop()
        }
    }

    @Test("what is not understood is told before anything is served")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a - user:read\n", to: "tokens")
        for (arguments, code, text) in [
            (["token"], 64, "NAME is missing; see roster --help"),
            (["token", "a"], 64, "SCOPE is missing; see roster --help"),
            (["token", "a", "sing"], 78, "roster token: 'sing' is no scope; allowed: LIST:read,"),
            (["--allow-writes"], 78, "--allow-writes lets clients with a token of --tokens write"),
            (["--anonymous", "none"], 78, "--anonymous none needs --tokens"),
            (["--tokens", "/nowhere"], 66, "/nowhere: "),
            (["--tokens", file], 78, "\(file):1: no list 'user'; did you mean users?"),
        ] as [([String], Int32, String)] {
            let run = try RosterProcess.run(
                arguments + (arguments[0] == "token" ? [] : ["--port", "0"])
            )
            #expect(run.ending == .exit(code), "\(arguments)")
            #expect(run.lines.contains { $0.hasPrefix("roster: \(text)") }, "\(run.lines)")
            #expect(run.output == "")
        }
    }
}
