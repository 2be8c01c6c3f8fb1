import CLinux
import Glibc

/// Signals that arrive as readiness of a descriptor instead of interrupting a thread.
///
/// Create it before other threads are started: they inherit that the signals are blocked, and a
/// thread that does not block them would end the process. The signals stay blocked for the life of
/// the process.
package struct Signals: ~Copyable {
    /// What the event loop watches, for reading.
    package let descriptor: Descriptor

    /// Blocks signals in the calling thread, to be read from the descriptor.
    package init(_ signals: [Int32]) throws(SystemError) {
        let rawValue = try checked("signalfd") {
            // SAFETY: the numbers are read during the call only.
            unsafe clinux_signalfd(signals, Int32(clamping: signals.count))
        }
        descriptor = Descriptor(adopting: rawValue)
    }

    /// What asks a process to end: SIGTERM and SIGINT.
    ///
    /// - Parameter withHangup: Whether SIGHUP, which a closing terminal sends as well, arrives too;
    ///   else it is ignored from now on.
    /// - Returns: The signals, blocked from now on.
    /// - Throws: What signalfd reports.
    package static func termination(withHangup: Bool) throws(SystemError) -> Signals {
        guard withHangup else {
            ignore(SIGHUP)
            return try Signals([SIGTERM, SIGINT])
        }
        return try Signals([SIGTERM, SIGINT, SIGHUP])
    }

    /// Whether a signal is SIGHUP.
    package static func isHangup(_ signal: Int32) -> Bool { signal == SIGHUP }

    /// Takes the next signal that has arrived; nil when there is none.
    package func next() throws(SystemError) -> Int32? {
        let rawValue = descriptor.rawValue
        let signal = try checked("read") { clinux_read_signal(rawValue) }
        return signal == 0 ? nil : signal
    }

    /// Makes the process ignore a signal.
    package static func ignore(_ signal: Int32) {
        _ = Glibc.signal(signal, SIG_IGN)
    }
}
