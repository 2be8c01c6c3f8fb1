import HTTPServer
import Listings
import Locks
import Sockets

/// The program `roster`: what is asked for, done from beginning to end.
package enum Program {
    /// Runs the program.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - environment: The variables of the process.
    /// - Returns: How the program ends.
    package static func run(arguments: [String], environment: [String: String]) -> Int32 {
        do {
            let configuration = try Self.configuration(arguments, environment)
            switch configuration.command {
            case .help: StandardOutput.write(HelpText.text)
            case .version: StandardOutput.write("roster \(RosterVersion.current)\n")
            case .health: try HealthCheck.run(configuration)
            case .serve: try serve(configuration)
            }
            return ExitCode.done.rawValue
        } catch {
            for line in error.text.split(separator: "\n") { Diagnostics.write(String(line)) }
            return error.code.rawValue
        }
    }

    private static func configuration(
        _ arguments: [String],
        _ environment: [String: String]
    ) throws(Failure) -> Configuration {
        do {
            return try Configuration(arguments: arguments, environment: environment)
        } catch {
            throw Failure(error)
        }
    }

    /// Serves until a signal says stop.
    ///
    /// The port is taken first, so that one in use is told before a long import and not after it.
    private static func serve(_ configuration: Configuration) throws(Failure) {
        var settings = HTTPServer.Configuration()
        settings.host = configuration.host
        settings.port = configuration.port
        settings.loops = configuration.loops
        settings.eventLog = { event in Diagnostics.write(event) }
        if configuration.logsAccess {
            let log = AccessLog()
            settings.accessLog = { log.add($0) }
        }
        let assets = try assets(configuration)
        var gateway = Gateway.Settings()
        gateway.allowedHosts = configuration.allowedHosts
        gateway.crossOrigin = configuration.crossOrigin
        let gatewaySettings = gateway
        let state = settings.state
        let lists = Locked<[ListDefinition]>([])
        let server: HTTPServer
        do {
            server = try HTTPServer(settings) { _ in
                let service = try Service(
                    lists.withLock { $0 },
                    assets: assets,
                    isDraining: { state.isDraining }
                )
                return Gateway(service, gatewaySettings)
            }
        } catch {
            throw Failure(error)
        }
        let library = try ListLibrary(configuration)
        lists.withLock { $0 = library.lists }
        announce(library, at: server.addresses)
        do {
            let ending = try server.run()
            if ending != .drained { throw Failure(.software, "stopped before all was answered") }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }

    private static func assets(_ configuration: Configuration) throws(Failure) -> AssetLibrary {
        guard let folder = configuration.publicFolder else { return AssetLibrary() }
        let assets = try AssetLibrary(folder: folder)
        for path in assets.skipped {
            Diagnostics.write("--public: \(path) is not served: it is a link or no file")
        }
        return assets
    }

    private static func announce(_ library: ListLibrary, at addresses: [HTTPServer.Address]) {
        for notice in library.notices { Diagnostics.write(notice) }
        for address in addresses {
            for list in library.lists {
                Diagnostics.write(
                    "serving \(list.title) at http://\(address)\(Address.list(list.name))"
                )
            }
        }
    }
}
