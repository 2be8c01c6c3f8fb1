package import Database
package import HTTP
package import ListAPI
import Listings
package import Rendering
import System
import TableFiles

/// The settings of the program.
///
/// Flags override environment variables, which override the settings file, which overrides
/// the values here.
package struct Configuration: Hashable, Sendable {
    package enum Command: Hashable, Sendable {
        case serve
        case help
        case version
        case health
        case settings(String)
        case explain
    }

    package var command = Command.serve
    /// The given values as written; for each setting that of the strongest layer.
    var given: [Setting: String] = [:]
    var notifySocket: NotifySocket?
    package var inheritedSockets = 0
    package var temporaryFolder = "/tmp"
    var descriptions: [DescribedList] = []

    /// The sources of the lists; empty for the sample users or the lists of a database.
    package var sources: [SourceArgument] = []
    package var host = "127.0.0.1"
    package var port: UInt16 = 8080
    /// The SQLite file to import into; nil keeps the lists in memory.
    package var database: String?
    /// A database that ends with the program, and its edits with it.
    static let memory = ":memory:"
    /// The size of files from which their lists are in a temporary file, in mebibytes.
    var memoryLimit = 256
    /// The maximum size of a file to which edits are written back, in mebibytes.
    package var saveLimit = 64
    /// The SQLite file of the history of changes; nil records none.
    package var history: String?
    package var historyDays = 365
    /// The maximum size of the history, in mebibytes.
    package var historyLimit = 1_024
    package var passwordFile: String?
    package var groupings: [GroupArgument] = []
    package var templates: String?
    package var refusesFailedRows = false
    /// Whether the program lists at its start the controllers and templates of rows; nil lists
    /// them if there are templates.
    package var listsControllers: Bool?
    /// The number of event loops; nil is one per core.
    package var loops: Int?
    /// The time between two requests to a remote source; nil requests it once.
    package var refresh: Duration? = .seconds(60)
    package var sourceFields: [SourceField] = []
    package var sourceFieldsFile: String?
    package var publicFolder: String?
    /// Nil allows all hosts, or only loopback hosts when the server listens on loopback.
    package var allowedHosts: AllowedHosts?
    package var crossOrigin: CrossOrigin?
    package var neutralisesFormulas = false
    package var logsAccess = false
    package var logFormat = LogFormat.text
    package var logFile: String?
    /// The address of metrics and other operations endpoints; nil uses that of the lists.
    var operations: OperationsAddress?
    /// The lists whose sources may be down while the server is ready.
    package var optionalLists: [String] = []
    /// Nil is a limit from the process's file descriptors.
    package var connections: Int?
    package var connectionsPerAddress: Int?
    package var streams = 10_000
    package var streamsPerAddress: Int?
    package var pageCacheMegabytes = 32
    package var drainDelay: Duration = .seconds(1)
    package var drainTimeout: Duration = .seconds(10)
    package var allowsWrites = false
    package var allowsAnonymousWrites = false
    package var requiresIfMatch = false
    /// The maximum size in mebibytes of a file imported over HTTP.
    package var importLimit = 1_024
    /// The token file; nil disables access control.
    package var tokens: String?
    package var allowsAnonymousReads = true
    package var trustedProxies = TrustedProxies()
    package var basePath = BasePath.root
    /// The requests a second for each client address; nil for no limit.
    package var rateLimit: Int?
    package var cursorSecret: String?
    package var cursorSecretFile: String?

    package var imports = ImportSettings()
    /// Whether one file that cannot be read ends the program.
    package var isStrict = false
    package var tables = TableSelection()
    package var relations = RelationArguments()
    package var pages = PageFrameSettings()
    package var describing: String?
    package var imageHosts = ImageHosts.empty
    var limits = ServingLimits()

    package init() {}

    var writing: WritePolicy {
        allowsAnonymousWrites || allowsWrites
            ? .everybody(requiresCondition: requiresIfMatch) : .nobody
    }

    /// The maximum bytes of such a file; nil if edits are not written to files.
    var maximumSavedBytes: Int? {
        database == nil && writing.isAllowed ? saveLimit << 20 : nil
    }

    var identifiesClients: Bool { rateLimit != nil || !trustedProxies.isEmpty }
}

/// The table of settings.
///
/// A setting is an entry here, a property of the configuration and the code that uses it. The help,
/// the manual page, completions and errors are generated from the entries, and a test compares the
/// page of settings with them.
extension Setting {
    package static let all = serving + clients + imports + lists + limits

    static let reading = imports.filter { $0.importing != nil }

    static let config = Setting("config", "FILE", "none")
        .help("file of further settings, NAME = VALUE on each line; # begins a comment")
    static let sources = Setting(
        "sources",
        .init("SOURCE[,…]", read: SourceArgument.list),
        \.sources
    )
    .help("sources for the settings file; those of the command line replace them")
    .with(.hidden, .ofSources)

    private static let serving: [Setting] = [
        config,
        sources,
        Setting("host", .host, \.host)
            .help("address to listen on; 0.0.0.0 or [::] for all; unix:PATH for a socket"),
        Setting("port", .number(0...65_535), \.port)
            .help("port to listen on, RANGE; 0 takes any free one"),
        Setting("database", .newFile, \.database, standard: "in memory")
            .help("SQLite file to import into and to serve; :memory: loses edits at the end")
            .with(.ofSources),
        Setting("password-file", .file, \.passwordFile)
            .help("file whose first line is the password of postgres:// sources")
            .with(.ofSources),
        Setting("group-by", .init("[LIST=]COLUMN[,…]", read: GroupArgument.list), \.groupings)
            .help("column that groups a list into sections; imported lists get an index of it")
            .with(.repeatable, .ofSources),
        Setting("templates", .folder, \.templates)
            .help("folder of templates: KIND.html, header-SECTION.html, footer-SECTION.html")
            .reloadable(),
        Setting("row-errors", .choice(["show": false, "refuse": true]), \.refusesFailedRows)
            .help("treatment of rows that cannot be shown: an error in the row, or for the page")
            .reloadable(),
        Setting(
            "controllers",
            .choice(["off": false, "list": true]),
            \.listsControllers,
            standard: "off"
        )
        .help("list prints the controller and template of each kind of rows at the start"),
        Setting("loops", .number(1...256), \.loops, standard: "one per core")
            .help("event loops, RANGE"),
        Setting("refresh", .secondsOrNever(through: 86_400), \.refresh)
            .help("time between requests to http(s) sources, RANGE; 0 requests once")
            .with(.ofSources),
        Setting("source-fields", .init("", read: SourceField.read), \.sourceFields)
            .help("header field for http(s) sources: [LIST=]NAME: VALUE, as in Accept: text/csv")
            .with(.secret, .ofSources),
        Setting("source-fields-file", .file, \.sourceFieldsFile)
            .help("file of such fields, one a line; # begins a comment")
            .with(.ofSources),
        Setting("public", .folder, \.publicFolder, standard: "those carried")
            .help("folder of public files; its style.css replaces the built-in one")
            .reloadable(),
    ]

    private static let clients: [Setting] = [
        Setting("allow-hosts", .hosts, \.allowedHosts, standard: "all, on loopback its own")
            .help("hosts that the server responds for; other hosts get 421")
            // The operations port uses the hosts of the start.
            .reloadable { old, new in
                old.allowedHosts != nil && new.allowedHosts != nil && old.operations == nil
            },
        Setting("cors", .origins, \.crossOrigin)
            .help("origins whose pages may read the responses, or * for all")
            .reloadable(),
        Setting(
            "csv-formulas",
            .choice(["keep": false, "neutralise": true]),
            \.neutralisesFormulas
        )
        .help("CSV texts that spreadsheets would run: keep, or neutralise by an apostrophe")
        .reloadable(),
        Setting("access-log", .onOff, \.logsAccess)
            .help("on writes a line for each response to standard error"),
        Setting("log-format", .choice(), \.logFormat)
            .help("format of the log; combined is Apache's format of access lines"),
        Setting("log-file", .newFile, \.logFile)
            .help("file that replaces standard error; SIGHUP opens it again"),
        Setting("operations-port", .operations, \.operations, standard: "that of the lists")
            .help("port of /-/metrics, /-/lists and probes for operators, RANGE"),
        Setting("optional", .names, \.optionalLists)
            .help("lists that may be unavailable while /-/ready responds 200"),
        Setting(
            "connections",
            .number(1...1_000_000),
            \.connections,
            standard: "descriptors less 64"
        )
        .help("maximum number of open connections; then idle ones are closed"),
        Setting(
            "connections-per-address",
            .number(1...1_000_000),
            \.connectionsPerAddress,
            standard: "any number"
        )
        .help("maximum number of connections of a client address; more are closed"),
        Setting("streams", .number(1...1_000_000), \.streams)
            .help("maximum number of event streams; more get 503"),
        Setting(
            "streams-per-address",
            .number(1...1_000_000),
            \.streamsPerAddress,
            standard: "any number"
        )
        .help("maximum number of event streams of a client address; more get 503"),
        Setting("page-cache", .number(0...65_536, in: "MEGABYTES"), \.pageCacheMegabytes)
            .help("memory for cached pages; 0 turns the cache off")
            .reloadable(),
        Setting("drain-delay", .seconds(0...3_600), \.drainDelay)
            .help("time after SIGTERM in which the server serves but is not ready, RANGE"),
        Setting("drain-timeout", .seconds(0...3_600), \.drainTimeout)
            .help("time to finish open requests before the program ends, RANGE"),
        Setting("allow-writes", .onOff, \.allowsWrites)
            .help("on lets identified clients write to lists")
            .with(.ofSources),
        Setting("allow-anonymous-writes", .onOff, \.allowsAnonymousWrites)
            .help("on lets every client write to lists")
            .with(.ofSources),
        Setting("save-limit", .number(1...1_024, in: "MEBIBYTES"), \.saveLimit)
            .help("maximum size of a file that edits are written back to")
            .with(.ofSources),
        Setting("history", .newFile, \.history)
            .help("SQLite file that records each change: caller, time, old and new values"),
        Setting("history-days", .number(1...36_500, in: "DAYS"), \.historyDays)
            .help("age beyond which entries of the history are removed")
            .needing("history"),
        Setting("history-limit", .number(1...1_048_576, in: "MEBIBYTES"), \.historyLimit)
            .help("size beyond which the oldest entries of the history are removed")
            .needing("history"),
        Setting("require-if-match", .onOff, \.requiresIfMatch)
            .help("on requires the entity tag of a row to change it; requests without get 428")
            .reloadable(),
        Setting("memory-limit", .number(0...1_048_576, in: "MEBIBYTES"), \.memoryLimit)
            .help("size of files beyond which lists without a database are on disk in TMPDIR")
            .with(.ofSources),
        Setting("import-limit", .number(1...1_048_576, in: "MEBIBYTES"), \.importLimit)
            .help("maximum size of a file imported over HTTP; it is stored in TMPDIR")
            .with(.ofSources),
        Setting("tokens", .file, \.tokens)
            .help("file of tokens and scopes, made by roster token; SIGHUP reads it again")
            .with(.ofCallers),
        Setting("anonymous", .choice(["none": false, "read": true]), \.allowsAnonymousReads)
            .help("rights of clients without a token, if there are tokens")
            .with(.ofCallers),
        // The server decides at the start whether it reads client addresses.
        Setting("trust-proxy", .proxies, \.trustedProxies)
            .help("proxies whose X-Forwarded-* fields are trusted; unix: for Unix sockets")
            .reloadable { old, _ in old.identifiesClients },
        Setting("base-path", .basePath, \.basePath)
            .help("path below which clients reach the service, as in /lists"),
        Setting("rate-limit", .number(1...100_000), \.rateLimit, standard: "any number")
            .help("requests a second of a client address; more get 429")
            .reloadable { old, _ in old.identifiesClients },
        Setting("cursor-secret", .text(""), \.cursorSecret)
            .help("secrets of cursors, one a line; the first signs, all are accepted")
            .with(.secret),
        Setting("cursor-secret-file", .file, \.cursorSecretFile)
            .help("file of such secrets, each of 32 bytes or more")
            .reloadable(),
    ]

    static let types = Setting(
        "types",
        "text|[LIST=]COLUMN=TYPE[,…]",
        "those of most values",
        importing: .types
    )
    .help("types of columns of files; text stores every value as spelled")

    private static let imports: [Setting] = [
        Setting("delimiter", .delimiter, importing: \.delimiter)
            .help("character between fields: comma, semicolon, tab, pipe, space or a sign"),
        Setting("quote", .quote, importing: \.quote)
            .help("character around fields: double, single or none"),
        Setting("comment", .comment, importing: \.comment)
            .help("sign at the beginning of lines that are no rows, as #, or none"),
        Setting("encoding", .encoding, importing: \.encoding)
            .help("encoding of text files, as in latin1; iconv --list prints all"),
        Setting("header", .choice(["yes": true, "no": false]), importing: \.hasHeader)
            .help("whether the first line names the columns"),
        Setting("skip-lines", .number(0...1_000_000), importing: \.skippedLines)
            .help("number of lines before the header, RANGE"),
        Setting("footer-lines", .number(0...1_000), importing: \.footerLines)
            .help("number of last lines that are no rows, such as totals; 0 keeps all"),
        Setting("decimal", .choice(["comma": true, "point": false]), importing: \.hasDecimalComma)
            .help("sign before decimals; with comma, 1.234,5 is a number"),
        Setting("thousands", .choice(), importing: \.thousands)
            .help("sign between thousands: comma, point, blank or apostrophe"),
        Setting("dates", .choice(), importing: \.dates)
            .help("order of dates in digits: dmy, mdy or ymd"),
        Setting("missing", "[LIST=]TEXT[,…]", "none", importing: .missing)
            .help("texts of fields that mean no value, as in NA,?,-"),
        types,
        Setting("rows-at", .text("PATH"), importing: \.rowsAt, standard: "found")
            .help("path of the rows in a JSON document, as in data.items"),
        Setting("extra-values", .choice(), importing: \.extraValues, standard: "error")
            .help("treatment of values after the last column: error, column or drop"),
        Setting("strict", .onOff, \.isStrict)
            .help("on ends the program if one of several files cannot be read")
            .with(.ofSources),
    ]

    private static let lists: [Setting] = [
        Setting(
            "key",
            .init("LIST=COLUMN[,COLUMN]", read: TableSelection.keys),
            \.tables.keys,
            standard: "that of the table"
        )
        .help("columns that identify the rows of a table or file")
        .with(.repeatable, .ofSources),
        Setting("only", .tables, \.tables.only, standard: "all")
            .help("tables and views of databases that are served; others are not")
            .with(.ofSources),
        Setting("hide", .tables, \.tables.hidden)
            .help("tables and views of databases that are not served")
            .with(.ofSources),
        Setting(
            "relate",
            .init("LIST.COLUMN=LIST[.COLUMN]", read: RelationArguments.keys),
            \.relations.keys,
            standard: "declared foreign keys"
        )
        .help("columns that name rows of another list, by id or a column")
        .with(.repeatable),
        Setting(
            "label",
            .init("LIST=COLUMN[+COLUMN][,…]", read: RelationArguments.labels),
            \.relations.labels,
            standard: "names, title, a text"
        )
        .help("columns that label rows, in titles and in other lists")
        .with(.repeatable),
        Setting("title", .text("TEXT"), \.pages.title, standard: "Lists")
            .help("title of the start page"),
        Setting("css", .file, \.pages.css)
            .help("CSS after the stylesheet of all pages")
            .reloadable(),
        Setting("logo", .file, \.pages.logo)
            .help("picture at the top of all pages: SVG, PNG, JPEG, GIF or WebP")
            .reloadable(),
        Setting("footer", .text("TEXT"), \.pages.footer)
            .help("text at the end of all pages, as in [Imprint](https://example.org/imprint)")
            .reloadable(),
        Setting("describe", .file, \.describing)
            .help("JSON file of titles, formats, relations and hidden columns of lists"),
        Setting("image-hosts", .imageHosts, \.imageHosts)
            .help("hosts whose images pages show; those of others are links"),
    ]

    private static let limits: [Setting] = [
        Setting("head-timeout", .seconds(1...600), \.limits.headTimeout)
            .help("maximum wait for the head of a request, RANGE; then 408"),
        Setting("body-timeout", .seconds(1...600), \.limits.bodyTimeout)
            .help("maximum wait for more of a body, RANGE; then 408"),
        Setting("idle-timeout", .seconds(1...3_600), \.limits.idleTimeout)
            .help("time to keep an idle connection, RANGE; set it longer than that of the proxy"),
        Setting("write-timeout", .seconds(1...600), \.limits.writeTimeout)
            .help("maximum wait for a client to read, RANGE; then the connection is reset"),
        Setting("body-limit", .number(1...1_048_576, in: "KIBIBYTES"), \.limits.bodyKibibytes)
            .help("maximum size of a body other than an import, RANGE; then 413"),
        Setting(
            "rows-time",
            .milliseconds(10...20_000),
            \.limits.readingTimes.rows,
            standard: "10000"
        )
        .help("maximum time to read rows, RANGE; then 503")
        .reloadable(),
        Setting(
            "counts-time",
            .milliseconds(1...5_000),
            \.limits.readingTimes.counts,
            standard: "50"
        )
        .help("maximum time to count the rows of a page, RANGE; then counts are null")
        .reloadable(),
        Setting(
            "facets-time",
            .milliseconds(1...5_000),
            \.limits.readingTimes.facets,
            standard: "50"
        )
        .help("maximum time for the facets of a page, RANGE; then the page has none")
        .reloadable(),
        Setting("read-queue", .number(0...10_000), \.limits.readQueue)
            .help("maximum number of waiting reads of a client, RANGE; more get 503"),
        Setting("write-queue", .number(0...4_096, in: "MEBIBYTES"), \.limits.writeQueue)
            .help("maximum size of writes that wait for others, RANGE; more get 503"),
        Setting("write-wait", .seconds(1...600), \.limits.writeWait)
            .help("maximum time that a write waits for another writer, RANGE; then 503"),
    ]
}
