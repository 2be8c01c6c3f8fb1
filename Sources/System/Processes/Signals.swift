import CLinux
import Glibc

/// Signals of the process that arrive as readiness of a descriptor.
///
/// The handlers write to a pipe, so it does not matter which thread receives a signal. The former
/// actions are restored when the last reference is released.
package final class Signals: Sendable {
    /// To be watched for reading.
    package let descriptor: FileDescriptor
    private let numbers: [Int32]

    /// Catches signals from now on, and unblocks them in the calling thread.
    package init(_ signals: [Int32]) throws(SystemError) {
        let rawValue = try checked("sigaction") {
            // SAFETY: the numbers are read during the call only.
            unsafe clinux_catch_signals(signals, Int32(clamping: signals.count))
        }
        descriptor = FileDescriptor(adopting: rawValue)
        numbers = signals
    }

    deinit {
        // SAFETY: the numbers are read during the call only.
        unsafe clinux_release_signals(numbers, Int32(clamping: numbers.count))
    }

    package static func ofServer() throws(SystemError) -> Signals {
        try Signals([SIGTERM, SIGINT, SIGHUP])
    }

    package static func isHangup(_ signal: Int32) -> Bool { signal == SIGHUP }

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

    /// Makes the process ignore the signals of failed writes.
    ///
    /// A write to a closed pipe then fails with EPIPE, and one beyond the limit of file sizes with
    /// EFBIG.
    package static func ignoreFailedWrites() {
        for number in [SIGPIPE, SIGXFSZ] { _ = Glibc.signal(number, SIG_IGN) }
    }
}

extension Signals {
    /// Calls a closure on its own thread when SIGTERM or SIGINT arrives, but not for SIGHUP.
    ///
    /// SIGHUP still ends the process.
    ///
    /// The closure is called once, at the first signal.
    package static func onTermination(
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let signals = try Signals([SIGTERM, SIGINT])
        var threads = ThreadGroup()
        try threads.start(named: "signals") {
            if signals.wait() { body() }
            // The closure ends the process. Further signals do not interrupt it.
            while signals.wait() {}
        }
        threads.detach()
    }

    /// False if no further signal can come.
    private func wait() -> Bool {
        while true {
            var interest = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            // SAFETY: one structure, which lives for the call.
            let count = unsafe poll(&interest, 1, -1)
            guard count > 0 || errno == EINTR else { return false }
            // A signal that cannot be read is read again.
            if count > 0, (try? next()) != nil { return true }
        }
    }
}
