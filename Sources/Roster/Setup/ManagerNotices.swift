import HTTPServer
import Sockets

/// Tells a service manager the state of the program, as sd_notify(3) describes.
struct ManagerNotices: Sendable {
    private let manager: ServiceManager
    /// Whether the server still accepts for a while when it is stopped.
    private let hasDelay: Bool

    /// Prepares to tell the manager of a configuration; nil without one.
    init?(_ configuration: Configuration) {
        guard let manager = configuration.serviceManager else { return nil }
        self.manager = manager
        hasDelay = configuration.drainDelay > .zero
    }

    /// Tells an event; one that the manager does not take is logged.
    func tell(_ event: ServiceManager.Event) {
        do throws(SystemError) {
            try manager.send(event)
        } catch {
            Diagnostics.write("NOTIFY_SOCKET: \(event) was not taken: \(error.reason)")
        }
    }

    /// Tells that the server stops, where an event says so.
    func note(_ event: ServerEvent) {
        switch event {
        case .leavingBegan: tell(.stopping)
        case .drainingBegan(loop: 0, _) where !hasDelay: tell(.stopping)
        default: break
        }
    }

    /// Begins to watch the loops of a server, where the manager expects signs of life.
    ///
    /// - Returns: The watch, which ends with its last reference; nil where none is expected.
    func watch(_ server: HTTPServer) throws(Failure) -> Watchdog? {
        guard let time = manager.watchdogTime else { return nil }
        do throws(SystemError) {
            return try Watchdog(of: server, within: time) { tell(.alive) }
        } catch {
            throw Failure(.software, "WATCHDOG_USEC: the loops cannot be watched: \(error.reason)")
        }
    }
}
