import HTTPServer
import ListAPI
import System

/// A reporter of the program's state to a service manager (sd_notify(3)).
struct StateNotices: Sendable {
    private let socket: NotifySocket
    private let hasDelay: Bool

    init?(_ configuration: Configuration) {
        guard let socket = configuration.notifySocket else { return nil }
        self.socket = socket
        hasDelay = configuration.drainDelay > .zero
    }

    func report(_ event: NotifySocket.Event) {
        do throws(SystemError) {
            try socket.send(event)
        } catch {
            Diagnostics.write("NOTIFY_SOCKET: \(event) was not taken: \(error.reason)")
        }
    }

    func note(_ event: ServerEvent) {
        switch event {
        case .leavingBegan: report(.stopping)
        case .drainingBegan(loop: 0, _) where !hasDelay: report(.stopping)
        default: break
        }
    }

    func watch(_ server: HTTPServer) throws(Failure) -> Watchdog? {
        guard let time = socket.watchdogTime else { return nil }
        do throws(SystemError) {
            return try Watchdog(of: server, within: time) { report(.alive) }
        } catch {
            throw Failure(.software, "WATCHDOG_USEC: the loops cannot be watched: \(error.reason)")
        }
    }
}
