package import Database
package import HTTP
package import ListAPI
import Listings
package import Rendering
import System

/// The settings of the program.
///
/// Flags override environment variables, which override the settings file, which overrides
/// defaults.
package struct Configuration: Hashable, Sendable {
    /// The action of the program.
    package enum Command: Hashable, Sendable {
        /// Serve lists.
        case serve
        /// Print the options.
        case help
        /// Print the version.
        case version
        /// Check whether a running server responds.
        case health
        /// Print this text: each setting, its value and its origin.
        case settings(String)
        /// Explain the access paths of the lists.
        case explain
    }

    /// The given values as written; for each setting that of the strongest layer.
    var given: [Option.Key: String] = [:]
    /// The service manager that started the process; nil without one.
    var notifySocket: NotifySocket?
    /// The action of the program.
    package var command = Command.serve
    /// The sources of the lists, of the command line or a setting; empty for the sample users or the lists of a database.
    package var sources: [SourceArgument] = []
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes any free one.
    package var port: UInt16 = 8080
    /// The SQLite file to import into; nil keeps the lists in memory.
    package var database: String?
    /// The file with the password of PostgreSQL databases; nil uses that in their URLs.
    package var passwordFile: String?
    /// The columns that group lists into sections.
    package var groupings: [GroupArgument] = []
    /// The settings for importing files.
    package var imports = ImportSettings()
    /// Whether one file that cannot be read ends the program.
    package var isStrict = false
    /// The tables of databases that are served, and their keys.
    package var tables = TableSelection()
    /// The foreign keys of lists, and the columns that label their rows.
    package var relations = RelationArguments()
    /// The file that describes lists; nil for none.
    package var describing: String?
    /// The descriptions of lists in that file.
    var descriptions: [DescribedList] = []
    /// The folder of the templates; nil renders all rows from their cells.
    package var templates: String?
    /// Whether the program lists at its start the controllers and templates of rows; nil lists
    /// them if there are templates.
    package private(set) var listsControllers: Bool?
    /// Whether a row that cannot be shown refuses the whole page.
    package var refusesFailedRows = false
    /// The number of event loops; nil is one per core.
    package var loops: Int?
    /// The time between two requests to a remote source; nil requests it once.
    package var refresh: Duration? = .seconds(60)
    /// The header fields for http(s) sources.
    package var sourceFields: [SourceField] = []
    /// The file of further header fields.
    package var sourceFieldsFile: String?
    /// The folder of public files; nil for the built-in ones.
    package var publicFolder: String?
    /// The hosts that the server serves.
    ///
    /// Nil allows all hosts, or only loopback hosts when the server listens on loopback.
    package var allowedHosts: AllowedHosts?
    /// The hosts whose images pages show.
    package var imageHosts = ImageHosts.empty
    /// The parts of all pages.
    package var pages = PageSettings()
    /// The origins whose pages may read responses; nil for none.
    package var crossOrigin: CrossOrigin?
    /// Whether CSV text that a spreadsheet would run as a formula is neutralised.
    package var neutralisesFormulas = false
    /// Whether every response is logged.
    package var logsAccess = false
    package var logFormat = LogFormat.text
    /// The port of metrics and other operations endpoints; nil uses that of the lists.
    package var operationsPort: UInt16?
    /// The lists whose sources may be down while the server is ready.
    package var optionalLists: [String] = []
    /// The address that the operations port is bound to; nil is that of the lists.
    package var operationsHost: String?
    /// The file that replaces standard error.
    package var logFile: String?
    /// The maximum number of connections; nil for a limit from the process's file descriptors.
    package var connections: Int?
    /// The maximum number of connections for each client address; nil for no limit.
    package var connectionsPerAddress: Int?
    /// The maximum number of event streams.
    package var streams = 10_000
    /// The maximum number of event streams for each client address; nil for no limit.
    package var streamsPerAddress: Int?
    /// The memory for cached pages of all loops together.
    package var pageCacheMegabytes = 32
    /// The time after the stop signal in which connections are still accepted.
    package var drainDelay: Duration = .seconds(1)
    /// The time that connections get to finish.
    package var drainTimeout: Duration = .seconds(10)
    /// The number of sockets that were opened before the program started.
    package var inheritedSockets = 0

    /// The limits of requests.
    var limits = ServingLimits()

    /// The token file; nil disables access control.
    package var tokens: String?
    /// Whether anonymous callers may read.
    package var allowsAnonymousReads = true
    /// The proxies whose fields about their clients are trusted.
    package var trustedProxies = TrustedProxies()
    /// The path below which clients reach the service.
    package var basePath = BasePath.root
    /// The requests a second for each client address; nil for no limit.
    package var rateLimit: Int?
    /// Whether authenticated callers may write.
    package var allowsWrites = false
    /// Whether anonymous callers may write.
    package var allowsAnonymousWrites = false
    /// Whether changing a row requires its entity tag.
    package var requiresIfMatch = false

    /// The maximum size in mebibytes of a file imported over HTTP.
    package var importLimit = 1_024
    /// The folder that stores such a file during the import.
    package var temporaryFolder = "/tmp"

    /// The secrets that sign cursors, one in each line.
    package var cursorSecret: String?
    package var cursorSecretFile: String?

    package init() {}

    /// The write policy of lists.
    var writing: WritePolicy {
        allowsAnonymousWrites || allowsWrites
            ? .everybody(requiresCondition: requiresIfMatch) : .nobody
    }

    /// Applies the value of a setting.
    ///
    /// - Throws: ``ConfigurationError`` with the name of the origin.
    mutating func set(
        _ option: Option,
        to value: String,
        origin: String
    ) throws(ConfigurationError) {
        switch option.key {
        case .config: break  // It was read before any setting was taken.
        case .sources:
            sources = []
            for part in value.split(separator: ",", omittingEmptySubsequences: false) {
                let text = String(ParsedOption.trimmed(part))
                guard !text.isEmpty else {
                    let allowed = "sources, as in people.csv, shop.db"
                    throw .invalidValue(origin, value: value, allowed: allowed)
                }
                sources.append(try SourceArgument(text))
            }
        case .host:
            host = try Self.host(value, origin)
        case .port:
            port = UInt16(try Self.number(value, origin, 0...65_535))
        case .database:
            guard !value.isEmpty else { throw .missingValue(origin) }
            database = value
        case .passwordFile:
            guard !value.isEmpty else { throw .missingValue(origin) }
            passwordFile = value
        case .groupBy:
            for part in value.split(separator: ",", omittingEmptySubsequences: false) {
                groupings.append(try GroupArgument(String(part), origin: origin))
            }
        case .delimiter, .quote, .encoding, .header, .skipLines, .footerLines, .decimal, .missing,
            .types, .rowsAt, .extraValues:
            try imports.set(option.key, to: value, origin: origin)
        case .strict: isStrict = try Self.isOn(value, origin)
        case .templates:
            guard !value.isEmpty else { throw .missingValue(origin) }
            templates = value
        case .rowErrors:
            switch value {
            case "show": refusesFailedRows = false
            case "refuse": refusesFailedRows = true
            default: throw .invalidValue(origin, value: value, allowed: "show or refuse")
            }
        case .controllers:
            let isOn = ["list": true, "off": false][value]
            let allowed = "off or list"
            listsControllers = try Self.read(isOn, of: value, origin: origin, allowed: allowed)
        case .loops:
            loops = try Self.number(value, origin, 1...256)
        case .refresh:
            let number = try Self.number(value, origin, 0...86_400)
            refresh = number == 0 ? nil : .seconds(number)
        case .sourceFields: sourceFields = try SourceField.read(value, origin: origin)
        case .sourceFieldsFile:
            guard !value.isEmpty else { throw .missingValue(origin) }
            sourceFieldsFile = value
        case .publicFolder:
            guard !value.isEmpty else { throw .missingValue(origin) }
            publicFolder = value
        case .optional:
            optionalLists = value.split(separator: ",").map(String.init)
        case .allowedHosts:
            let allowed = "hosts such as lists.example.org, with commas between"
            let hosts = AllowedHosts(value)
            allowedHosts = try Self.read(hosts, of: value, origin: origin, allowed: allowed)
        case .title, .css, .logo, .footer: try pages.set(option.key, to: value, origin: origin)
        case .imageHosts:
            let allowed = "hosts such as cdn.example.org, with commas between"
            let hosts = ImageHosts(value)
            imageHosts = try Self.read(hosts, of: value, origin: origin, allowed: allowed)
        case .crossOrigin:
            let allowed = "* or origins such as https://example.org, with commas between"
            let origins = CrossOrigin(value)
            crossOrigin = try Self.read(origins, of: value, origin: origin, allowed: allowed)
        case .csvFormulas:
            let choice = ["keep": false, "neutralise": true][value]
            let allowed = "keep or neutralise"
            neutralisesFormulas = try Self.read(choice, of: value, origin: origin, allowed: allowed)
        case .accessLog: logsAccess = try Self.isOn(value, origin)
        case .logFormat:
            let format = LogFormat(rawValue: value)
            let allowed = "text, json or combined"
            logFormat = try Self.read(format, of: value, origin: origin, allowed: allowed)
        case .operationsPort:
            let colon = value.lastIndex(of: ":")
            let port = colon.map { String(value[value.index(after: $0)...]) } ?? value
            operationsPort = UInt16(try Self.number(port, origin, 0...65_535))
            guard let colon else { break }
            let address = String(value[..<colon])
            guard address.hasPrefix("[") == address.contains(":") else {
                let allowed = "NUMBER, ADDRESS:NUMBER or [IPV6]:NUMBER"
                throw .invalidValue(origin, value: value, allowed: allowed)
            }
            operationsHost = try Self.host(address, origin)
        case .logFile:
            guard !value.isEmpty else { throw .missingValue(origin) }
            logFile = value
        case .connections: connections = try Self.number(value, origin, 1...1_000_000)
        case .connectionsPerAddress:
            connectionsPerAddress = try Self.number(value, origin, 1...1_000_000)
        case .streams: streams = try Self.number(value, origin, 1...1_000_000)
        case .streamsPerAddress:
            streamsPerAddress = try Self.number(value, origin, 1...1_000_000)
        case .pageCache: pageCacheMegabytes = try Self.number(value, origin, 0...65_536)
        case .drainDelay: drainDelay = .seconds(try Self.number(value, origin, 0...3_600))
        case .drainTimeout: drainTimeout = .seconds(try Self.number(value, origin, 0...3_600))
        case .headTimeout, .bodyTimeout, .idleTimeout, .writeTimeout, .bodyLimit, .rowsTime,
            .countsTime, .facetsTime, .readQueue, .writeQueue, .writeWait:
            try limits.set(option.key, to: value, origin: origin)
        case .allowWrites: allowsWrites = try Self.isOn(value, origin)
        case .allowAnonymousWrites: allowsAnonymousWrites = try Self.isOn(value, origin)
        case .tokens:
            guard !value.isEmpty else { throw .missingValue(origin) }
            tokens = value
        case .anonymous:
            let reads = ["read": true, "none": false][value]
            let allowed = "none or read"
            allowsAnonymousReads = try Self.read(reads, of: value, origin: origin, allowed: allowed)
        case .trustProxy:
            do {
                trustedProxies = try TrustedProxies(value)
            } catch {
                throw .invalidValue(origin, value: error.part, allowed: error.allowed)
            }
        case .basePath:
            let path = BasePath(value)
            basePath = try Self.read(path, of: value, origin: origin, allowed: BasePath.allowed)
        case .rateLimit: rateLimit = try Self.number(value, origin, 1...100_000)
        case .cursorSecret: cursorSecret = value
        case .cursorSecretFile:
            guard !value.isEmpty else { throw .missingValue(origin) }
            cursorSecretFile = value
        case .importLimit: importLimit = try Self.number(value, origin, 1...1_048_576)
        case .requireIfMatch: requiresIfMatch = try Self.isOn(value, origin)
        case .key: try tables.addKeys(value, origin: origin)
        case .only: tables.only = try TableSelection.names(value, origin: origin)
        case .hide: tables.hidden = try TableSelection.names(value, origin: origin)
        case .relate: relations.keys += try RelationArguments.keys(value, origin: origin)
        case .label: try relations.addLabels(value, origin: origin)
        case .describe:
            guard !value.isEmpty else { throw .missingValue(origin) }
            describing = value
        }
    }

    private static func isOn(_ text: String, _ origin: String) throws(ConfigurationError) -> Bool {
        try read(["on": true, "off": false][text], of: text, origin: origin, allowed: "on or off")
    }

    /// Returns a parsed value, or throws the error of an invalid one.
    private static func read<Value>(
        _ value: Value?,
        of text: String,
        origin: String,
        allowed: String
    ) throws(ConfigurationError) -> Value {
        guard let value else { throw .invalidValue(origin, value: text, allowed: allowed) }
        return value
    }

    /// Reads an address to listen on; IPv6 may be in brackets, as in URLs.
    private static func host(
        _ value: String,
        _ origin: String
    ) throws(ConfigurationError) -> String {
        let isBracketed = value.hasPrefix("[") && value.hasSuffix("]")
        let host = isBracketed ? String(value.dropFirst().dropLast()) : value
        guard !host.isEmpty else { throw .missingValue(origin) }
        return host
    }

    static func number(
        _ text: String,
        _ origin: String,
        _ range: ClosedRange<Int>,
        of unit: String? = nil
    ) throws(ConfigurationError) -> Int {
        guard let number = number(text), range.contains(number) else {
            let noun = unit.map { "number of \($0)" } ?? "number"
            let allowed = "a \(noun) from \(range.lowerBound) to \(range.upperBound)"
            throw .invalidValue(origin, value: text, allowed: allowed)
        }
        return number
    }

    private static func number(_ text: String) -> Int? {
        let isDigits = text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return isDigits ? Int(text) : nil
    }
}

extension Configuration {
    /// Reads the command line, the environment and the settings file that one of them names.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name.
    ///   - environment: The environment variables of the process.
    ///   - readFile: Reads the settings file.
    /// - Throws: ``ConfigurationError`` for the first invalid setting or argument.
    init(
        arguments: [String],
        environment: [String: String],
        readFile: (String) throws(Failure) -> String = { (path) throws(Failure) in
            try SettingsFile.text(of: path)
        }
    ) throws(ConfigurationError) {
        self.init()
        if let command = Self.question(in: arguments) {
            self.command = command
            return
        }
        let variables = try ParsedOption.read(environment)
        let words = try ServingArguments(arguments)
        let flags = words.settings
        let file = (flags + variables).first { $0.option.key == .config }
        var lines: [ParsedOption] = []
        if let file { lines = try Self.lines(file, readFile) }
        let layers = [lines, variables, flags]
        for layer in layers {
            // Groupings of this layer replace those of weaker layers.
            if layer.contains(where: { $0.option.key == .groupBy }) { groupings = [] }
            if layer.contains(where: { $0.option.key == .key }) { tables.keys = [:] }
            if layer.contains(where: { $0.option.key == .relate }) { relations.keys = [] }
            if layer.contains(where: { $0.option.key == .label }) { relations.labels = [:] }
            for setting in layer {
                try set(setting.option, to: setting.value, origin: setting.name)
            }
        }
        given = Self.strongest(layers)
        let named = sources
        if !words.sources.isEmpty { sources = words.sources }
        if let folder = environment["TMPDIR"], !folder.isEmpty { temporaryFolder = folder }
        do {
            inheritedSockets = try InheritedListeners.count(in: environment)
        } catch {
            let value = environment["LISTEN_FDS"] ?? ""
            let allowed = "a number from 1 to 256"
            throw .invalidValue("LISTEN_FDS", value: value, allowed: allowed)
        }
        notifySocket = try Self.notifySocket(environment)
        if tokens == nil {
            if allowsWrites, !allowsAnonymousWrites { throw .nobodyMayWrite }
            if !allowsAnonymousReads { throw .nobodyMayRead }
        }
        switch words.wish {
        case .serve: break
        case .health: command = .health
        case .explain: command = .explain
        case .settings:
            command = .settings(SettingsReport.text(layers, words.sources, named: named))
            try checkFiles()
        }
    }

    /// Checks that the files and folders that settings name can be read.
    private func checkFiles() throws(ConfigurationError) {
        for option in Option.all where ![.config, .database, .logFile].contains(option.key) {
            let isFile = option.placeholder == "FILE"
            guard isFile || option.placeholder == "FOLDER", let path = given[option.key],
                let reason = FileAccess.reason(path, isForWriting: false),
                isFile || reason != .isFolder
            else { continue }
            let flag = option.flag ?? option.variable
            throw .unreadableFile(Failure(.noInput, "\(flag): \(path): \(reason.text)"))
        }
    }

    /// Returns the value of each setting in the strongest layer that has it.
    private static func strongest(_ layers: [[ParsedOption]]) -> [Option.Key: String] {
        layers.reduce(into: [:]) { given, layer in
            // The settings file stays the same while the program runs.
            let further = layer.filter { $0.option.key != .config }
            let values = Dictionary(grouping: further, by: \.option.key)
            given.merge(values.mapValues { $0.map(\.value).joined(separator: ",") }) { $1 }
        }
    }

    private static func notifySocket(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> NotifySocket? {
        do {
            return try NotifySocket(environment: environment)
        } catch {
            switch error {
            case .invalidSocket(let value):
                let allowed = "an absolute path or @ and a name, of at most 107 bytes"
                throw .invalidValue("NOTIFY_SOCKET", value: value, allowed: allowed)
            case .invalidWatchdog(let value):
                let minimum = NotifySocket.minimumWatchdogTime
                let allowed = "a number of microseconds, \(minimum) or more"
                throw .invalidValue("WATCHDOG_USEC", value: value, allowed: allowed)
            }
        }
    }

    private static func lines(
        _ file: ParsedOption,
        _ readFile: (String) throws(Failure) -> String
    ) throws(ConfigurationError) -> [ParsedOption] {
        guard !file.value.isEmpty else { throw .missingValue(file.origin) }
        let text: String
        do { text = try readFile(file.value) } catch { throw .unreadableFile(error) }
        return try ParsedOption.read(text, of: file.value)
    }

    /// Returns `help` or `version` if requested, so that they work despite invalid arguments.
    private static func question(in arguments: [String]) -> Command? {
        for argument in arguments.prefix(while: { $0 != "--" }) {
            switch argument {
            case "--help", "-h": return .help
            case "--version", "-V", "-v": return .version
            default: continue
            }
        }
        return nil
    }
}

/// Settings that a running program can adopt.
extension Configuration {
    /// Adopts a setting of another configuration.
    ///
    /// - Returns: Whether that is possible without a restart.
    mutating func take(_ key: Option.Key, from other: Configuration) -> Bool {
        switch key {
        case .templates: templates = other.templates
        case .publicFolder: publicFolder = other.publicFolder
        case .css: pages.css = other.pages.css
        case .logo: pages.logo = other.pages.logo
        case .footer: pages.footer = other.pages.footer
        case .rowErrors: refusesFailedRows = other.refusesFailedRows
        case .csvFormulas: neutralisesFormulas = other.neutralisesFormulas
        case .crossOrigin: crossOrigin = other.crossOrigin
        case .pageCache: pageCacheMegabytes = other.pageCacheMegabytes
        case .requireIfMatch: requiresIfMatch = other.requiresIfMatch
        case .cursorSecretFile: cursorSecretFile = other.cursorSecretFile
        case .rowsTime: limits.readingTimes.rows = other.limits.readingTimes.rows
        case .countsTime: limits.readingTimes.counts = other.limits.readingTimes.counts
        case .facetsTime: limits.readingTimes.facets = other.limits.readingTimes.facets
        case .allowedHosts where allowedHosts != nil && other.allowedHosts != nil:
            // The operations port uses the hosts of the start.
            guard operationsPort == nil else { return false }
            allowedHosts = other.allowedHosts
        // The server decides at the start whether it reads client addresses.
        case .rateLimit where identifiesClients: rateLimit = other.rateLimit
        case .trustProxy where identifiesClients: trustedProxies = other.trustedProxies
        default: return false
        }
        given[key] = other.given[key]
        return true
    }

    /// Whether clients are distinguished by their addresses.
    var identifiesClients: Bool { rateLimit != nil || !trustedProxies.isEmpty }
}

extension ServiceOptions {
    /// Adopts the settings of a service, except the contents of files.
    mutating func take(_ configuration: Configuration) {
        isStrict = configuration.refusesFailedRows
        formulas = configuration.neutralisesFormulas ? .neutralised : .kept
        writing = configuration.writing
        crossOrigin = configuration.crossOrigin
        imageHosts = configuration.imageHosts.union(configuration.pages.declared.imageHosts)
        readingTimes = configuration.limits.readingTimes
        limitsRate = configuration.rateLimit != nil
        let loops = configuration.loops ?? Processors.usableCount
        pageCacheBytes = configuration.pageCacheMegabytes * 1_048_576 / loops
    }
}

extension Middleware.Settings {
    /// Adopts the settings of a gateway.
    mutating func take(_ configuration: Configuration) {
        crossOrigin = configuration.crossOrigin
        notesAnswers = configuration.logsAccess
        if configuration.rateLimit != rateLimits?.perSecond {
            rateLimits = configuration.rateLimit.map { RateLimits(perSecond: $0) }
        }
        trustedProxies = configuration.trustedProxies
        basePath = configuration.basePath
        if let hosts = configuration.allowedHosts { allowedHosts = hosts }
    }
}
