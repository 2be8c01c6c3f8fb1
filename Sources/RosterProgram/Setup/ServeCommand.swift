import HTTP
import HTTPServer
import ListAPI
import Listings
import Locks
import Rendering
import System

struct ServeCommand {
    private let configuration: Configuration
    private let title: String
    private let readConfiguration: Reloading.ReadConfiguration
    /// Receives the server when its port is bound and its lists are open.
    var onStart: @Sendable (HTTPServer) -> Void = { _ in }
    var handlesSignals = true
    var identifiesPeers = false

    init(
        _ configuration: Configuration,
        title: String,
        readConfiguration: @escaping Reloading.ReadConfiguration
    ) {
        self.configuration = configuration
        self.title = title
        self.readConfiguration = readConfiguration
    }

    private struct Parts {
        let notices: StateNotices?
        let reloads: ReloadState
        let cursorKeys: CursorKeys
        let workers: ServiceWorkers
        let requests: ReloadRequests
        let main: LateHandler
        let operations: LateHandler

        init(_ configuration: Configuration, assets: AssetLibrary) throws(Failure) {
            notices = StateNotices(configuration)
            reloads = ReloadState(assets: assets)
            cursorKeys = try CursorSecrets.keys(configuration)
            reloads.prepare { $0.middleware.take(configuration) }
            workers = ServiceWorkers(configuration.limits)
            requests = ReloadRequests(workers, notices)
            let hosts = configuration.allowedHosts
            main = LateHandler(hosts, reloads, workers)
            operations = LateHandler(hosts, reloads, workers, at: .root)
        }
    }

    /// The servers, whose ports are bound.
    private struct Servers {
        let main: HTTPServer
        /// Nil without a port of its own.
        let operations: HTTPServer?
        let state: HTTPServerState
    }

    /// Serves until a stop signal.
    ///
    /// The port is bound first, so that a port in use is reported before a long import.
    func run(
        _ makeContents: () throws(Failure) -> ServiceContents
    ) throws(Failure) {
        try openLog()
        let assets = try configuration.assets()
        for path in assets.skipped {
            Diagnostics.write(
                "--public: \(path) is not served: it is no file, or a link out of the folder"
            )
        }
        let parts = try Parts(configuration, assets: assets)
        let servers = try bind(parts)
        let contents = try makeContents()
        try checkBasePath(besides: contents.lists)
        var options = try options(for: contents)
        options.cursorKeys = parts.cursorKeys
        options.serverTotals = { [state = servers.state] in state.totals }
        options.operations = servers.operations == nil ? .besideLists : .elsewhere
        try open(contents, options, parts, servers.state)
        // Imports and counts that are incomplete by then are cancelled.
        defer {
            options.imports.stop()
            parts.workers.stop()
        }
        onStart(servers.main)
        announce(contents, at: servers.main.addresses)
        for address in servers.operations?.addresses ?? [] {
            Diagnostics.write("operations at http://\(address)/-/metrics")
        }
        Diagnostics.limitRate()
        parts.notices?.report(.ready)
        let watchdog = try parts.notices?.watch(servers.main)
        defer { withExtendedLifetime((watchdog, contents)) {} }
        try run(servers.main)
    }

    private func openLog() throws(Failure) {
        Diagnostics.use(configuration.logFormat)
        if let path = configuration.logFile {
            do {
                try StandardError.redirect(to: path)
            } catch {
                throw Failure(.cannotCreate, Self.text(of: error, inLogFile: path))
            }
        }
        try Diagnostics.writeByThread()
    }

    private func bind(_ parts: Parts) throws(Failure) -> Servers {
        var settings = settings(parts)
        let operations = try operationsServer(of: settings, parts.operations)
        settings.companions = operations.map { [$0] } ?? []
        let main = try bind(settings, parts.main)
        if configuration.allowedHosts == nil {
            parts.main.allowHosts(of: main)
            if let operations { parts.operations.allowHosts(of: operations) }
        }
        return Servers(main: main, operations: operations, state: settings.state)
    }

    private func settings(_ parts: Parts) -> HTTPServer.Configuration {
        var settings = HTTPServer.Configuration()
        settings.host = configuration.host
        settings.port = configuration.port
        settings.loops = configuration.loops
        settings.handlesSignals = handlesSignals
        settings.inheritedSockets = configuration.inheritedSockets
        settings.limits.maximumConnections = configuration.connections
        settings.limits.maximumConnectionsPerAddress = configuration.connectionsPerAddress
        settings.limits.maximumStreams = configuration.streams
        settings.limits.maximumStreamsPerAddress = configuration.streamsPerAddress
        if configuration.writing.isAllowed {
            settings.limits.maximumHandedBodyBytes = configuration.importLimit << 20
        }
        configuration.limits.apply(to: &settings.limits)
        settings.drainDelay = configuration.drainDelay
        settings.drainTimeout = configuration.drainTimeout
        settings.identifiesPeers = identifiesPeers || configuration.identifiesClients
        settings.eventLog = { [notices = parts.notices] event in
            Diagnostics.write(event)
            notices?.note(event)
        }
        settings.onIdle = { ProcessMemory.release() }
        if configuration.logsAccess {
            let log = AccessLog(configuration.logFormat)
            settings.accessLog = { log.add($0) }
        }
        let (path, state) = (configuration.logFile, settings.state)
        settings.onHangup = { [requests = parts.requests] in
            if let path { Self.reopen(path) }
            if !state.isDraining { requests.add() }
        }
        return settings
    }

    private func operationsServer(
        of main: HTTPServer.Configuration,
        _ handler: LateHandler
    ) throws(Failure) -> HTTPServer? {
        guard let address = configuration.operations else { return nil }
        var settings = HTTPServer.Configuration()
        let host = main.host.hasPrefix("unix:") ? "127.0.0.1" : main.host
        settings.host = address.host ?? host
        settings.port = address.port
        settings.loops = 1
        settings.handlesSignals = false
        configuration.limits.apply(to: &settings.limits)
        settings.limits.maximumConnections = 64
        settings.eventLog = main.eventLog
        do throws(Failure) {
            return try bind(settings, handler)
        } catch {
            throw Failure(error.code, "--operations-port: \(error.text)")
        }
    }

    private func bind(
        _ settings: HTTPServer.Configuration,
        _ handler: LateHandler
    ) throws(Failure) -> HTTPServer {
        do {
            return try HTTPServer(settings) { _ in handler.middleware }
        } catch {
            throw Failure(error)
        }
    }

    private func checkBasePath(besides lists: [ListDefinition]) throws(Failure) {
        let path = configuration.basePath
        guard path.firstSegment != "-" else {
            throw Failure(
                .configuration,
                "--base-path: \(path.text) is at the addresses of the service itself; name another "
                    + "path"
            )
        }
        if let list = lists.first(where: { $0.name == path.firstSegment }) {
            throw Failure(
                .configuration,
                "--base-path: \(path.text) is at the address of the list '\(list.name)'; name "
                    + "another path or another list"
            )
        }
    }

    private func run(_ server: HTTPServer) throws(Failure) {
        do {
            guard try server.run() == .drained else {
                throw Failure(.software, "stopped before all requests were finished")
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }

    private func open(
        _ contents: ServiceContents,
        _ options: ServiceOptions,
        _ parts: Parts,
        _ state: HTTPServerState
    ) throws(Failure) {
        parts.reloads.prepare { $0.options = options }
        let isDraining = { @Sendable in state.isDraining }
        var operatorOptions = options
        (operatorOptions.operations, operatorOptions.writing) = (.alone, .nobody)
        do {
            let main = try ServiceStore(
                contents.lists,
                assets: parts.reloads.current.assets,
                options: options,
                reloads: parts.reloads,
                isDraining: isDraining
            )
            try main.open()
            parts.main.open(main)
            parts.operations.open(
                try ServiceStore(contents.lists, options: operatorOptions, isDraining: isDraining)
            )
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
        parts.requests.open(
            Reloading(parts.reloads, configuration, contents, readConfiguration)
        )
    }

    private func optionalLists(among lists: [ListDefinition]) throws(Failure) -> Set<String> {
        let names = lists.map(\.name)
        for name in configuration.optionalLists where !names.contains(name) {
            let hint = Suggestion.hint(for: name, among: names)
            throw Failure(.usage, "--optional: no list '\(name)'\(hint)")
        }
        return Set(configuration.optionalLists)
    }

    private static func reopen(_ path: String) {
        StandardError.whenWritten {
            do throws(SystemError) {
                try StandardError.redirect(to: path)
            } catch {
                let text = text(of: error, inLogFile: path)
                Diagnostics.write("\(text); the old file stays in use", .error)
            }
        }
    }

    private static func text(of error: SystemError, inLogFile path: String) -> String {
        let reason = error.isWithoutReader ? "no program reads from it" : error.reason
        return "--log-file: \(path): \(reason)"
    }

    private func options(for contents: ServiceContents) throws(Failure) -> ServiceOptions {
        var options = ServiceOptions()
        options.title = configuration.pages.title ?? title
        options.take(configuration)
        options.importFolder = configuration.temporaryFolder
        options.relations = try configuration.relations.options(for: contents.lists)
        try options.readTemplates(configuration, contents)
        // Authors of templates need the row controllers.
        if configuration.listsControllers ?? (configuration.templates != nil) {
            for line in options.rowControllers {
                Diagnostics.write("rows: \(line)")
            }
        }
        if let path = configuration.tokens {
            options.access = try AccessPolicyStore(
                path,
                contents.lists,
                AccessPolicy.Openness(
                    reading: configuration.allowsAnonymousReads,
                    writing: configuration.allowsAnonymousWrites
                )
            )
        }
        if let identification = contents.identification {
            options.identification = identification
            options.access = AccessPolicyStore(identifying: contents.lists)
        }
        options.routes = contents.routes
        options.lists = contents.servedLists
        options.creation = contents.creation
        options.history = contents.history
        try contents.showHistory()
        options.optionalLists = try optionalLists(among: contents.lists)
        if let access = options.access { contents.servedLists?.follow(with: access) }
        return options
    }

    private func announce(_ contents: ServiceContents, at addresses: [HTTPServer.Address]) {
        for notice in contents.notices { Diagnostics.write(notice) }
        let lost = contents.lists.filter(\.about.isInMemory).map(\.name)
        if configuration.writing.isAllowed, !lost.isEmpty {
            let rest = lost.count > 5 ? " and \(lost.count - 5) more" : ""
            Diagnostics.write(
                "edits of \(lost.prefix(5).joined(separator: ", "))\(rest) stay in memory, and are "
                    + "lost when the server stops; --database FILE keeps them"
            )
        }
        if configuration.rateLimit != nil, !configuration.trustedProxies.containsUnixSockets,
            addresses.contains(where: \.isUnixSocket)
        {
            Diagnostics.write(
                "--rate-limit does not apply to the Unix socket: its clients have no addresses; "
                    + "--trust-proxy unix: takes them from the fields of a proxy"
            )
        }
        for address in addresses {
            if contents.lists.isEmpty, !address.isUnixSocket {
                let path = Address(under: configuration.basePath).directory
                Diagnostics.write("no list yet; make one at http://\(address)\(path)")
            }
            for list in contents.lists {
                let path = Address(under: configuration.basePath).list(list.name)
                let location =
                    address.isUnixSocket ? "\(address), \(path)" : "http://\(address)\(path)"
                Diagnostics.write("serving \(list.title) at \(location)")
            }
        }
    }
}
