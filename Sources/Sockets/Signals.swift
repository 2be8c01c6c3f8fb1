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

    /// Blocks all signals in the calling thread, so that none ends the process there.
    package static func blockAll() {
        var signals = sigset_t()
        // SAFETY: the set is filled by the first call and read during the second one only.
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Makes the process ignore a signal.
    package static func ignore(_ signal: Int32) {
        _ = Glibc.signal(signal, SIG_IGN)
    }
}

extension Signals {
    /// Calls a closure, on a thread of its own, when the process is asked to end by SIGTERM or
    /// SIGINT; SIGHUP ends it as ever.
    ///
    /// - Parameter body: Called once, at the first signal.
    /// - Throws: ``SystemError`` when there is no descriptor or no thread left.
    package static func onTermination(
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let watched = WatchedSignals(try Signals([SIGTERM, SIGINT]))
        var threads = ThreadGroup()
        try threads.start(named: "signals") {
            if watched.wait() { body() }
        }
        threads.detach()
    }
}

/// Signals that a thread waits for.
private final class WatchedSignals: Sendable {
    private let signals: Signals

    init(_ signals: consuming Signals) { self.signals = signals }

    /// Waits for the next signal; false when there will be none.
    func wait() -> Bool {
        while true {
            var interest = pollfd(
                fd: signals.descriptor.rawValue,
                events: Int16(POLLIN),
                revents: 0
            )
            // SAFETY: one structure, which lives for the call.
            let count = unsafe poll(&interest, 1, -1)
            guard count > 0 || errno == EINTR else { return false }
            // A signal that cannot be read is asked for again.
            if count > 0, (try? signals.next()) != nil { return true }
        }
    }
}
