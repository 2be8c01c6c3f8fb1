import CLinux
import Glibc

/// The socket of the service manager that started the process, for reports of its state (sd_notify(3)).
package struct NotifySocket: Hashable, Sendable {
    /// The path of the manager's socket, or its abstract name behind an at sign.
    private let socket: String
    /// The longest time between two signs of life; nil where the manager expects none.
    package let watchdogTime: Duration?

    /// Reads what the manager has left in the environment; nil where it names no socket.
    ///
    /// - Parameter environment: The variables of the process.
    /// - Throws: ``NotifySocketError``.
    package init?(environment: [String: String]) throws(NotifySocketError) {
        guard let socket = environment["NOTIFY_SOCKET"], !socket.isEmpty else { return nil }
        guard socket.hasPrefix("/") || socket.hasPrefix("@"), (2...107).contains(socket.utf8.count)
        else { throw .invalidSocket(socket) }
        self.socket = socket
        let process = environment["WATCHDOG_PID"] ?? ""
        // A variable that was meant for another process is none of ours.
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

    /// The shortest watchdog time in microseconds; a shorter one would keep a core busy.
    package static let minimumWatchdogTime = 10_000

    /// A change of the process's state.
    package enum Event: Sendable {
        /// It serves: at first, or again after a reload.
        case ready
        /// It begins to reload.
        case reloading
        /// It takes no new work and ends.
        case stopping
        /// It answers.
        case alive
    }

    /// Sends an event.
    ///
    /// - Throws: The error of the kernel, also where the queue of the manager is full.
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

/// Why nothing can be reported to a service manager.
package enum NotifySocketError: Error, Hashable, Sendable {
    /// `NOTIFY_SOCKET` is no path and no abstract name.
    case invalidSocket(String)
    /// `WATCHDOG_USEC` is no number of microseconds, or less than the minimum.
    case invalidWatchdog(String)
}
