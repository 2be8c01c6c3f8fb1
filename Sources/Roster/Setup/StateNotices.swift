import HTTPServer
import Sockets

/// Reports to a service manager the state of the program, as sd_notify(3) describes.
struct StateNotices: Sendable {
    private let socket: NotifySocket
    /// Whether the server still accepts for a while when it is stopped.
    private let hasDelay: Bool

    /// Prepares to report to the manager that a configuration names; nil without one.
    init?(_ configuration: Configuration) {
        guard let socket = configuration.notifySocket else { return nil }
        self.socket = socket
        hasDelay = configuration.drainDelay > .zero
    }

    /// Reports an event; one that the manager does not take is logged.
    func report(_ event: NotifySocket.Event) {
        do throws(SystemError) {
            try socket.send(event)
        } catch {
            Diagnostics.write("NOTIFY_SOCKET: \(event) was not taken: \(error.reason)")
        }
    }

    /// Reports that the server stops, where an event says so.
    func note(_ event: ServerEvent) {
        switch event {
        case .leavingBegan: report(.stopping)
        case .drainingBegan(loop: 0, _) where !hasDelay: report(.stopping)
        default: break
        }
    }

    /// Begins to watch the loops of a server, where the manager expects signs of life.
    ///
    /// - Returns: The watch, which ends with its last reference; nil where none is expected.
    func watch(_ server: HTTPServer) throws(Failure) -> Watchdog? {
        guard let time = socket.watchdogTime else { return nil }
        do throws(SystemError) {
            return try Watchdog(of: server, within: time) { report(.alive) }
        } catch {
            throw Failure(.software, "WATCHDOG_USEC: the loops cannot be watched: \(error.reason)")
        }
    }
}
