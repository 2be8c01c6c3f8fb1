import Database
import Glibc
import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RemoteLists
import TableFiles
import TestSupport
import Testing

@testable import RosterProgram

@Suite("The command line and the environment are understood or refused")
struct ConfigurationTests {
    @Test("nothing said serves the sample users on this machine only")
    func defaults() throws {
        let configuration = try Configuration(arguments: [], environment: [:])
        #expect(configuration == Configuration())
        #expect(configuration.command == .serve)
        #expect(configuration.sources.isEmpty)
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.database == nil)
        #expect(configuration.groupings.isEmpty)
        #expect(configuration.loops == nil)
        #expect(configuration.refresh == .seconds(60))
        #expect(configuration.publicFolder == nil)
        #expect(configuration.allowedHosts == nil)
        #expect(configuration.crossOrigin == nil)
        #expect(!configuration.logsAccess)
    }

    @Test("every setting has a flag, with a blank or an equals sign, and a variable")
    func settings() throws {
        let values = [
            "--host": "::1", "--port": "9000", "--database": "a=b.db",
            "--group-by": "users=city,state:initial", "--loops": "3", "--refresh": "90",
            "--public": "web", "--missing": "NA,?", "--types": "a=b=text,n=real",
            "--delimiter": "x=tab", "--quote": "none", "--comment": "%",
            "--encoding": "latin1", "--header": "no",
            "--skip-lines": "2", "--footer-lines": "3", "--decimal": "comma",
            "--thousands": "x=point", "--dates": "dmy",
            "--rows-at": "a.b",
            "--extra-values": "drop", "--strict": "on",
            "--allow-hosts": "a.example,[::1]:80", "--cors": "https://b.example",
            "--image-hosts": "cdn.example,images.example:8443",
            "--csv-formulas": "neutralise",
            "--access-log": "on", "--log-format": "json", "--operations-port": "9100",
            "--optional": "a,b",
            "--templates": "rows", "--row-errors": "refuse",
            "--source-fields-file": "secrets", "--password-file": "password",
            "--controllers": "list",
            "--log-file": "log", "--connections": "100", "--connections-per-address": "4",
            "--streams": "200", "--streams-per-address": "5", "--page-cache": "8",
            "--drain-delay": "5", "--drain-timeout": "20",
            "--head-timeout": "2", "--body-timeout": "3", "--idle-timeout": "4",
            "--write-timeout": "5", "--body-limit": "6", "--rows-time": "700",
            "--counts-time": "8", "--facets-time": "9", "--read-queue": "10",
            "--write-queue": "11", "--write-wait": "12",
            "--allow-writes": "on", "--allow-anonymous-writes": "on", "--require-if-match": "on",
            "--memory-limit": "15",
            "--import-limit": "9", "--save-limit": "13", "--history": "h.db",
            "--history-days": "30", "--history-limit": "14",
            "--cursor-secret-file": "keys", "--tokens": "tokens", "--anonymous": "none",
            "--trust-proxy": "10.0.0.7,::1", "--base-path": "/lists", "--rate-limit": "50",
            "--config": "settings", "--sources": "a.csv, b=c.db#d", "--key": "a=b,c,d=e",
            "--only": "a,b", "--hide": "c", "--relate": "a.b=c", "--label": "a=b",
            "--describe": "lists.json", "--title": "t", "--css": "c", "--logo": "l",
            "--footer": "f",
        ]
        let switches = Setting.all.filter(\.isSwitch).map(\.flag)
        #expect(Set(values.keys) == Set(Setting.all.compactMap(\.flag)))
        let blanks = try Configuration(
            arguments: values.flatMap {
                switches.contains($0.key) ? [$0.key] : [$0.key, $0.value]
            },
            environment: [:],
            readFile: { _ in "" }
        )
        #expect(blanks.host == "::1")
        #expect(blanks.port == 9000)
        #expect(blanks.database == "a=b.db")
        #expect(blanks.passwordFile == "password")
        #expect(blanks.groupings.map(\.list) == ["users", nil])
        #expect(blanks.groupings.map(\.column) == ["city", "state"])
        #expect(blanks.groupings.map(\.isInitial) == [false, true])
        #expect(blanks.imports.options(for: "x").missing == ["NA", "?"])
        #expect(blanks.imports.options(for: "x").types == .named(["a=b": .text, "n": .real]))
        let options = blanks.imports.options(for: "x")
        #expect(options.delimiter == UInt8(ascii: "\t") && options.quote == 0)
        #expect(options.comment == UInt8(ascii: "%"))
        #expect(options.encoding == .windows1252 && options.hasHeader == false)
        #expect(options.skippedLines == 2 && options.hasDecimalComma == true)
        #expect(options.rowsAt == "a.b" && options.extraValues == .drop)
        #expect(blanks.imports.options(for: "y").delimiter == nil)
        #expect(blanks.isStrict)
        #expect(blanks.tables.keys == ["a": ["b", "c"], "d": ["e"]])
        #expect(blanks.tables.only == ["a", "b"] && blanks.tables.hidden == ["c"])
        #expect(blanks.loops == 3)
        #expect(blanks.refresh == .seconds(90))
        #expect(blanks.templates == "rows")
        #expect(blanks.refusesFailedRows)
        #expect(blanks.publicFolder == "web")
        #expect(blanks.pages.title == "t" && blanks.pages.css == "c")
        #expect(blanks.pages.logo == "l" && blanks.pages.footer == "f")
        #expect(blanks.sourceFieldsFile == "secrets")
        #expect(blanks.cursorSecretFile == "keys")
        #expect(blanks.tokens == "tokens")
        #expect(!blanks.allowsAnonymousReads)
        #expect(try blanks.trustedProxies == TrustedProxies("10.0.0.7,::1"))
        #expect(blanks.basePath == BasePath("/lists"))
        #expect(blanks.rateLimit == 50)
        #expect(blanks.allowedHosts == AllowedHosts("[::1]:80,a.example"))
        #expect(blanks.crossOrigin == .origins(["https://b.example"]))
        #expect(blanks.neutralisesFormulas)
        #expect(blanks.logsAccess)
        #expect(blanks.logFormat == .json)
        #expect(blanks.optionalLists == ["a", "b"])
        #expect(blanks.operations == OperationsAddress(host: nil, port: 9100))
        for (value, host) in [("127.0.0.1:0", "127.0.0.1"), ("[::1]:9", "::1"), ("h:65535", "h")] {
            let configuration = try Configuration(
                arguments: ["--operations-port", value],
                environment: [:]
            )
            #expect(configuration.operations?.host == host)
        }
        #expect(blanks.logFile == "log")
        #expect(blanks.connections == 100)
        #expect(blanks.connectionsPerAddress == 4)
        #expect(blanks.streams == 200)
        #expect(blanks.streamsPerAddress == 5)
        #expect(blanks.pageCacheMegabytes == 8)
        #expect(blanks.drainDelay == .seconds(5))
        #expect(blanks.drainTimeout == .seconds(20))
        #expect(blanks.limits.headTimeout == .seconds(2))
        #expect(blanks.limits.bodyTimeout == .seconds(3))
        #expect(blanks.limits.idleTimeout == .seconds(4))
        #expect(blanks.limits.writeTimeout == .seconds(5))
        #expect(blanks.limits.bodyKibibytes == 6)
        #expect(blanks.limits.readingTimes.rows == .milliseconds(700))
        #expect(blanks.limits.readingTimes.counts == .milliseconds(8))
        #expect(blanks.limits.readingTimes.facets == .milliseconds(9))
        #expect(blanks.limits.readQueue == 10)
        #expect(blanks.limits.writeQueue == 11)
        #expect(blanks.limits.writeWait == .seconds(12))
        #expect(blanks.writing == .everybody(requiresCondition: true))
        let equals = try Configuration(
            arguments: values.map { "\($0.key)=\($0.value)" },
            environment: [:],
            readFile: { _ in "" }
        )
        #expect(equals == blanks)
        var environment = ["PATH": "/bin", "ROSTERS": "x"]
        for setting in Setting.all {
            environment[setting.variable] = setting.flag.flatMap { values[$0] }
        }
        let named = try Configuration(
            arguments: [],
            environment: environment,
            readFile: { _ in "" }
        )
        #expect(named == blanks)
    }

    @Test("what is sent to sources is said line by line, for all of them or for a list")
    func sourceFields() throws {
        let text = "# of the ingress\n\n Authorization: Bearer a=b: c \r\npeople=X-Key:k\n"
        let fields = try Configuration(
            arguments: [],
            environment: ["ROSTER_SOURCE_FIELDS": text]
        ).sourceFields
        #expect(fields.map(\.list) == [nil, "people"])
        #expect(fields.map(\.field.name) == ["Authorization", "X-Key"])
        #expect(fields.map(\.field.value) == ["Bearer a=b: c", "k"])
    }

    @Test(
        "a line that cannot be sent is refused by its number, without its secret",
        arguments: [
            "s3cret", ": s3cret", "X Y: s3cret", "=X: s3cret", "X:", "Host: s3cret",
            "X: s3cret\u{1}", "a=b=X: s3cret",
        ]
    )
    func refusedSourceField(line: String) throws {
        let failure = #expect(throws: Failure.self) {
            try Configuration(
                arguments: [],
                environment: ["ROSTER_SOURCE_FIELDS": "A: b\n" + line]
            )
        }
        let text = failure?.text ?? ""
        #expect(text.hasPrefix("ROSTER_SOURCE_FIELDS:2: no field that can be sent"))
        #expect(!text.contains("s3cret"))
    }

    @Test("a secret has no flag")
    func secretWithoutFlag() {
        #expect(throws: Failure(.usage, "no option --source-fields; see roster --help")) {
            try Configuration(arguments: ["--source-fields", "A: b"], environment: [:])
        }
    }

    @Test(
        "what Kubernetes says of a service called roster is no setting",
        arguments: [
            ("ROSTER_PORT", "tcp://10.96.0.7:80"), ("ROSTER_SERVICE_HOST", "10.96.0.7"),
            ("ROSTER_SERVICE_PORT", "80"), ("ROSTER_SERVICE_PORT_HTTP_METRICS", "80"),
            ("ROSTER_PORT_80_TCP", "tcp://10.96.0.7:80"), ("ROSTER_PORT_80_TCP_PROTO", "tcp"),
            ("ROSTER_PORT_80_TCP_PORT", "80"), ("ROSTER_PORT_80_TCP_ADDR", "10.96.0.7"),
            ("ROSTER_CORS_PORT", "udp://10.96.0.8:53"), ("ROSTER_CORS_SERVICE_HOST", "10.96.0.8"),
        ]
    )
    func serviceLinks(name: String, value: String) throws {
        let configuration = try Configuration(arguments: [], environment: [name: value])
        #expect(configuration == Configuration())
    }

    @Test(
        "what only looks like it is refused as ever",
        arguments: [
            ("ROSTER_PORT", "tcp"), ("ROSTER_PORTS", "80"), ("ROSTER_SERVICE", "a"),
            ("ROSTER_SERVICE_HOSTS", "a"), ("ROSTER_PORT_X_TCP_ADDR", "10.96.0.7"),
            ("ROSTER_80_TCP_ADDR", "10.96.0.7"), ("ROSTER_HOST_PORT", "80"),
        ]
    )
    func noServiceLinks(name: String, value: String) {
        #expect(throws: Failure.self) {
            try Configuration(arguments: [], environment: [name: value])
        }
    }

    @Test("sockets are inherited when the variables name this process, and only then")
    func inheritedSockets() throws {
        let own = "\(getpid())"
        func count(_ environment: [String: String]) throws -> Int {
            try Configuration(arguments: [], environment: environment).inheritedSockets
        }
        #expect(try count(["LISTEN_PID": own, "LISTEN_FDS": "2"]) == 2)
        #expect(try count(["LISTEN_PID": "1", "LISTEN_FDS": "2"]) == 0)
        #expect(try count(["LISTEN_FDS": "2"]) == 0)
        for text in ["0", "x", "-1", "257"] {
            #expect(throws: Failure.self) {
                try count(["LISTEN_PID": own, "LISTEN_FDS": text])
            }
        }
    }

    @Test(
        "a host may stand in the brackets of addresses",
        arguments: [("[::]", "::"), ("[::1]", "::1"), ("::1", "::1"), ("localhost", "localhost")]
    )
    func brackets(value: String, host: String) throws {
        let configuration = try Configuration(arguments: ["--host", value], environment: [:])
        #expect(configuration.host == host)
    }

    @Test(
        "what stands alone is a source, named by what stands before its first =",
        arguments: [
            ("people.csv", nil, "people.csv"),
            ("users=people.csv", "users", "people.csv"),
            ("a=b=c.csv", "a", "b=c.csv"),
            ("./a=b.csv", nil, "./a=b.csv"),
            ("dir/a=b.csv", nil, "dir/a=b.csv"),
            ("список=x.csv", "список", "x.csv"),
            ("-", nil, "-"),
        ] as [(String, String?, String)]
    )
    func source(argument: String, name: String?, path: String) throws {
        let configuration = try Configuration(arguments: [argument], environment: [:])
        #expect(configuration.sources.map(\.name) == [name])
        #expect(configuration.sources.map(\.path) == [path])
    }

    @Test("behind -- everything is a source, and sources keep their order")
    func sources() throws {
        let configuration = try Configuration(
            arguments: ["b.csv", "--port=1", "a.csv", "--", "--help", "-x.csv", "--"],
            environment: [:]
        )
        #expect(configuration.command == .serve)
        #expect(configuration.sources.map(\.path) == ["b.csv", "a.csv", "--help", "-x.csv", "--"])
        #expect(configuration.port == 1)
    }

    @Test(
        "a question about the program is answered whatever else is said",
        arguments: [
            (["--help"], .help), (["-h"], .help), (["--version"], .version),
            (["--help", "--version"], .help), (["--version", "-h"], .version),
            (["--nonsense", "--help"], .help), (["--port", "x", "--version"], .version),
            (["a.csv", "--help"], .help),
        ] as [([String], Configuration.Command)]
    )
    func questions(arguments: [String], command: Configuration.Command) throws {
        for environment in [[:], ["ROSTER_NONSENSE": "1"], ["ROSTER_PORT": "x"]] {
            let configuration = try Configuration(arguments: arguments, environment: environment)
            #expect(configuration.command == command)
        }
    }

    @Test("the health of a server is asked at its host and port")
    func health() throws {
        let configuration = try Configuration(
            arguments: ["--health", "--port", "1"],
            environment: ["ROSTER_HOST": "0.0.0.0"]
        )
        #expect(configuration.command == .health)
        #expect(configuration.port == 1)
        #expect(configuration.host == "0.0.0.0")
    }

    private static let grouping = "COLUMN, COLUMN:initial or LIST=COLUMN"
    private static let proxy =
        "an address such as 10.0.0.7 or ::1, a range such as 10.0.0.0/8 or 2001:db8::/32, or unix: "
        + "for the peers of a Unix socket"
    private static let naming =
        "names have no /, no control characters, are not '-' and do not begin with sqlite_ or roster_"
    private static let noAddress =
        "is not an address of a source; allowed: postgres://…, http://HOST[:PORT]/PATH and "
        + "https://…, the last two without user name and spaces"
    private static let endings =
        ".csv, .tsv, .json, .ndjson, .gz, .zip, .xlsx, .sqlite, .db, postgres://…, http://…, "
        + "https://…, also as NAME=SOURCE"

    private static let refusals = InputRow.table(
        """
        --prot 1
          no option --prot; did you mean --port?; see roster --help
        --verbose
          no option --verbose; see roster --help
        -p
          no option -p; see roster --help
        --groupby=city
          no option --groupby; did you mean --group-by?; see roster --help
        --helth
          no option --helth; did you mean --health?; see roster --help
        --port
          --port needs a value
        --host=
          --host needs a value
        --database= a.csv
          --database needs a value
        --port=1 --port=2
          --port is given twice
        --host a --host b
          --host is given twice
        --port 80a
          --port: '80a' is not a number from 0 to 65535
        --port=
          --port: '' is not a number from 0 to 65535
        --operations-port :1
          --operations-port needs a value
        --operations-port ::1
          --operations-port: '::1' is not NUMBER, ADDRESS:NUMBER or [IPV6]:NUMBER
        --port -1
          --port: '-1' is not a number from 0 to 65535
        --port +1
          --port: '+1' is not a number from 0 to 65535
        --port 65536
          --port: '65536' is not a number from 0 to 65535
        --port=99999999999999999999
          --port: '99999999999999999999' is not a number from 0 to 65535
        --loops 0
          --loops: '0' is not a number from 1 to 256
        --loops 257
          --loops: '257' is not a number from 1 to 256
        --refresh 86401
          --refresh: '86401' is not a number of seconds from 0 to 86400
        --group-by ''
          --group-by: '' is not \(grouping)
        --group-by =a
          --group-by: '=a' is not \(grouping)
        --group-by a=
          --group-by: 'a=' is not \(grouping)
        --group-by a:b
          --group-by: 'a:b' is not \(grouping)
        --group-by a,,b
          --group-by: '' is not \(grouping)
        --trust-proxy 10.0.0.7,proxy.example
          --trust-proxy: 'proxy.example' is not \(proxy)
        --trust-proxy ''
          --trust-proxy: '' is not \(proxy)
        --trust-proxy unix:/run/a
          --trust-proxy: 'unix:/run/a' is not \(proxy)
        --trust-proxy ::1,10.0.0.0/33
          --trust-proxy: '10.0.0.0/33' is not a range of addresses: a number of bits from 0 to 32 follows the /
        --trust-proxy 10.0.0.7/8
          --trust-proxy: '10.0.0.7/8' is not a range of addresses: all bits after the first 8 must be 0
        --base-path lists
          --base-path: 'lists' is not \(BasePath.allowed)

        ROSTER_PROT=1
          no setting ROSTER_PROT; did you mean ROSTER_PORT?; see roster --help
        ROSTER_VERBOSE=
          no setting ROSTER_VERBOSE; see roster --help
        ROSTER_PORT=http
          ROSTER_PORT: 'http' is not a number from 0 to 65535
        ROSTER_LOOPS=many
          ROSTER_LOOPS: 'many' is not a number from 1 to 256
        ROSTER_GROUP_BY=a:b
          ROSTER_GROUP_BY: 'a:b' is not \(grouping)

        --key people
          --key: 'people' is not LIST=COLUMN[,COLUMN], as in orders=customer,number
        --key people=,a
          --key: 'people=,a' is not LIST=COLUMN[,COLUMN], as in orders=customer,number
        --key people=a,people=b
          --key: 'people=a,people=b' is not one key for each list
        --label a=x --label a=y
          --label: 'a=x,a=y' is not one label for each list
        --key people=a --key b
          --key: 'b' is not LIST=COLUMN[,COLUMN], as in orders=customer,number
        --key people=a --key people=b
          --key: 'people=a,people=b' is not one key for each list
        --only a,,b
          --only: 'a,,b' is not names of tables, as in orders,people
        shop.db#
          'shop.db#' is no source this program reads; allowed: \(endings)
        postgres://me:secret@db/shop#
          'postgres://me@db/shop#' is no source this program reads; allowed: \(endings)

        a=x.csv a=y.csv
          two lists are named 'a'; name one by NAME=FILE or NAME=DATABASE#TABLE
        =a.csv
          a list cannot be named '': \(naming)
        .=a.csv
          a list cannot be named '.': \(naming)
        ..=a.csv
          a list cannot be named '..': \(naming)
        sqlite_a=a.csv
          a list cannot be named 'sqlite_a': \(naming)
        SQLITE_a=a.csv
          a list cannot be named 'SQLITE_a': \(naming)
        roster_x=a.csv
          a list cannot be named 'roster_x': \(naming)
        Roster_=a.csv
          a list cannot be named 'Roster_': \(naming)
        a\u{7F}=a.csv
          a list cannot be named 'a\u{7F}': \(naming)
        ''
          '' is no source this program reads; allowed: \(endings)
        a=
          'a=' is no source this program reads; allowed: \(endings)
        sftp://a.example/x.csv
          'sftp://a.example/x.csv' \(noAddress)
        mysql://db/x
          'mysql://db/x' \(noAddress)
        http://
          'http://' \(noAddress)
        users=ftp://a.example/x
          'ftp://a.example/x' \(noAddress)
        http://me@a.example/
          'http://…@a.example/' \(noAddress)
        """
    )

    /// A line break, which no line of the table can have.
    private static let brokenName = InputRow(
        input: "a\nb=a.csv",
        expected: ["a list cannot be named 'a\nb': \(naming)"]
    )

    @Test(
        "what is not understood is said in one line, with the exit code of sysexits",
        arguments: refusals + [brokenName]
    )
    func refused(_ row: InputRow) throws {
        let variable = row.input.hasPrefix("ROSTER_") ? row.input.split(separator: "=") : []
        let environment =
            variable.isEmpty
            ? [:] : [String(variable[0]): variable.dropFirst().joined()]
        do {
            let configuration = try Configuration(
                arguments: variable.isEmpty ? row.words : [],
                environment: environment
            )
            Issue.record("understood as \(configuration)")
        } catch let failure {
            #expect([failure.text] == row.expected)
            #expect(failure.code == (variable.isEmpty ? .usage : .configuration))
        }
    }

    @Test("the help names every setting with its variable, default and meaning")
    func help() {
        let text = HelpText.text
        for setting in Setting.all {
            #expect(text.contains("  \(setting.usage ?? "(variable only)")"))
            #expect(text.contains(setting.variable))
            #expect(text.contains("      \(setting.summary) (default: \(setting.standard))\n"))
        }
        for word in [
            "--help", "--version", "--health", "--explain", "--print-config", "SOURCE",
            "NAME=SOURCE",
            "users=SOURCE",
        ] {
            #expect(text.contains(word), "\(word)")
        }
        let codes: [ExitCode] = [
            .done, .usage, .badData, .noInput, .unavailable, .software, .cannotCreate,
            .inputOutput, .configuration,
        ]
        let numbers = text.split { !$0.isNumber }.compactMap { Int32($0) }
        #expect(codes.map(\.rawValue).filter { !numbers.contains($0) } == [])
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(text.hasSuffix("\n"))
    }

    @Test(
        "a table follows the database and a number sign",
        arguments: [
            ("shop.db#orders", nil, "shop.db", "orders"),
            ("o=shop.sqlite#a/b#c", "o", "shop.sqlite", "a/b#c"), ("a#b.db", nil, "a#b.db", nil),
            ("a#b.db#t", nil, "a#b.db", "t"), ("people#1.csv", nil, "people#1.csv", nil),
            ("./x=y.db#t", nil, "./x=y.db", "t"),
            ("postgres://u@h/d#s.t", nil, "postgres://u@h/d", "s.t"),
            ("x=postgres://u:pw@h/d?a=b#t", "x", "postgres://u:pw@h/d?a=b", "t"),
        ] as [(String, String?, String, String?)]
    )
    func tables(text: String, name: String?, path: String, table: String?) throws {
        let source = try SourceArgument(text)
        #expect(source.name == name)
        #expect(source.path == path)
        #expect(source.table == table)
        #expect(!source.shown.contains("pw"))
    }
}
