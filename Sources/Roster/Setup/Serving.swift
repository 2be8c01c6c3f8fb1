import HTTP
import HTTPServer
import Listings
import Locks
import Rendering
import Sockets

/// Serves lists from the first line of the log to the last.
struct Serving {
    private let configuration: Configuration
    private let title: String

    /// Prepares to serve.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen and how to behave.
    ///   - title: The title of the page that leads to all lists.
    init(_ configuration: Configuration, title: String) {
        self.configuration = configuration
        self.title = title
    }

    /// Serves until a signal says stop.
    ///
    /// The port is taken first, so that one in use is told before a long import and not after it.
    ///
    /// - Parameter makeContents: Makes the lists.
    /// - Throws: ``Failure``.
    func run(
        _ makeContents: () throws(Failure) -> ServiceContents
    ) throws(Failure) {
        Diagnostics.use(configuration.logFormat)
        var settings = HTTPServer.Configuration()
        settings.host = configuration.host
        settings.port = configuration.port
        settings.loops = configuration.loops
        settings.inheritedSockets = configuration.inheritedSockets
        settings.limits.maximumConnections = configuration.connections
        settings.limits.maximumConnectionsPerAddress = configuration.connectionsPerAddress
        settings.limits.maximumStreams = configuration.streams
        settings.limits.maximumStreamsPerAddress = configuration.streamsPerAddress
        if configuration.writing.isAllowed {
            settings.limits.maximumHandedBodyBytes = configuration.importLimit << 20
        }
        settings.drainDelay = configuration.drainDelay
        settings.drainTimeout = configuration.drainTimeout
        if let path = configuration.logFile {
            do {
                try StandardError.redirect(to: path)
            } catch {
                throw Failure(.cannotCreate, "--log-file: \(path): \(error.reason)")
            }
        }
        let made = Locked<(lists: [ListDefinition], options: ServiceOptions)>(
            ([], ServiceOptions())
        )
        settings.eventLog = { event in Diagnostics.write(event) }
        settings.onRest = { ProcessMemory.release() }
        if configuration.logsAccess {
            let log = AccessLog(configuration.logFormat)
            settings.accessLog = { log.add($0) }
        }
        let assets = try assets()
        let cursorKeys = try CursorSecrets.keys(configuration)
        var gateway = Gateway.Settings()
        gateway.crossOrigin = configuration.crossOrigin
        gateway.notesAnswers = configuration.logsAccess
        gateway.rateLimits = configuration.rateLimit.map { RateLimits(perSecond: $0) }
        gateway.trustedProxies = configuration.trustedProxies
        gateway.basePath = configuration.basePath
        settings.tellsPeers = gateway.rateLimits != nil || !gateway.trustedProxies.isEmpty
        let state = settings.state
        let hosts = Locked(
            (
                lists: configuration.allowedHosts, operations: configuration.allowedHosts
            )
        )
        let operations = try operationsServer(of: settings) { [gateway] in
            var (lists, options) = made.withLock { $0 }
            options.operations = .alone
            options.writing = .nobody
            options.access = nil
            var gateway = gateway
            gateway.allowedHosts = hosts.withLock { $0.operations }
            gateway.basePath = .root
            return Gateway(
                try Service(lists, options: options, isDraining: { state.isDraining }),
                gateway
            )
        }
        settings.companions = operations.map { [$0] } ?? []
        // A list needs no other list's readers; the directory asks all of them.
        let workers = ServiceWorkers { list in
            var (lists, options) = made.withLock { $0 }
            options.thread = .ofWorker
            options.onlyList = list
            return try Service(
                lists,
                assets: assets,
                options: options,
                isDraining: { state.isDraining }
            )
        }
        let isHeeded =
            configuration.logFile != nil || configuration.tokens != nil
            || configuration.sources.contains(where: \.isDatabase)
        if isHeeded {
            settings.onHangup = { [path = configuration.logFile] in
                if let path { Self.reopen(path) }
                let options = made.withLock { $0.options }
                options.access?.reload()
                guard let board = options.lists else { return }
                // Databases are waited for, and no loop is.
                _ = workers.offer(.following) { board.refresh(isForced: true) }
            }
        }
        let server: HTTPServer
        do {
            server = try HTTPServer(settings) { [gateway] _ in
                var gateway = gateway
                gateway.allowedHosts = hosts.withLock { $0.lists }
                let (lists, options) = made.withLock { $0 }
                let service = try Service(
                    lists,
                    assets: assets,
                    options: options,
                    isDraining: { state.isDraining }
                )
                return Gateway(service, gateway, workers: workers)
            }
        } catch {
            throw Failure(error)
        }
        // A page that has rebound its own name to this machine asks for that name.
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
            options.access = try AccessBoard(
                path,
                contents.lists,
                AccessTable.Openness(
                    reading: configuration.allowsAnonymousReads,
                    writing: configuration.allowsAnonymousWrites
                )
            )
        }
        options.lists = contents.board
        if let access = options.access { contents.board?.follow(with: access) }
        options.limitsRate = configuration.rateLimit != nil
        options.serverTotals = { state.totals }
        options.operations = operations == nil ? .besideLists : .elsewhere
        made.withLock { $0 = (contents.lists, options) }
        // What is not whole by then is given up.
        defer { options.imports.stop() }
        announce(contents, at: server.addresses)
        for address in operations?.addresses ?? [] {
            Diagnostics.write("operations at http://\(address)/-/metrics")
        }
        do {
            let ending = try server.run()
            if ending != .drained { throw Failure(.software, "stopped before all was answered") }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }

    /// The server for operators, where it has a port of its own.
    private func operationsServer(
        of main: HTTPServer.Configuration,
        makeGateway: @escaping @Sendable () throws -> Gateway
    ) throws(Failure) -> HTTPServer? {
        guard let port = configuration.operationsPort else { return nil }
        var settings = HTTPServer.Configuration()
        settings.host = main.host.hasPrefix("unix:") ? "127.0.0.1" : main.host
        settings.port = port
        settings.loops = 1
        settings.handlesSignals = false
        settings.limits.maximumConnections = 64
        settings.eventLog = main.eventLog
        do {
            return try HTTPServer(settings) { _ in try makeGateway() }
        } catch {
            let failure = Failure(error)
            throw Failure(failure.code, "--operations-port: \(failure.text)")
        }
    }

    private static func reopen(_ path: String) {
        do throws(SystemError) {
            try StandardError.redirect(to: path)
        } catch {
            Diagnostics.write("--log-file: \(path): \(error.reason); the old file is kept")
        }
    }

    private func options(for contents: ServiceContents) throws(Failure) -> ServiceOptions {
        var options = ServiceOptions()
        options.title = title
        options.isStrict = configuration.refusesFailedRows
        options.formulas = configuration.neutralisesFormulas ? .neutralised : .kept
        options.writing = configuration.writing
        options.importFolder = configuration.temporaryFolder
        options.crossOrigin = configuration.crossOrigin
        let loops = configuration.loops ?? Processors.usableCount
        options.pageCacheBytes = configuration.pageCacheMegabytes * 1_048_576 / loops
        if let folder = configuration.templates {
            options.templates = try TemplateFolder.read(folder, kinds: contents.kinds)
        }
        options.rowControllers = options.templates.listing(of: contents.controllers)
        // Where templates are written, which row is drawn by which is what one wants to see.
        if configuration.listsControllers || configuration.templates != nil {
            for line in options.rowControllers {
                Diagnostics.write("rows: \(line)")
            }
        }
        return options
    }

    private func assets() throws(Failure) -> AssetLibrary {
        guard let folder = configuration.publicFolder else { return AssetLibrary() }
        let assets = try AssetLibrary(folder: folder)
        for path in assets.skipped {
            Diagnostics.write(
                "--public: \(path) is not served: it is no file, or a link out of the folder"
            )
        }
        return assets
    }

    private func announce(_ contents: ServiceContents, at addresses: [HTTPServer.Address]) {
        for notice in contents.notices { Diagnostics.write(notice) }
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

/// What a service has to serve.
struct ServiceContents {
    /// The lists, in the order of the directory.
    var lists: [ListDefinition]
    /// The same lists, where others define some of them.
    var board: ListBoard?
    /// What draws their rows.
    var controllers: [RegistrationSummary]
    /// What the operator should know of them.
    var notices: [String] = []

    /// The kinds of rows in the lists, and the columns of each.
    var kinds: [String: [Column]] {
        var kinds: [String: [Column]] = [:]
        for summary in controllers {
            for kind in summary.kinds { kinds[kind] = summary.columns }
        }
        return kinds
    }
}
