import Foundation
import TestSupport
import Testing

private struct UnitFile {
    /// The signals after which a process has ended in order, see systemd.service(5).
    private static let cleanSignals = [SIGHUP, SIGINT, SIGTERM, SIGPIPE]

    let text: String

    init(_ path: String) throws {
        let file = MarkdownPage.root.appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        guard path.hasSuffix(".md") else {
            self.text = text
            return
        }
        let blocks = MarkdownPage(path: path, text: text).blocks(of: "ini")
        self.text = try #require(blocks.first { $0.contains("[Service]") })
    }

    /// The value of a setting; nil without one.
    func value(_ name: String) -> String? {
        let line = text.split(separator: "\n").last { $0.hasPrefix(name + "=") }
        return line.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Whether systemd starts the service again.
    func restarts(after ending: RosterProcess.Ending) -> Bool {
        let isClean: Bool
        switch ending {
        case .exit(let code):
            let excluded = value("RestartPreventExitStatus")?.split(separator: " ") ?? []
            guard !excluded.contains("\(code)") else { return false }
            isClean = code == 0
        case .signal(let signal): isClean = Self.cleanSignals.contains(signal)
        }
        switch value("Restart") {
        case "always": return true
        case "on-failure": return !isClean
        default: return false
        }
    }
}

@Suite("A server that ends is started again, as its unit files say")
struct SupervisionTests {
    static let paths = [
        "Benchmarks/Deployment/roster.service", "Sources/Roster/Roster.docc/Deploying.md",
    ]
    static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGKILL, SIGSYS]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("after a kill the lists are served again, with all acknowledged rows", arguments: paths)
    func killed(path: String) throws {
        let unit = try UnitFile(path)
        for signal in Self.signals { #expect(unit.restarts(after: .signal(signal)), "\(signal)") }
        let file = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let arguments = [file, "--database", folder.path("lists.db"), "--allow-anonymous-writes"]
        let server = try RosterProcess(serving: arguments)
        let client = try server.connect()
        try client.send(
            "PUT /people/2 HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"name\":\"x\"}"
        )
        #expect(try client.receiveResponse(to: "PUT").status == 201)
        server.send(SIGKILL)
        let ending = try server.waitForEnding().ending
        #expect(ending == .signal(SIGKILL))
        try #require(unit.restarts(after: ending))
        let again = try RosterProcess(serving: arguments)
        #expect(try again.page("/people").ids == ["1", "2"])
        again.send(SIGTERM)
        #expect(!unit.restarts(after: try again.waitForEnding().ending))
    }

    @Test("a command line, a file or a setting with an error is not tried again", arguments: paths)
    func hopeless(path: String) throws {
        let unit = try UnitFile(path)
        let file = try folder.write("id,name\n1,\"Ada\n", to: "people.csv")
        for (arguments, code) in [
            (["--prot", "80"], 64), (["--port", "0", file], 65), (["--allow-writes"], 78),
        ] as [([String], Int32)] {
            let ending = try RosterProcess.run(arguments).ending
            #expect(ending == .exit(code))
            #expect(!unit.restarts(after: ending), "\(arguments)")
        }
        // A folder that is mounted late, and a database or a port that is free later.
        for code in [66, 69, 70, 73, 74] { #expect(unit.restarts(after: .exit(Int32(code)))) }
    }

    @Test("systemd does not give up after several ends in a row", arguments: paths)
    func limits(path: String) throws {
        let unit = try UnitFile(path)
        #expect(unit.value("StartLimitIntervalSec") == "0")
        #expect(unit.value("RestartSec") == "1")
        #expect(unit.value("WatchdogSec") != nil && unit.value("Type") == "notify")
    }

    @Test(
        "systemd knows each setting of the unit files",
        .enabled(if: (try? OutsideProgram.run("systemd-analyze", ["--version"]).code) == 0),
        arguments: paths
    )
    func verified(path: String) throws {
        // The program is not installed here.
        let text = try UnitFile(path).text.replacing("/usr/local/bin/roster", with: "/bin/true")
        let file = try folder.write(text, to: "roster.service")
        let run = try OutsideProgram.run("systemd-analyze", ["verify", "--man=no", file])
        #expect(run.code == 0 && !run.output.contains("roster.service:"), "\(run.output)")
    }
}
