package import Database
package import HTTP
import Sockets

/// What the program was asked to do: flags before environment variables before the file of settings
/// before defaults.
package struct Configuration: Hashable, Sendable {
    /// What to do instead of serving, or serve.
    package enum Command: Hashable, Sendable {
        /// Serve lists.
        case serve
        /// Print the options.
        case help
        /// Print the version.
        case version
        /// Ask a running server whether it lives.
        case health
        /// Print this text: each setting, its value and where it is said.
        case settings(String)
        /// Tell how the lists are read.
        case explain
    }

    /// The values that were given, as they are written; the strongest of each setting.
    var given: [Option.Key: String] = [:]
    /// The service manager that started the process; nil without one.
    var notifySocket: NotifySocket?
    /// What to do.
    package var command = Command.serve
    /// Where the lists come from; empty for the sample users, or for what a database holds.
    package var sources: [SourceArgument] = []
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes any free one.
    package var port: UInt16 = 8080
    /// The SQLite file to import into; nil keeps the lists in memory.
    package var database: String?
    /// The file with the password of PostgreSQL databases; nil leaves it to their addresses.
    package var passwordFile: String?
    /// The columns that cut lists into sections.
    package var groupings: [GroupArgument] = []
    /// The choices by which files become lists.
    package var importOptions = ImportOptions()
    /// The folder of the templates; nil draws all rows by their own cells.
    package var templates: String?
    /// Whether the start tells what draws which rows.
    package private(set) var listsControllers = false
    /// Whether a page with a row that cannot be shown is refused.
    package var refusesFailedRows = false
    /// The number of event loops; nil is one per core.
    package var loops: Int?
    /// The time between two questions to a remote source; nil asks once.
    package var refresh: Duration? = .seconds(60)
    /// The fields that are sent to http(s) sources.
    package var sourceFields: [SourceField] = []
    /// The file of further such fields.
    package var sourceFieldsFile: String?
    /// The folder of public files; nil for those the program carries.
    package var publicFolder: String?
    /// The hosts that are answered for; nil for all, and for those of this machine where only it is
    /// listened to.
    package var allowedHosts: AllowedHosts?
    /// The origins whose pages may read the answers; nil for none.
    package var crossOrigin: CrossOrigin?
    /// Whether texts that a spreadsheet would take for formulas are neutralised in CSV.
    package var neutralisesFormulas = false
    /// Whether every answer is logged.
    package var logsAccess = false
    /// How the log is written.
    package var logFormat = LogFormat.text
    /// The port at which operators are told what is measured and served; nil tells them at that of
    /// the lists.
    package var operationsPort: UInt16?
    /// The lists whose sources may be down while the server is ready.
    package var optionalLists: [String] = []
    /// The address that the operations port is bound to; nil is that of the lists.
    package var operationsHost: String?
    /// The file that takes the place of standard error.
    package var logFile: String?
    /// The most connections at once; nil for what the process may open.
    package var connections: Int?
    /// The most connections of a client address; nil for any number.
    package var connectionsPerAddress: Int?
    /// The most streams of events at once.
    package var streams = 10_000
    /// The most streams of events of a client address; nil for any number.
    package var streamsPerAddress: Int?
    /// The memory for pages that are sent again, of all loops together.
    package var pageCacheMegabytes = 32
    /// How long connections are taken once the program is told to end.
    package var drainDelay: Duration = .seconds(1)
    /// How long connections are given to finish.
    package var drainTimeout: Duration = .seconds(10)
    /// The sockets that were opened before the program was started.
    package var inheritedSockets = 0

    /// The limits of requests.
    var limits = ServingLimits()

    /// The file of who may do what; nil asks nobody who they are.
    package var tokens: String?
    /// Whether those may read who do not say who they are.
    package var allowsAnonymousReads = true
    /// The proxies whose fields about their clients are believed.
    package var trustedProxies = TrustedProxies()
    /// The path below which clients reach the service.
    package var basePath = BasePath.root
    /// The requests a second of one client address; nil for any number.
    package var rateLimit: Int?
    /// Whether callers who have said who they are may write.
    package var allowsWrites = false
    /// Whether everybody may write.
    package var allowsAnonymousWrites = false
    /// Whether a row is changed only for those who name its entity tag.
    package var requiresIfMatch = false

    /// The most mebibytes of a file that is imported over HTTP.
    package var importLimit = 1_024
    /// The folder that keeps such a file meanwhile.
    package var temporaryFolder = "/tmp"

    /// The secrets that sign cursors, one a line.
    package var cursorSecret: String?
    /// The file of such secrets.
    package var cursorSecretFile: String?

    /// Creates the configuration of nothing said.
    package init() {}

    /// Who may write.
    var writing: WritePolicy {
        allowsAnonymousWrites || allowsWrites
            ? .everybody(requiresCondition: requiresIfMatch) : .nobody
    }

    /// Takes the value of a setting.
    ///
    /// - Throws: ``ConfigurationError``, by the name of the origin.
    mutating func set(
        _ option: Option,
        to value: String,
        origin: String
    ) throws(ConfigurationError) {
        switch option.key {
        case .config: break  // It was read before any setting was taken.
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
        case .missing: try importOptions.setMissing(value, origin: origin)
        case .types: try importOptions.setTypes(value, origin: origin)
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
            .countsTime, .facetsTime, .readQueue, .writeQueue:
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
        }
    }

    private static func isOn(_ text: String, _ origin: String) throws(ConfigurationError) -> Bool {
        try read(["on": true, "off": false][text], of: text, origin: origin, allowed: "on or off")
    }

    /// The value read, or the refusal of what cannot be.
    private static func read<Value>(
        _ value: Value?,
        of text: String,
        origin: String,
        allowed: String
    ) throws(ConfigurationError) -> Value {
        guard let value else { throw .invalidValue(origin, value: text, allowed: allowed) }
        return value
    }

    /// Reads an address to listen on; IPv6 may come in the brackets it has in URLs.
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
