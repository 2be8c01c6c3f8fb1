import HTTP
import HTTPServer
import ListAPI
import Locks

/// The handler of a server whose lists are opened after its port is bound.
final class LateHandler: Sendable {
    private let reloads: ReloadState
    private let workers: ServiceWorkers
    private let hosts: Locked<AllowedHosts?>
    private let service = Locked<ServiceStore?>(nil)
    /// The path below which clients reach the server; nil for that of the settings.
    private let basePath: BasePath?

    init(
        _ hosts: AllowedHosts?,
        _ reloads: ReloadState,
        _ workers: ServiceWorkers,
        at basePath: BasePath? = nil
    ) {
        (self.reloads, self.workers, self.basePath) = (reloads, workers, basePath)
        self.hosts = Locked(hosts)
    }

    var middleware: Middleware {
        guard let service = service.withLock({ $0 }) else {
            preconditionFailure("the server runs after its services are made")
        }
        var settings = reloads.current.middleware
        settings.allowedHosts = hosts.withLock { $0 }
        settings.basePath = basePath ?? settings.basePath
        return Middleware(APIHandler(service), settings, workers: workers)
    }

    func open(_ service: ServiceStore) { self.service.replace(with: service) }

    /// Serves only hosts of this machine if the server listens on loopback.
    ///
    /// A page that rebinds its own host name to this machine sends that name.
    func allowHosts(of server: HTTPServer) {
        if server.addresses.allSatisfy(\.isLoopback) { hosts.replace(with: .thisMachine) }
    }
}
