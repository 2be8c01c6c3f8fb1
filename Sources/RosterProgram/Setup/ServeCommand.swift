import HTTP
import HTTPServer
import ListAPI
import Listings
import Locks
import Rendering
import System

/// The run of the server, from its first log line to the last.
struct ServeCommand {
    private let configuration: Configuration
    private let title: String
    private let readConfiguration: Reloading.ReadConfiguration
    /// Receives the server when its port is bound and its lists are open.
    var onStart: @Sendable (HTTPServer) -> Void = { _ in }
    /// Whether SIGTERM, SIGINT and SIGHUP control the server.
    var handlesSignals = true
    /// Whether clients are distinguished by their addresses, also where no setting needs it.
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

    /// Serves until a stop signal.
    ///
    /// The port is bound first, so that a port in use is reported before a long import.
    ///
    /// - Throws: ``Failure``.
    func run(
        _ makeContents: () throws(Failure) -> ServiceContents
    ) throws(Failure) {
        Diagnostics.use(configuration.logFormat)
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
        if let path = configuration.logFile {
            do {
                try StandardError.redirect(to: path)
            } catch {
                throw Failure(.cannotCreate, Self.text(of: error, inLogFile: path))
            }
        }
        try Diagnostics.writeByThread()
        let notices = StateNotices(configuration)
        settings.eventLog = { event in
            Diagnostics.write(event)
            notices?.note(event)
        }
        settings.onIdle = { ProcessMemory.release() }
        if configuration.logsAccess {
            let log = AccessLog(configuration.logFormat)
            settings.accessLog = { log.add($0) }
        }
        let services = Locked<(main: ServiceStore, operations: ServiceStore)?>(nil)
        let reloads = ReloadState(assets: try assets())
        let cursorKeys = try CursorSecrets.keys(configuration)
        reloads.prepare { $0.middleware.take(configuration) }
        settings.identifiesPeers = identifiesPeers || configuration.identifiesClients
        let state = settings.state
        let hosts = Locked(
            (
                lists: configuration.allowedHosts, operations: configuration.allowedHosts
            )
        )
        let workers = ServiceWorkers(configuration.limits)
        @Sendable func madeServices() -> (main: ServiceStore, operations: ServiceStore) {
            guard let services = services.withLock({ $0 }) else {
                preconditionFailure("the server runs after its services are made")
            }
            return services
        }
        let operations = try operationsServer(of: settings) {
            var settings = reloads.current.middleware
            settings.basePath = .root
            settings.allowedHosts = hosts.withLock { $0.operations }
            return Middleware(APIHandler(madeServices().operations), settings, workers: workers)
        }
        settings.companions = operations.map { [$0] } ?? []
        let reloading = Locked<Reloading?>(nil)
        let reloadsWanted = Locked(0)
        settings.onHangup = { [path = configuration.logFile] in
            if let path { Self.reopen(path) }
            guard !state.isDraining, let reloading = reloading.withLock({ $0 }) else { return }
            // One reload at a time; requests during a reload cause one more.
            let isFirst = reloadsWanted.withLock { wanted in
                wanted += 1
                return wanted == 1
            }
            guard isFirst else { return }
            // A worker reloads, because reloads block on files and databases.
            let isTaken = workers.offer(.following) {
                while true {
                    let wanted = reloadsWanted.withLock { $0 }
                    notices?.report(.reloading)
                    reloading.reload()
                    notices?.report(.ready)
                    let isDone = reloadsWanted.withLock { now in
                        if now == wanted { now = 0 }
                        return now == 0
                    }
                    if isDone { return }
                }
            }
            if !isTaken { reloadsWanted.withLock { $0 = 0 } }
            if !isTaken { Diagnostics.write("no reload: too much is waiting; send SIGHUP again") }
        }
        let server: HTTPServer
        do {
            server = try HTTPServer(settings) { _ in
                var settings = reloads.current.middleware
                settings.allowedHosts = hosts.withLock { $0.lists }
                return Middleware(APIHandler(madeServices().main), settings, workers: workers)
            }
        } catch {
            throw Failure(error)
        }
        // A page that rebinds its own host name to this machine sends that name.
        if configuration.allowedHosts == nil {
            hosts.withLock { hosts in
                if server.addresses.allSatisfy(\.isLoopback) { hosts.lists = .thisMachine }
                let isLocal = operations?.addresses.allSatisfy(\.isLoopback) ?? false
                if isLocal { hosts.operations = .thisMachine }
            }
        }
        let contents = try makeContents()
        let firstSegment = configuration.basePath.firstSegment
        guard firstSegment != "-" else {
            throw Failure(
                .configuration,
                "--base-path: \(configuration.basePath.text) is at the addresses of the service "
                    + "itself; name another path"
            )
        }
        if let list = contents.lists.first(where: { $0.name == firstSegment }) {
            throw Failure(
                .configuration,
                "--base-path: \(configuration.basePath.text) is at the address of the list "
                    + "'\(list.name)'; name another path or another list"
            )
        }
        var options = try options(for: contents)
        options.cursorKeys = cursorKeys
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
        options.lists = contents.board
        options.optionalLists = try optionalLists(among: contents.lists)
        if let access = options.access { contents.board?.follow(with: access) }
        options.serverTotals = { state.totals }
        options.operations = operations == nil ? .besideLists : .elsewhere
        reloads.prepare { [options] in $0.options = options }
        let made = try makeServices(of: contents.lists, reloads) { state.isDraining }
        services.replace(with: made)
        reloading.replace(with: Reloading(reloads, configuration, contents, readConfiguration))
        // Imports and counts that are incomplete by then are cancelled.
        defer {
            options.imports.stop()
            workers.stop()
        }
        onStart(server)
        announce(contents, at: server.addresses)
        for address in operations?.addresses ?? [] {
            Diagnostics.write("operations at http://\(address)/-/metrics")
        }
        notices?.report(.ready)
        let watchdog = try notices?.watch(server)
        defer { withExtendedLifetime(watchdog) {} }
        do {
            let ending = try server.run()
            withExtendedLifetime((contents.watcher, contents.indexBuilder)) {}
            guard ending == .drained else {
                throw Failure(.software, "stopped before all requests were finished")
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }

    private func makeServices(
        of lists: [ListDefinition],
        _ reloads: ReloadState,
        isDraining: @escaping @Sendable () -> Bool
    ) throws(Failure) -> (main: ServiceStore, operations: ServiceStore) {
        let now = reloads.current
        var options = now.options
        (options.operations, options.writing) = (.alone, .nobody)
        do {
            let main = try ServiceStore(
                lists,
                assets: now.assets,
                options: now.options,
                reloads: reloads,
                isDraining: isDraining
            )
            try main.open()
            return (main, try ServiceStore(lists, options: options, isDraining: isDraining))
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }

    private func optionalLists(among lists: [ListDefinition]) throws(Failure) -> Set<String> {
        let names = lists.map(\.name)
        for name in configuration.optionalLists where !names.contains(name) {
            let hint = Suggestion.hint(for: name, among: names)
            throw Failure(.usage, "--optional: no list '\(name)'\(hint)")
        }
        return Set(configuration.optionalLists)
    }

    /// Returns the server for operators, if it has a port of its own.
    private func operationsServer(
        of main: HTTPServer.Configuration,
        makeGateway: @escaping @Sendable () throws -> Middleware
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
        do {
            return try HTTPServer(settings) { _ in try makeGateway() }
        } catch {
            let failure = Failure(error)
            throw Failure(failure.code, "--operations-port: \(failure.text)")
        }
    }

    /// Reopens the log file, after the pending lines of the old one.
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
        options.templates = try TemplateFolder.read(configuration.templates, contents.controllers)
        options.rowControllers = options.templates.listing(of: contents.controllers)
        // Authors of templates need the row controllers.
        if configuration.listsControllers ?? (configuration.templates != nil) {
            for line in options.rowControllers {
                Diagnostics.write("rows: \(line)")
            }
        }
        return options
    }

    private func assets() throws(Failure) -> AssetLibrary {
        let frame = try configuration.pages.frame()
        guard let folder = configuration.publicFolder else {
            return try AssetLibrary().framed(by: frame)
        }
        let assets = try AssetLibrary(folder: folder)
        for path in assets.skipped {
            Diagnostics.write(
                "--public: \(path) is not served: it is no file, or a link out of the folder"
            )
        }
        return try assets.framed(by: frame)
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
            for list in contents.lists {
                let path = Address(under: configuration.basePath).list(list.name)
                let place =
                    address.isUnixSocket ? "\(address), \(path)" : "http://\(address)\(path)"
                Diagnostics.write("serving \(list.title) at \(place)")
            }
        }
    }
}

/// The lists of a service and their row controllers.
struct ServiceContents {
    /// The lists, in the order of the directory.
    var lists: [ListDefinition]
    /// The board of the lists, if their definitions may change.
    var board: ServedLists?
    var controllers: [RegistrationSummary]
    var routes: [ProgramRoute] = []
    /// The function of the program that identifies callers; nil without one.
    var identification: CallerIdentification?
    var notices: [String] = []
    /// The watcher of files, which lives as long as the service.
    var watcher: FileWatcher?
    /// The builder of missing indexes, which lives as long as the service.
    var indexBuilder: IndexBuilder?
}
