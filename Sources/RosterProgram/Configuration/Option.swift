/// A setting: its names on the command line and in the environment, and its meaning.
///
/// This is the only table of settings. `--help` is generated from it, and a test compares the
/// page of settings with it.
package struct Option: Sendable {
    /// The identifier of a setting.
    package enum Key: String, Sendable, CaseIterable {
        case config, sources
        case host, port, database, passwordFile, groupBy, templates, rowErrors, loops, refresh
        case delimiter, quote, encoding, header, skipLines, footerLines, decimal, missing, types,
            rowsAt, extraValues, strict
        case controllers, sourceFields, sourceFieldsFile
        case publicFolder, allowedHosts, crossOrigin, csvFormulas, accessLog, logFormat, logFile
        case operationsPort, optional
        case connections, connectionsPerAddress, streams, streamsPerAddress, drainDelay,
            drainTimeout
        case pageCache, headTimeout, bodyTimeout, idleTimeout, writeTimeout, bodyLimit
        case rowsTime, countsTime, facetsTime, readQueue, writeQueue, writeWait
        case allowWrites, allowAnonymousWrites, requireIfMatch, importLimit
        case cursorSecret, cursorSecretFile, tokens, anonymous, trustProxy, basePath, rateLimit
        case key, only, hide, relate, label, describe, imageHosts
        case title, css, logo, footer
    }

    /// The identifier of the setting.
    package let key: Key
    /// The flag, as `--port`; nil for a secret, because all users can read command lines.
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

    /// Whether the log and reports omit the value, which may contain a password.
    package var isHidden: Bool { isSecret || key == .sources }

    /// Whether the flag alone means `on`; a value must follow after `=`.
    package var isSwitch: Bool { flag != nil && placeholder.isEmpty }

    /// The flag with its placeholder; nil without a flag.
    package var usage: String? { flag.map { isSwitch ? $0 : "\($0) \(placeholder)" } }

    /// All settings, in the order of `--help`.
    package static let all = main + imports + tables + DescribedList.options + limits

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
            key: .sources,
            flag: "--sources",
            variable: "ROSTER_SOURCES",
            placeholder: "SOURCE[,…]",
            standard: "none",
            summary: "sources for the settings file; those of the command line replace them"
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
            summary: "SQLite file to import into and to serve"
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
            summary: "column that groups a list into sections; imported lists get an index of it"
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
            summary: "treatment of rows that cannot be shown: an error in the row, or for the page"
        ),
        Option(
            key: .controllers,
            flag: "--controllers",
            variable: "ROSTER_CONTROLLERS",
            placeholder: "off|list",
            standard: "off",
            summary: "list prints the controller and template of each kind of rows at the start"
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
            summary: "time between requests to http(s) sources, 1...86400; 0 requests once"
        ),
        Option(
            key: .sourceFields,
            flag: nil,
            variable: "ROSTER_SOURCE_FIELDS",
            placeholder: "",
            standard: "none",
            summary: "header field for http(s) sources: [LIST=]NAME: VALUE, as in Accept: text/csv"
        ),
        Option(
            key: .sourceFieldsFile,
            flag: "--source-fields-file",
            variable: "ROSTER_SOURCE_FIELDS_FILE",
            placeholder: "FILE",
            standard: "none",
            summary: "file of such fields, one a line; # begins a comment"
        ),
        Option(
            key: .publicFolder,
            flag: "--public",
            variable: "ROSTER_PUBLIC",
            placeholder: "FOLDER",
            standard: "those carried",
            summary: "folder of public files; its style.css replaces the built-in one"
        ),
        Option(
            key: .allowedHosts,
            flag: "--allow-hosts",
            variable: "ROSTER_ALLOW_HOSTS",
            placeholder: "HOST[,…]",
            standard: "all, on loopback its own",
            summary: "hosts that the server responds for; other hosts get 421"
        ),
        Option(
            key: .crossOrigin,
            flag: "--cors",
            variable: "ROSTER_CORS",
            placeholder: "ORIGIN[,…]",
            standard: "none",
            summary: "origins whose pages may read the responses, or * for all"
        ),
        Option(
            key: .csvFormulas,
            flag: "--csv-formulas",
            variable: "ROSTER_CSV_FORMULAS",
            placeholder: "CHOICE",
            standard: "keep",
            summary: "CSV texts that spreadsheets would run: keep, or neutralise by an apostrophe"
        ),
        Option(
            key: .accessLog,
            flag: "--access-log",
            variable: "ROSTER_ACCESS_LOG",
            placeholder: "",
            standard: "off",
            summary: "on writes a line for each response to standard error"
        ),
        Option(
            key: .logFormat,
            flag: "--log-format",
            variable: "ROSTER_LOG_FORMAT",
            placeholder: "text|json|combined",
            standard: "text",
            summary: "format of the log; combined is Apache's format of access lines"
        ),
        Option(
            key: .logFile,
            flag: "--log-file",
            variable: "ROSTER_LOG_FILE",
            placeholder: "FILE",
            standard: "none",
            summary: "file that replaces standard error; SIGHUP opens it again"
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
            summary: "lists that may be unavailable while /-/ready responds 200"
        ),
        Option(
            key: .connections,
            flag: "--connections",
            variable: "ROSTER_CONNECTIONS",
            placeholder: "NUMBER",
            standard: "descriptors less 64",
            summary: "maximum number of open connections; then idle ones are closed"
        ),
        Option(
            key: .connectionsPerAddress,
            flag: "--connections-per-address",
            variable: "ROSTER_CONNECTIONS_PER_ADDRESS",
            placeholder: "NUMBER",
            standard: "any number",
            summary: "maximum number of connections of a client address; more are closed"
        ),
        Option(
            key: .streams,
            flag: "--streams",
            variable: "ROSTER_STREAMS",
            placeholder: "NUMBER",
            standard: "10000",
            summary: "maximum number of event streams; more get 503"
        ),
        Option(
            key: .streamsPerAddress,
            flag: "--streams-per-address",
            variable: "ROSTER_STREAMS_PER_ADDRESS",
            placeholder: "NUMBER",
            standard: "any number",
            summary: "maximum number of event streams of a client address; more get 503"
        ),
        Option(
            key: .pageCache,
            flag: "--page-cache",
            variable: "ROSTER_PAGE_CACHE",
            placeholder: "MEGABYTES",
            standard: "32",
            summary: "memory for cached pages; 0 turns the cache off"
        ),
        Option(
            key: .drainDelay,
            flag: "--drain-delay",
            variable: "ROSTER_DRAIN_DELAY",
            placeholder: "SECONDS",
            standard: "1",
            summary: "time after SIGTERM in which the server serves but is not ready, 0...3600"
        ),
        Option(
            key: .drainTimeout,
            flag: "--drain-timeout",
            variable: "ROSTER_DRAIN_TIMEOUT",
            placeholder: "SECONDS",
            standard: "10",
            summary: "time to finish open requests before the program ends, 0...3600"
        ),
        Option(
            key: .allowWrites,
            flag: "--allow-writes",
            variable: "ROSTER_ALLOW_WRITES",
            placeholder: "",
            standard: "off",
            summary: "on lets identified clients write to lists"
        ),
        Option(
            key: .allowAnonymousWrites,
            flag: "--allow-anonymous-writes",
            variable: "ROSTER_ALLOW_ANONYMOUS_WRITES",
            placeholder: "",
            standard: "off",
            summary: "on lets every client write to lists"
        ),
        Option(
            key: .requireIfMatch,
            flag: "--require-if-match",
            variable: "ROSTER_REQUIRE_IF_MATCH",
            placeholder: "",
            standard: "off",
            summary: "on requires the entity tag of a row to change it; requests without get 428"
        ),
        Option(
            key: .importLimit,
            flag: "--import-limit",
            variable: "ROSTER_IMPORT_LIMIT",
            placeholder: "MEBIBYTES",
            standard: "1024",
            summary: "maximum size of a file imported over HTTP; it is stored in TMPDIR"
        ),
        Option(
            key: .tokens,
            flag: "--tokens",
            variable: "ROSTER_TOKENS",
            placeholder: "FILE",
            standard: "none",
            summary: "file of tokens and scopes, made by roster token; SIGHUP reads it again"
        ),
        Option(
            key: .anonymous,
            flag: "--anonymous",
            variable: "ROSTER_ANONYMOUS",
            placeholder: "none|read",
            standard: "read",
            summary: "rights of clients without a token, if there are tokens"
        ),
        Option(
            key: .trustProxy,
            flag: "--trust-proxy",
            variable: "ROSTER_TRUST_PROXY",
            placeholder: "ADDRESS[/BITS][,…]",
            standard: "none",
            summary: "proxies whose X-Forwarded-* fields are trusted; unix: for Unix sockets"
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
            summary: "requests a second of a client address; more get 429"
        ),
        Option(
            key: .cursorSecret,
            flag: nil,
            variable: "ROSTER_CURSOR_SECRET",
            placeholder: "",
            standard: "none",
            summary:
                "secrets of cursors, one a line; the first signs, all are accepted"
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

extension Option {
    /// The settings for reading files.
    ///
    /// Each value may be given for one list, as `LIST=VALUE`.
    static let imports: [Option] = [
        reading(
            .delimiter,
            as: "[LIST=]NAME[,…]",
            "character between fields: comma, semicolon, tab, pipe, space or a sign"
        ),
        reading(
            .quote,
            as: "[LIST=]NAME[,…]",
            "character around fields: double, single or none"
        ),
        reading(
            .encoding,
            as: "[LIST=]NAME[,…]",
            "encoding of text files, as in latin1; iconv --list prints all"
        ),
        reading(
            .header,
            as: "[LIST=]yes|no[,…]",
            "whether the first line names the columns"
        ),
        reading(
            .skipLines,
            as: "[LIST=]NUMBER[,…]",
            "number of lines before the header, 0...1000000"
        ),
        reading(
            .footerLines,
            as: "[LIST=]NUMBER[,…]",
            "number of last lines that are no rows, such as totals; 0 keeps all"
        ),
        reading(
            .decimal,
            as: "[LIST=]comma|point[,…]",
            "sign before decimals; with comma, 1.234,5 is a number"
        ),
        reading(
            .missing,
            as: "[LIST=]TEXT[,…]",
            standard: "none",
            "texts of fields that mean no value, as in NA,?,-"
        ),
        reading(
            .types,
            as: "text|[LIST=]COLUMN=TYPE[,…]",
            standard: "those of most values",
            "types of columns of files; text stores every value as spelled"
        ),
        reading(
            .rowsAt,
            as: "[LIST=]PATH[,…]",
            standard: "found",
            "path of the rows in a JSON document, as in data.items"
        ),
        reading(
            .extraValues,
            as: "[LIST=]CHOICE[,…]",
            standard: "error",
            "treatment of values after the last column: error, column or drop"
        ),
        reading(
            .strict,
            as: "",
            standard: "off",
            "on ends the program if one of several files cannot be read"
        ),
    ]

    /// Creates a setting for reading files, whose names follow from its key.
    private static func reading(
        _ key: Key,
        as placeholder: String,
        standard: String = "detected",
        _ summary: String
    ) -> Option {
        let name = key.rawValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
        }
        return Option(
            key: key,
            flag: "--\(name)",
            variable: "ROSTER_" + name.uppercased().replacing("-", with: "_"),
            placeholder: placeholder,
            standard: standard,
            summary: summary
        )
    }

    /// The settings of timeouts, sizes, reading times and queues.
    static let limits: [Option] = [
        Option(
            key: .headTimeout,
            flag: "--head-timeout",
            variable: "ROSTER_HEAD_TIMEOUT",
            placeholder: "SECONDS",
            standard: "10",
            summary: "maximum wait for the head of a request, 1...600; then 408"
        ),
        Option(
            key: .bodyTimeout,
            flag: "--body-timeout",
            variable: "ROSTER_BODY_TIMEOUT",
            placeholder: "SECONDS",
            standard: "10",
            summary: "maximum wait for more of a body, 1...600; then 408"
        ),
        Option(
            key: .idleTimeout,
            flag: "--idle-timeout",
            variable: "ROSTER_IDLE_TIMEOUT",
            placeholder: "SECONDS",
            standard: "75",
            summary:
                "time to keep an idle connection, 1...3600; set it longer than that of the proxy"
        ),
        Option(
            key: .writeTimeout,
            flag: "--write-timeout",
            variable: "ROSTER_WRITE_TIMEOUT",
            placeholder: "SECONDS",
            standard: "20",
            summary: "maximum wait for a client to read, 1...600; then the connection is reset"
        ),
        Option(
            key: .bodyLimit,
            flag: "--body-limit",
            variable: "ROSTER_BODY_LIMIT",
            placeholder: "KIBIBYTES",
            standard: "1024",
            summary: "maximum size of a body other than an import, 1...1048576; then 413"
        ),
        Option(
            key: .rowsTime,
            flag: "--rows-time",
            variable: "ROSTER_ROWS_TIME",
            placeholder: "MILLISECONDS",
            standard: "10000",
            summary: "maximum time to read rows, 10...20000; then 503"
        ),
        Option(
            key: .countsTime,
            flag: "--counts-time",
            variable: "ROSTER_COUNTS_TIME",
            placeholder: "MILLISECONDS",
            standard: "50",
            summary: "maximum time to count the rows of a page, 1...5000; then counts are null"
        ),
        Option(
            key: .facetsTime,
            flag: "--facets-time",
            variable: "ROSTER_FACETS_TIME",
            placeholder: "MILLISECONDS",
            standard: "50",
            summary: "maximum time for the facets of a page, 1...5000; then the page has none"
        ),
        Option(
            key: .readQueue,
            flag: "--read-queue",
            variable: "ROSTER_READ_QUEUE",
            placeholder: "NUMBER",
            standard: "1000",
            summary: "maximum number of waiting reads of a client, 0...10000; more get 503"
        ),
        Option(
            key: .writeQueue,
            flag: "--write-queue",
            variable: "ROSTER_WRITE_QUEUE",
            placeholder: "MEBIBYTES",
            standard: "64",
            summary: "maximum size of writes that wait for others, 0...4096; more get 503"
        ),
        Option(
            key: .writeWait,
            flag: "--write-wait",
            variable: "ROSTER_WRITE_WAIT",
            placeholder: "SECONDS",
            standard: "5",
            summary: "maximum time that a write waits for another writer, 1...600; then 503"
        ),
    ]
}

extension Option {
    /// The settings of tables of databases.
    private static let tables: [Option] = [
        Option(
            key: .key,
            flag: "--key",
            variable: "ROSTER_KEY",
            placeholder: "LIST=COLUMN[,COLUMN]",
            standard: "that of the table",
            summary: "columns that identify the rows of a table or file"
        ),
        Option(
            key: .only,
            flag: "--only",
            variable: "ROSTER_ONLY",
            placeholder: "LIST[,…]",
            standard: "all",
            summary: "tables and views of databases that are served; others are not"
        ),
        Option(
            key: .hide,
            flag: "--hide",
            variable: "ROSTER_HIDE",
            placeholder: "LIST[,…]",
            standard: "none",
            summary: "tables and views of databases that are not served"
        ),
    ]
}
