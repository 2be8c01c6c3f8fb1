/// A setting: its names on the command line and in the environment, and its meaning.
///
/// This is the only table of settings. `--help` is generated from it, and a test compares the
/// page of settings with it.
package struct Option: Sendable {
    /// The identifier of a setting.
    package enum Key: String, Sendable, CaseIterable {
        case config
        case host, port, database, passwordFile, groupBy, missing, types, templates, rowErrors,
            loops, refresh
        case controllers
        case sourceFields, sourceFieldsFile
        case publicFolder, allowedHosts, crossOrigin, csvFormulas, accessLog, logFormat, logFile
        case operationsPort, optional
        case connections, connectionsPerAddress, streams, streamsPerAddress, drainDelay,
            drainTimeout
        case pageCache
        case headTimeout, bodyTimeout, idleTimeout, writeTimeout, bodyLimit
        case rowsTime, countsTime, facetsTime, readQueue, writeQueue
        case allowWrites, allowAnonymousWrites, requireIfMatch, importLimit
        case cursorSecret, cursorSecretFile
        case tokens, anonymous, trustProxy, basePath, rateLimit
    }

    /// The identifier of the setting.
    package let key: Key
    /// The flag, for example `--port`.
    ///
    /// Nil for a secret, because all users of the machine can read command lines.
    package let flag: String?
    /// The environment variable, for example `ROSTER_PORT`.
    package let variable: String
    /// The value in `--help`, for example `NUMBER`; empty for a switch.
    package let placeholder: String
    /// The default value, in readable form.
    package let standard: String
    /// A line of description for `--help`.
    package let summary: String

    /// The name in the settings file: the flag without its dashes.
    package var name: String {
        let words = variable.dropFirst("ROSTER_".count).split(separator: "_")
        return words.joined(separator: "-").lowercased()
    }

    /// Whether the value must not be printed.
    package var isSecret: Bool { flag == nil }

    /// Whether the flag alone means `on`; a value must follow after `=`.
    package var isSwitch: Bool { flag != nil && placeholder.isEmpty }

    /// The flag with its placeholder; nil without a flag.
    package var usage: String? { flag.map { isSwitch ? $0 : "\($0) \(placeholder)" } }

    /// All settings, in the order of `--help`.
    package static let all = main + limits

    private static let main: [Option] = [
        Option(
            key: .config,
            flag: "--config",
            variable: "ROSTER_CONFIG",
            placeholder: "FILE",
            standard: "none",
            summary: "file of further settings, NAME = VALUE on each line; # begins a comment"
        ),
        Option(
            key: .host,
            flag: "--host",
            variable: "ROSTER_HOST",
            placeholder: "ADDRESS",
            standard: "127.0.0.1",
            summary: "address to listen on; 0.0.0.0 or [::] for all; unix:PATH for a socket"
        ),
        Option(
            key: .port,
            flag: "--port",
            variable: "ROSTER_PORT",
            placeholder: "NUMBER",
            standard: "8080",
            summary: "port to listen on, 0...65535; 0 takes any free one"
        ),
        Option(
            key: .database,
            flag: "--database",
            variable: "ROSTER_DATABASE",
            placeholder: "FILE",
            standard: "in memory",
            summary: "SQLite file to import into and serve; kept between runs"
        ),
        Option(
            key: .passwordFile,
            flag: "--password-file",
            variable: "ROSTER_PASSWORD_FILE",
            placeholder: "FILE",
            standard: "none",
            summary: "file whose first line is the password of postgres:// sources"
        ),
        Option(
            key: .groupBy,
            flag: "--group-by",
            variable: "ROSTER_GROUP_BY",
            placeholder: "[LIST=]COLUMN[,…]",
            standard: "none",
            summary: "column that cuts a list into sections; an imported list gets their index"
        ),
        Option(
            key: .missing,
            flag: "--missing",
            variable: "ROSTER_MISSING",
            placeholder: "TEXT[,…]",
            standard: "none",
            summary: "texts of CSV and TSV fields that are no value, as in NA,?,-"
        ),
        Option(
            key: .types,
            flag: "--types",
            variable: "ROSTER_TYPES",
            placeholder: "text|COLUMN=TYPE[,…]",
            standard: "those of most values",
            summary: "types of columns of files; text keeps every value as spelled"
        ),
        Option(
            key: .templates,
            flag: "--templates",
            variable: "ROSTER_TEMPLATES",
            placeholder: "FOLDER",
            standard: "none",
            summary: "folder of templates: KIND.html, header-SECTION.html, footer-SECTION.html"
        ),
        Option(
            key: .rowErrors,
            flag: "--row-errors",
            variable: "ROSTER_ROW_ERRORS",
            placeholder: "CHOICE",
            standard: "show",
            summary: "rows that cannot be shown: show an error there, or refuse the page"
        ),
        Option(
            key: .controllers,
            flag: "--controllers",
            variable: "ROSTER_CONTROLLERS",
            placeholder: "off|list",
            standard: "off",
            summary: "list tells at the start which controller and template draw which rows"
        ),
        Option(
            key: .loops,
            flag: "--loops",
            variable: "ROSTER_LOOPS",
            placeholder: "NUMBER",
            standard: "one per core",
            summary: "event loops, 1...256"
        ),
        Option(
            key: .refresh,
            flag: "--refresh",
            variable: "ROSTER_REFRESH",
            placeholder: "SECONDS",
            standard: "60",
            summary: "how often http(s) sources are asked again, 1...86400; 0 asks once"
        ),
        Option(
            key: .sourceFields,
            flag: nil,
            variable: "ROSTER_SOURCE_FIELDS",
            placeholder: "",
            standard: "none",
            summary: "sent to http(s) sources: [LIST=]NAME: VALUE, as in Authorization: Bearer …"
        ),
        Option(
            key: .sourceFieldsFile,
            flag: "--source-fields-file",
            variable: "ROSTER_SOURCE_FIELDS_FILE",
            placeholder: "FILE",
            standard: "none",
            summary: "file of further such fields, one a line; # begins a comment"
        ),
        Option(
            key: .publicFolder,
            flag: "--public",
            variable: "ROSTER_PUBLIC",
            placeholder: "FOLDER",
            standard: "those carried",
            summary: "folder of public files; its style.css replaces the one carried"
        ),
        Option(
            key: .allowedHosts,
            flag: "--allow-hosts",
            variable: "ROSTER_ALLOW_HOSTS",
            placeholder: "HOST[,…]",
            standard: "all, on loopback its own",
            summary: "hosts that are answered for; every other one gets 421"
        ),
        Option(
            key: .crossOrigin,
            flag: "--cors",
            variable: "ROSTER_CORS",
            placeholder: "ORIGIN[,…]",
            standard: "none",
            summary: "origins whose pages may read the answers, or * for all"
        ),
        Option(
            key: .csvFormulas,
            flag: "--csv-formulas",
            variable: "ROSTER_CSV_FORMULAS",
            placeholder: "CHOICE",
            standard: "keep",
            summary: "texts that spreadsheets would run: keep, or neutralise with an apostrophe"
        ),
        Option(
            key: .accessLog,
            flag: "--access-log",
            variable: "ROSTER_ACCESS_LOG",
            placeholder: "",
            standard: "off",
            summary: "on writes a line for every answer to standard error"
        ),
        Option(
            key: .logFormat,
            flag: "--log-format",
            variable: "ROSTER_LOG_FORMAT",
            placeholder: "text|json|combined",
            standard: "text",
            summary: "how the log is written; combined is Apache's format of access lines"
        ),
        Option(
            key: .logFile,
            flag: "--log-file",
            variable: "ROSTER_LOG_FILE",
            placeholder: "FILE",
            standard: "none",
            summary: "file that takes the place of standard error; SIGHUP opens it anew"
        ),
        Option(
            key: .operationsPort,
            flag: "--operations-port",
            variable: "ROSTER_OPERATIONS_PORT",
            placeholder: "[ADDRESS:]NUMBER",
            standard: "that of the lists",
            summary: "port of /-/metrics, /-/lists and probes for operators, 0...65535"
        ),
        Option(
            key: .optional,
            flag: "--optional",
            variable: "ROSTER_OPTIONAL",
            placeholder: "LIST[,…]",
            standard: "none",
            summary: "lists whose source may be down while /-/ready answers 200"
        ),
        Option(
            key: .connections,
            flag: "--connections",
            variable: "ROSTER_CONNECTIONS",
            placeholder: "NUMBER",
            standard: "descriptors less 64",
            summary: "most connections open at once; over it, idle ones are closed"
        ),
        Option(
            key: .connectionsPerAddress,
            flag: "--connections-per-address",
            variable: "ROSTER_CONNECTIONS_PER_ADDRESS",
            placeholder: "NUMBER",
            standard: "any number",
            summary: "most connections of one client address; more are closed at once"
        ),
        Option(
            key: .streams,
            flag: "--streams",
            variable: "ROSTER_STREAMS",
            placeholder: "NUMBER",
            standard: "10000",
            summary: "most clients told changes as events at once; more are answered 503"
        ),
        Option(
            key: .streamsPerAddress,
            flag: "--streams-per-address",
            variable: "ROSTER_STREAMS_PER_ADDRESS",
            placeholder: "NUMBER",
            standard: "any number",
            summary: "most such clients of one address; more are answered 503"
        ),
        Option(
            key: .pageCache,
            flag: "--page-cache",
            variable: "ROSTER_PAGE_CACHE",
            placeholder: "MEGABYTES",
            standard: "32",
            summary: "memory for pages sent again while their list is the same; 0 draws each anew"
        ),
        Option(
            key: .drainDelay,
            flag: "--drain-delay",
            variable: "ROSTER_DRAIN_DELAY",
            placeholder: "SECONDS",
            standard: "1",
            summary: "after SIGTERM: time not ready but still serving, 0...3600"
        ),
        Option(
            key: .drainTimeout,
            flag: "--drain-timeout",
            variable: "ROSTER_DRAIN_TIMEOUT",
            placeholder: "SECONDS",
            standard: "10",
            summary: "time to finish what was begun before the program ends, 0...3600"
        ),
        Option(
            key: .allowWrites,
            flag: "--allow-writes",
            variable: "ROSTER_ALLOW_WRITES",
            placeholder: "",
            standard: "off",
            summary: "on lets callers who have said who they are write to lists"
        ),
        Option(
            key: .allowAnonymousWrites,
            flag: "--allow-anonymous-writes",
            variable: "ROSTER_ALLOW_ANONYMOUS_WRITES",
            placeholder: "",
            standard: "off",
            summary: "on lets everybody who reaches the server write to lists"
        ),
        Option(
            key: .requireIfMatch,
            flag: "--require-if-match",
            variable: "ROSTER_REQUIRE_IF_MATCH",
            placeholder: "",
            standard: "off",
            summary: "on refuses to change a row for who does not name its entity tag (428)"
        ),
        Option(
            key: .importLimit,
            flag: "--import-limit",
            variable: "ROSTER_IMPORT_LIMIT",
            placeholder: "MEBIBYTES",
            standard: "1024",
            summary: "largest file that is imported over HTTP; kept in TMPDIR meanwhile"
        ),
        Option(
            key: .tokens,
            flag: "--tokens",
            variable: "ROSTER_TOKENS",
            placeholder: "FILE",
            standard: "none",
            summary: "file of who may do what, made by roster token; SIGHUP reads it anew"
        ),
        Option(
            key: .anonymous,
            flag: "--anonymous",
            variable: "ROSTER_ANONYMOUS",
            placeholder: "none|read",
            standard: "read",
            summary: "what those may do who do not say who they are, where there are tokens"
        ),
        Option(
            key: .trustProxy,
            flag: "--trust-proxy",
            variable: "ROSTER_TRUST_PROXY",
            placeholder: "ADDRESS[/BITS][,…]",
            standard: "none",
            summary: "proxies whose X-Forwarded-* fields are believed; unix: for Unix sockets"
        ),
        Option(
            key: .basePath,
            flag: "--base-path",
            variable: "ROSTER_BASE_PATH",
            placeholder: "PATH",
            standard: "/",
            summary: "path below which clients reach the service, as in /lists"
        ),
        Option(
            key: .rateLimit,
            flag: "--rate-limit",
            variable: "ROSTER_RATE_LIMIT",
            placeholder: "NUMBER",
            standard: "any number",
            summary: "requests a second of one client address; more are answered 429"
        ),
        Option(
            key: .cursorSecret,
            flag: nil,
            variable: "ROSTER_CURSOR_SECRET",
            placeholder: "",
            standard: "none",
            summary:
                "secrets that sign cursors, one a line; the first signs, the others still count"
        ),
        Option(
            key: .cursorSecretFile,
            flag: "--cursor-secret-file",
            variable: "ROSTER_CURSOR_SECRET_FILE",
            placeholder: "FILE",
            standard: "none",
            summary: "file of such secrets, each of 32 bytes or more"
        ),
    ]
}
