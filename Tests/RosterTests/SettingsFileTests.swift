import ListAPI
import TestSupport
import Testing

@testable import RosterProgram

@Suite("The file of settings")
struct SettingsFileTests {
    /// The configuration of a file, called `f`, that holds a text.
    private func configuration(
        _ text: String,
        arguments: [String] = ["--config", "f"],
        environment: [String: String] = [:]
    ) throws -> Configuration {
        try Configuration(arguments: arguments, environment: environment) { path in
            #expect(path == "f")
            return text
        }
    }

    @Test("a setting is called in the file, on the command line and in the environment alike")
    func names() {
        for setting in Setting.all {
            #expect(setting.flag == nil || setting.flag == "--\(setting.name)")
            let words = setting.name.split(separator: "-").joined(separator: "_")
            #expect(setting.variable == "ROSTER_\(words.uppercased())")
        }
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
    }

    @Test("lines name settings; blanks, comments and the ends of lines are as people write them")
    func lines() throws {
        let text =
            "# of the office\r\n\r\n  port =  9000 \nhost=::1\n\tallow-anonymous-writes = on\n"
            + "public = a # b = c\ncors = https://a.example\n  # end"
        let read = try configuration(text)
        #expect(read.port == 9000)
        #expect(read.host == "::1")
        #expect(read.allowsAnonymousWrites)
        #expect(read.publicFolder == "a # b = c")
        #expect(read.crossOrigin == .origins(["https://a.example"]))
        #expect(try configuration("") == Configuration())
    }

    @Test("sources stand in the file, and those of the command line replace them")
    func sources() throws {
        let text = "sources = people.csv, o=shop.db#orders , data\n"
        let read = try configuration(text)
        #expect(read.sources.map(\.path) == ["people.csv", "shop.db", "data"])
        #expect(read.sources.map(\.name) == [nil, "o", nil])
        let other = try configuration(text, environment: ["ROSTER_SOURCES": "b.csv"])
        #expect(other.sources.map(\.path) == ["b.csv"])
        let arguments = ["--config", "f", "c.csv"]
        #expect(try configuration(text, arguments: arguments).sources.map(\.path) == ["c.csv"])
        #expect(throws: Failure.self) { try configuration("sources = a.csv,,b.csv") }
        let secret = "sources = postgres://user:geheim@db.example/x\n"
        let report = try configuration(secret, arguments: ["--config=f", "--print-config"]).command
        guard case .settings(let lines) = report else { return #expect(Bool(false)) }
        #expect(!lines.contains("geheim") && lines.contains("f:1"))
    }

    @Test("a flag goes before a variable, a variable before the file, the file before the default")
    func precedence() throws {
        let text = "port = 1\nhost = a\nloops = 2\ngroup-by = state,city\n"
        let environment = ["ROSTER_PORT": "3", "ROSTER_HOST": "b"]
        let read = try configuration(
            text,
            arguments: ["--config=f", "--port", "4"],
            environment: environment
        )
        #expect(read.port == 4)
        #expect(read.host == "b")
        #expect(read.loops == 2)
        #expect(read.groupings.map(\.column) == ["state", "city"])
        let cut = try configuration(text, arguments: ["--config", "f", "--group-by", "age"])
        #expect(cut.groupings.map(\.column) == ["age"])
    }

    @Test("the file is named by a variable, or by a flag in its place")
    func naming() throws {
        let named = try configuration(
            "port = 1",
            arguments: [],
            environment: ["ROSTER_CONFIG": "f"]
        )
        #expect(named.port == 1)
        let replaced = try configuration(
            "port = 2",
            arguments: ["--config", "f"],
            environment: ["ROSTER_CONFIG": "other"]
        )
        #expect(replaced.port == 2)
    }

    @Test(
        "what is not understood is told by its line",
        arguments: [
            ("a\nport = 1", "f:1: no setting; allowed: NAME = VALUE, as in port = 80"),
            (
                "# x\nprot = 1",
                "f:2: no setting 'prot'; did you mean port?; see roster --help"
            ),
            (
                "group_by = a",
                "f:1: no setting 'group_by'; did you mean group-by?; see roster --help"
            ),
            ("verbose = 1", "f:1: no setting 'verbose'; see roster --help"),
            ("= 1", "f:1: no setting ''; see roster --help"),
            ("port =", "f:1: port needs a value"),
            ("port = x", "f:1: port: 'x' is not a number from 0 to 65535"),
            ("port = \"1\"", "f:1: port: '\"1\"' is not a number from 0 to 65535"),
            ("port = 1\n\nport = 1", "f:3: 'port' stands at f:1 already"),
            ("source-fields = s3cret", "f:1: source-fields:1: no field that can be sent"),
        ]
    )
    func refused(text: String, reason: String) throws {
        do {
            let read = try configuration(text)
            Issue.record("understood as \(read)")
        } catch let failure as Failure {
            #expect(failure.text.hasPrefix(reason), "\(failure.text)")
            #expect(!failure.text.contains("s3cret"))
            #expect(failure.code == .configuration)
        }
    }

    @Test("a file does not name another one, and one that is missing is told")
    func files() throws {
        let error = #expect(throws: Failure.self) { try configuration("config = g") }
        #expect(error?.text.hasPrefix("f:1: no setting 'config'") == true)
        let failure = #expect(throws: Failure.self) {
            try Configuration(arguments: ["--config", "/nowhere/f"], environment: [:])
        }
        #expect(failure?.code == .noInput)
        #expect(failure?.text.hasPrefix("/nowhere/f: ") == true, "\(failure?.text ?? "")")
    }

    @Test("--print-config tells each setting, its value and where it is said; secrets it does not")
    func report() throws {
        let read = try configuration(
            "\nloops = 2\nhost = a\nsource-fields = A: s3cret\n",
            arguments: [
                "--config", "f", "--print-config", "--port=0", "--group-by", "a", "--group-by=b",
                "x=people.csv", "postgres://me:s3cret@db.example/shop",
            ],
            environment: ["ROSTER_HOST": "b", "ROSTER_CURSOR_SECRET": "s3cret"]
        )
        guard case .settings(let text) = read.command else {
            Issue.record("\(read.command)")
            return
        }
        let rows = text.split(separator: "\n").map { line in
            String(line).split(separator: "  ").map { $0.drop { $0 == " " } }.filter { $0 != "" }
        }
        #expect(rows.map(\.count) == rows.map { _ in 3 })
        for (name, value, origin) in [
            ("config", "f", "--config"), ("port", "0", "--port"), ("host", "b", "ROSTER_HOST"),
            ("loops", "2", "f:2"), ("group-by", "a,b", "--group-by"),
            ("cursor-secret", "(not shown)", "ROSTER_CURSOR_SECRET"),
            ("source-fields", "(not shown)", "f:4"), ("refresh", "60", "default"),
        ] {
            #expect(rows.contains { $0 == [Substring(name), value[...], origin[...]] }, "\(name)")
        }
        #expect(rows.contains { $0.first == "source" && $0.dropFirst().first == "x=people.csv" })
        #expect(
            rows.map(\.first).prefix(Setting.all.count) == Setting.all.map { $0.name[...] }[...]
        )
        #expect(!text.contains("s3cret"))
    }
}
