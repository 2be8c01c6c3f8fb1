import Foundation
import SQLite
import TestSupport
import Testing

@Suite("The program on the command line")
struct CommandLineTests {
    @Test(
        "--help prints the settings and ends",
        arguments: [["--help"], ["-h"], ["--nonsense", "--help"]]
    )
    func help(arguments: [String]) throws {
        let run = try RosterProcess.run(arguments, environment: ["ROSTER_NONSENSE": "1"])
        #expect(run.ending == .exit(0))
        #expect(run.output.hasPrefix("Usage: roster [SOURCE ...] [options]\n"))
        #expect(run.output.contains("  --port NUMBER"))
        #expect(run.lines == [])
    }

    @Test("--version prints what the service says of itself")
    func version() throws {
        let run = try RosterProcess.run(["--version"])
        #expect(run.ending == .exit(0))
        #expect(run.lines == [])
        let server = try RosterProcess(serving: [])
        #expect("roster \(try server.get("/-/version").text)" == run.output)
    }

    @Test(
        "what is not understood ends the program with one line and the code for it",
        arguments: [
            (["--prot", "80"], 64, "no option --prot; did you mean --port?; see roster --help"),
            (["--port", "x"], 64, "--port: 'x' is not a number from 0 to 65535"),
            (["--port"], 64, "--port needs a value"),
            (["--help=1"], 64, "--help: '1' \(noValue)"),
            (["--print-config=on"], 64, "--print-config: 'on' \(noValue)"),
            (["import", "--help=1"], 64, "--help: '1' \(noValue)"),
            (["people.csv?x=1"], 64, withParameters("people.csv?x=1")),
            (["shop.db#orders?a=1&b=2"], 64, withParameters("shop.db#orders?a=1&b=2")),
            (["import", "a.csv?x=1", "--database", "/x.db"], 64, withParameters("a.csv?x=1")),
            (["serve", "people.csv"], 66, "serve: no such file or command; \(toServe)"),
            (
                ["imprt", "people.csv"], 66,
                "imprt: no such file or command; did you mean import?; \(toServe)"
            ),
            (["missing.csv"], 66, "missing.csv: no such file"),
            (["team=missing"], 66, "missing: no such file"),
            (["--print-config", "--tokens", "/none/x"], 66, "--tokens: /none/x: \(noFolder)"),
            (["--print-config", "--templates", "/none"], 66, "--templates: /none: no such file"),
            (["--print-config", "--css", "/"], 66, "--css: /: is a folder, not a file"),
            (["--host", "unix:/none/x.sock"], 69, "--host: unix:/none/x.sock: \(noFolder)"),
            (["users="], 64, unknownSource("users=")),
            (["--group-by", "planet", "--port", "0"], 64, noSections("planet")),
            (
                ["--group-by", "Users=city", "--port", "0"], 64,
                "--group-by: no list 'Users'; did you mean users?"
            ),
            (
                ["--host", "no host", "--port", "0"], 69,
                "--host: no address is known for 'no host'"
            ),
            (
                ["--host", "192.0.2.1", "--port", "0"], 69,
                "--host: this machine does not have the address 192.0.2.1"
            ),
        ] as [([String], Int32, String)]
    )
    func refused(arguments: [String], code: Int32, text: String) throws {
        let run = try RosterProcess.run(arguments)
        #expect(run.ending == .exit(code))
        #expect(run.lines == ["roster: \(text)"])
        #expect(run.output == "")
    }

    @Test("a database that cannot be opened is told with the reason")
    func databases() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.write("id,name\n1,a\n", to: "people.csv")
        let home = folder.path("")
        for (database, reason) in [
            (home + "none/x.db", "the folder '\(home)none' is missing"),
            (home, "is a folder, not a file"),
        ] {
            let run = try RosterProcess.run([file, "--database", database, "--port", "0"])
            #expect(run.lines.last == "roster: \(database): \(reason)")
            #expect(run.ending == .exit(73))
        }
        try FileManager.default.createDirectory(
            atPath: home + "ro",
            withIntermediateDirectories: true
        )
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: String(home.dropLast())
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: home + "ro")
        guard getuid() == 0 else { return }
        let server = try RosterProcess(
            RosterProcess.asNobody
                + [
                    RosterProcess.program.path, file, "--database", home + "ro/x.db", "--port", "0",
                ],
            program: URL(filePath: "/usr/bin/setpriv")
        )
        let run = try server.waitForEnding()
        let reason = "the folder '\(home)ro' may not be written to"
        #expect(run.lines.last == "roster: \(home)ro/x.db: \(reason)")
    }

    @Test(
        "a socket whose folder may not be written to is told by its path",
        .enabled(if: OutsideProgram.canBeNobody)
    )
    func forbiddenSocket() throws {
        let folder = try TemporaryFolder()
        let home = String(folder.path("").dropLast())
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home)
        let program = RosterProcess.program.path(percentEncoded: false)
        let run = try RosterProcess(
            RosterProcess.asNobody + [program, "--host", "unix:\(home)/r.sock"],
            program: URL(filePath: "/usr/bin/setpriv")
        )
        .waitForEnding()
        #expect(run.ending == .exit(69))
        let reason = "the folder '\(home)' may not be written to"
        #expect(run.lines == ["roster: --host: unix:\(home)/r.sock: \(reason)"])
    }

    @Test("a file whose name looks like parameters is served by a path with ./")
    func questionMark() throws {
        let folder = try TemporaryFolder()
        try folder.write("id,name\n1,Ada\n", to: "people.csv?x=1.csv")
        let server = try RosterProcess(
            ["./people.csv?x=1.csv", "--port", "0"],
            folder: URL(filePath: folder.path(""))
        )
        let line = try server.waitForLine { $0.contains(" at http://") }
        #expect(line != nil, "\(server.lines)")
        try server.stop()
    }

    @Test("the name of a list that is given to a database is refused with one that is possible")
    func namedDatabase() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("shop.sqlite")
        let connection = try DatabaseConnection(.file(database), access: .readWrite)
        try connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
        let text =
            "roster: a=\(database): a name is given to a list and not to a database, whose lists "
            + "are named after its tables; a=\(database)#"
        let single = try RosterProcess.run(["a=\(database)"])
        #expect(single.ending == .exit(64) && single.lines == ["\(text)orders names one"])
        try connection.execute("CREATE TABLE lines (id INTEGER PRIMARY KEY)")
        #expect(try RosterProcess.run(["a=\(database)"]).lines == ["\(text)TABLE names one"])
    }

    @Test("help is there for each command, and so are the manual and completions")
    func commandHelp() throws {
        let whole = try RosterProcess.run(["help"]).output
        #expect(try RosterProcess.run(["--help"]).output == whole)
        #expect(try RosterProcess.run(["-V"]).output == RosterProcess.run(["--version"]).output)
        for command in ["import", "export", "token", "completions"] {
            let text = try RosterProcess.run([command, "--help"]).output
            #expect(text.hasPrefix("Usage: roster \(command) "))
            #expect(try RosterProcess.run(["help", command]).output == text)
            #expect(text.utf8.count < whole.utf8.count / 4)
        }
        #expect(try RosterProcess.run(["import", "-h"]).output.contains("--on-duplicate"))
        let token = try RosterProcess.run(["help", "token"]).output
        for scope in ["LIST:read", "LIST:read:CONDITIONS", "LIST:write", "*:write", "operate"] {
            #expect(token.contains(scope), "\(scope)")
        }
        #expect(token.contains("orders:read:team=red"))
        let unknown = try RosterProcess.run(["help", "imprt"])
        #expect(unknown.ending == .exit(64) && unknown.lines[0].contains("no command 'imprt'"))
        let manual = try RosterProcess.run(["manual"]).output
        #expect(manual.hasPrefix(".TH ROSTER 1"))
        #expect(manual.contains(".B \\-\\-port NUMBER") && manual.contains(".SH EXIT STATUS"))
        for shell in ["bash", "zsh", "fish"] {
            let run = try RosterProcess.run(["completions", shell])
            #expect(run.ending == .exit(0) && run.output.contains("operations-port"))
        }
        #expect(try RosterProcess.run(["completions"]).ending == .exit(64))
    }

    @Test("bash completes options and commands by the script")
    func completions() throws {
        let script = try RosterProcess.run(["completions", "bash"]).output
        func completed(_ words: String..., last: Int) throws -> String {
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let process = Process()
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = [
                "-c",
                "\(script)\nCOMP_WORDS=(\(list)); COMP_CWORD=\(last); cd /; _roster; "
                    + "echo \"${COMPREPLY[@]}\"",
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try completed("roster", "--operat", last: 1) == "--operations-port\n")
        #expect(try completed("roster", "expo", last: 1) == "export\n")
        #expect(try completed("roster", "export", "--for", last: 2) == "--format\n")
    }

    @Test("ps shows no password of an address")
    func processList() throws {
        let address = "postgres://roster:sekret@192.0.2.1/x?sslpassword=sekret&password=sekret"
        let server = try RosterProcess([address, "--port", "0"])
        let deadline = ContinuousClock.now + .seconds(20)
        let masked = "roster:******@192.0.2.1/x?sslpassword=******&password=******"
        var line = ""
        // The program writes over its arguments in more than one step.
        while !line.contains(masked) {
            try #require(ContinuousClock.now < deadline, "\(line)")
            line = try String(contentsOfFile: "/proc/\(server.identifier)/cmdline", encoding: .utf8)
        }
        #expect(!line.contains("sekret"))
        server.send(SIGKILL)
    }

    @Test(
        "no message about an address repeats its password",
        arguments: [
            ("http://u:sekret@h/x", "'http://…@h/x' is not an address of a source"),
            ("https://u:sekret@h:x/", "'https://…@h:x/' is not an address of a source"),
            ("a=mysql://u:sekret@h/d?password=sekret", "'mysql://…@h/d?…' is not an address"),
            ("postgres://u:sek/ret@h/d", "'postgres://…': write '/' as %2F, '?' as %3F"),
            ("postgres://u:sek?ret@h/d", "'postgres://…': write '/' as %2F, '?' as %3F"),
            ("postgres://u:sekret:ret@127.0.0.1:1/d", "postgres://u"),
            ("postgres://u@h:sekret@h:x/d", "postgres://u"),
            ("postgres://u:sekret@127.0.0.1:1/d?hostaddr=sekret", "postgres://u"),
        ]
    )
    func passwords(source: String, text: String) throws {
        for arguments in [[source], ["import", source, "--database", "/nonexistent/x.db"]] {
            let run = try RosterProcess.run(arguments)
            #expect(run.ending != .exit(0))
            let lines = run.lines.joined()
            #expect(lines.contains(text) || arguments.count > 1, "\(lines)")
            #expect(!lines.contains("sek") && !lines.contains("ret@"), "\(lines)")
        }
    }

    private static let noValue = "is not possible, because it takes no value"
    private static let toServe = "to serve a file, write: roster FILE"
    private static let noFolder = "the folder '/none' is missing"

    private static func withParameters(_ text: String) -> String {
        "'\(text)': a source has no parameters; from '?' on they belong to the address of the list, "
            + "and a file of this name is written './\(text)'"
    }

    private static func unknownSource(_ text: String) -> String {
        "'\(text)' is no source this program reads; allowed: .csv, .tsv, .json, .ndjson, .gz, "
            + ".zip, .xlsx, .sqlite, .db, postgres://…, http://…, https://…, also as NAME=SOURCE"
    }

    private static func noSections(_ column: String) -> String {
        "--group-by: no list makes sections of '\(column)'; users has firstName, lastName, "
            + "occupation, email, city, joined, age"
    }

    @Test(
        "a variable that is not understood is a fault of configuration",
        arguments: [
            (
                "ROSTER_PROT", "80",
                "no setting ROSTER_PROT; did you mean ROSTER_PORT?; see roster --help"
            ),
            ("ROSTER_PORT", "x", "ROSTER_PORT: 'x' is not a number from 0 to 65535"),
        ]
    )
    func refusedVariable(name: String, value: String, text: String) throws {
        let run = try RosterProcess.run([], environment: [name: value])
        #expect(run.ending == .exit(78))
        #expect(run.lines == ["roster: \(text)"])
    }

    @Test("a file sets what neither flags nor variables do, also for the commands")
    func settingsFile() throws {
        let folder = try TemporaryFolder()
        let people = try folder.write("id,kind\n1,a\n2,b\n", to: "things.csv")
        let database = folder.path("lists.db")
        let text = "# settings\ngroup-by = kind\nport = 1\ndatabase = \(database)\n"
        let settings = try folder.write(text, to: "roster.conf")
        let environment = ["ROSTER_CONFIG": settings]
        let importing = try RosterProcess.run(["import", people], environment: environment)
        #expect(importing.ending == .exit(0), "\(importing.lines)")
        let printed = try RosterProcess.run(["--print-config", "--config", settings])
        #expect(printed.ending == .exit(0) && printed.lines == [])
        #expect(printed.output.contains("kind"))
        #expect(printed.output.contains("\(settings):2\n"))
        let server = try RosterProcess(serving: [], environment: environment)
        #expect(try server.page("/things").sections.map(\.id) == ["a", "b"])
    }

    @Test("without a source the sample users are served, and that is said")
    func samples() throws {
        let server = try RosterProcess(serving: [])
        let port = try server.port
        #expect(
            server.lines == [
                "roster: no source is named; these are sample users, see roster --help",
                "roster: serving Users at http://127.0.0.1:\(port)/users",
            ]
        )
        #expect(try server.page("/users").total?.value == 60)
        try server.stop()
    }

    @Test("a port in use is told at once, before anything is imported")
    func portInUse() throws {
        let server = try RosterProcess(serving: [])
        let port = try server.port
        for arguments in [[], ["missing.csv"]] {
            let run = try RosterProcess.run(["--port", "\(port)"] + arguments)
            #expect(run.ending == .exit(69))
            #expect(
                run.lines == [
                    "roster: port \(port) at 127.0.0.1 is in use by another program; "
                        + "choose another by --port"
                ]
            )
        }
        #expect(try server.get("/-/live").status == 200)
    }

    @Test("--health is answered by the exit code")
    func health() throws {
        let server = try RosterProcess(serving: [])
        let port = try server.port
        let healthy = try RosterProcess.run(["--health", "--port", "\(port)"])
        #expect(healthy.ending == .exit(0))
        #expect(healthy.lines == [] && healthy.output == "")
        // Where it listens in a container, and where it is asked from inside.
        let inside = try RosterProcess.run(
            ["--health"],
            environment: ["ROSTER_HOST": "0.0.0.0", "ROSTER_PORT": "\(port)"]
        )
        #expect(inside.ending == .exit(0))
        // Nobody listens at this address of the machine.
        let arguments = ["--health", "--host", "127.0.0.9", "--port", "\(port)"]
        let absent = try RosterProcess.run(arguments)
        #expect(absent.ending == .exit(69))
        #expect(absent.lines == ["roster: no server responds at 127.0.0.9, port \(port)"])
    }

    @Test("an IPv6 address is served where the machine has one")
    func internetProtocol6() throws {
        let run = try RosterProcess(["--host", "[::1]", "--port", "0"])
        guard let line = try run.waitForLine(where: { $0.contains(" at http://") }) else {
            let lines = ["roster: --host: this machine does not have the address ::1"]
            #expect(run.lines == lines)
            return
        }
        let port = try #require(line.firstMatch(of: /http:\/\/\[::1\]:([0-9]+)\/users/)).1
        let client = try RawConnection(port: try #require(UInt16(port)), host: "::1")
        try client.send("GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().text == "live\n")
        try run.stop()
    }
}
