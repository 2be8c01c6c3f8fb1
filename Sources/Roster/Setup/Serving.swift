import HTTPServer
import Listings
import Locks

/// Serves lists from the first line of the log to the last.
struct Serving {
    private let configuration: Configuration
    private let options: ServiceOptions

    /// Prepares to serve.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen and how to behave.
    ///   - title: The title of the page that leads to all lists.
    init(_ configuration: Configuration, title: String) {
        self.configuration = configuration
        var options = ServiceOptions()
        options.title = title
        self.options = options
    }

    /// Serves until a signal says stop.
    ///
    /// The port is taken first, so that one in use is told before a long import and not after it.
    ///
    /// - Parameter makeLists: Makes the lists, and says what the operator should know of them.
    /// - Throws: ``Failure``.
    func run(
        _ makeLists: () throws(Failure) -> (lists: [ListDefinition], notices: [String])
    ) throws(Failure) {
        var settings = HTTPServer.Configuration()
        settings.host = configuration.host
        settings.port = configuration.port
        settings.loops = configuration.loops
        settings.eventLog = { event in Diagnostics.write(event) }
        let state = settings.state
        let lists = Locked<[ListDefinition]>([])
        let server: HTTPServer
        do {
            server = try HTTPServer(settings) { [options] _ in
                try Service(
                    lists.withLock { $0 },
                    options: options,
                    isDraining: { state.isDraining }
                )
            }
        } catch {
            throw Failure(error)
        }
        let made = try makeLists()
        lists.withLock { $0 = made.lists }
        announce(made.lists, made.notices, at: server.addresses)
        do {
            let ending = try server.run()
            if ending != .drained { throw Failure(.software, "stopped before all was answered") }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }

    private func announce(
        _ lists: [ListDefinition],
        _ notices: [String],
        at addresses: [HTTPServer.Address]
    ) {
        for notice in notices { Diagnostics.write(notice) }
        for address in addresses {
            for list in lists {
                Diagnostics.write(
                    "serving \(list.title) at http://\(address)\(Address.list(list.name))"
                )
            }
        }
    }
}
