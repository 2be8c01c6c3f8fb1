import CLinux
import Glibc

/// The socket of the process's service manager, for reports of the process's state (sd_notify(3)).
package struct NotifySocket: Hashable, Sendable {
    /// Begins with an at sign if it is abstract.
    private let socket: String
    /// The longest time between two keep-alive reports; nil if the manager expects none.
    package let watchdogTime: Duration?

    /// Nil if the variables name no socket.
    package init?(environment: [String: String]) throws(NotifySocketError) {
        guard let socket = environment["NOTIFY_SOCKET"], !socket.isEmpty else { return nil }
        guard socket.hasPrefix("/") || socket.hasPrefix("@"), (2...107).contains(socket.utf8.count)
        else { throw .invalidSocket(socket) }
        self.socket = socket
        let process = environment["WATCHDOG_PID"] ?? ""
        // A variable for another process is ignored.
        guard let text = environment["WATCHDOG_USEC"], process.isEmpty || process == "\(getpid())"
        else {
            watchdogTime = nil
            return
        }
        guard let time = Int64(text), time >= Self.minimumWatchdogTime else {
            throw .invalidWatchdog(text)
        }
        watchdogTime = .microseconds(time)
    }

    /// The shortest watchdog time in microseconds, because a shorter one would keep a core busy.
    package static let minimumWatchdogTime = 10_000

    package enum Event: Sendable {
        /// It serves, for the first time or again after a reload.
        case ready
        case reloading
        case stopping
        /// It still runs (a watchdog report).
        case alive
    }

    /// Fails also if the queue of the manager is full.
    package func send(_ event: Event) throws(SystemError) {
        let text =
            switch event {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.microseconds)"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            }
        _ = try checked("sendto") {
            // SAFETY: both texts are read during the call only.
            unsafe clinux_notify(socket, text)
        }
    }
}

package enum NotifySocketError: Error, Hashable, Sendable {
    /// `NOTIFY_SOCKET` is neither a path nor an abstract name.
    case invalidSocket(String)
    /// `WATCHDOG_USEC` is not a number of microseconds, or less than the minimum.
    case invalidWatchdog(String)
}
