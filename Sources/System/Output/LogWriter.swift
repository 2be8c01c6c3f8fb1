import Bytes
import Glibc
import Locks

/// A log whose lines a separate thread writes to a descriptor, so that no other thread waits for
/// its reader.
///
/// Waiting lines are in a buffer of a fixed size. A line that does not fit, or cannot be written,
/// is dropped and counted. A notice in the log reports the number of missing lines.
package final class LogWriter: Sendable {
    private struct State: ~Copyable {
        var lines = ByteBuffer(minimumCapacity: 0)
        var loss = LogLoss()
        var lostLines = 0
        var job: (@Sendable () -> Void)?
        var isIdle = true

        /// Returns whether the thread must be woken.
        mutating func beginWork() -> Bool {
            defer { isIdle = false }
            return isIdle
        }
    }

    package static let capacity = 262_144
    private static let idleBytes = 16_384

    private let descriptor: Int32
    private let notice: @Sendable (LogLoss) -> String
    private let state = Locked(State())
    private let work: EventFD
    private let idle: EventFD

    /// Starts the thread, which ends with the process.
    ///
    /// The process ignores SIGPIPE and SIGXFSZ from then on, so that a closed or full log does not
    /// end it.
    ///
    /// The descriptor must stay open as long as the process runs. `notice` makes the line that
    /// reports missing lines, its end included.
    package init(
        to descriptor: Int32,
        notice: @escaping @Sendable (LogLoss) -> String
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.notice = notice
        work = try EventFD()
        idle = try EventFD()
        Signals.ignoreFailedWrites()
        var threads = ThreadGroup()
        try threads.start(named: "log") { [self] in
            Signals.blockAll()
            run()
        }
        threads.detach()
    }

    package var lostLines: Int { state.withLock { $0.lostLines } }

    /// Passes a line to the thread or drops it, without waiting.
    ///
    /// The end of the line is included.
    package func write(_ line: borrowing Span<UInt8>) {
        let wakes = state.withLock { state in
            guard state.lines.count + line.count <= Self.capacity else {
                state.loss.count += 1
                state.lostLines += 1
                return false
            }
            state.lines.append(line)
            return state.beginWork()
        }
        if wakes { work.wake() }
    }

    /// Lets the thread call a closure once it has written the lines that wait now.
    package func whenWritten(_ job: @escaping @Sendable () -> Void) {
        let wakes = state.withLock { state in
            state.job = job
            return state.beginWork()
        }
        if wakes { work.wake() }
    }

    /// True if all lines were written or dropped.
    @discardableResult
    package func flush(within timeout: Duration) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while !state.withLock({ $0.isIdle }) {
            guard (try? idle.descriptor.wait(for: .reading, until: deadline)) == true else {
                return state.withLock { $0.isIdle }
            }
            idle.reset()
        }
        return true
    }

    private func run() {
        var output = LogOutput(descriptor)
        var lines = ByteBuffer(minimumCapacity: 0)
        while true {
            while let (loss, job) = take(&lines) {
                write(lines, loss, to: &output)
                lines.removeAll(keepingAtMost: Self.idleBytes)
                job?()
            }
            idle.wake()
            let tomorrow = ContinuousClock.now.advanced(by: .seconds(86_400))
            // A failed wait is repeated, because there is no place to report it.
            _ = try? work.descriptor.wait(for: .reading, until: tomorrow)
            work.reset()
        }
    }

    /// The lines are exchanged with an empty buffer.
    ///
    /// Returns the loss to report and the closure to call. Nil without work.
    private func take(
        _ lines: inout ByteBuffer
    ) -> (loss: LogLoss, job: (@Sendable () -> Void)?)? {
        state.withLock { state in
            // After a failed write the notice waits for the next line, because it would fail as
            // well.
            let isDue = state.loss.count > 0 && state.loss.error == nil
            guard !state.lines.isEmpty || state.job != nil || isDue else {
                state.isIdle = true
                return nil
            }
            swap(&state.lines, &lines)
            let loss = state.loss
            state.loss = LogLoss()
            return (loss, state.job.take())
        }
    }

    /// Writes lines, and a notice of a loss before them after a failed write, else after them.
    private func write(
        _ lines: borrowing ByteBuffer,
        _ loss: LogLoss,
        to output: inout LogOutput
    ) {
        var unreported = loss.count
        let text = unreported > 0 ? notice(loss) : ""
        if unreported > 0, loss.error != nil, output.write(text.utf8.span) == 0 { unreported = 0 }
        let unwritten = lines.withBytes { output.write($0) }
        if unreported > 0, unwritten == 0, output.write(text.utf8.span) == 0 { unreported = 0 }
        let count = unreported + unwritten
        guard count > 0 else { return }
        state.withLock { [error = output.error] state in
            state.lostLines += unwritten
            state.loss.count += count
            state.loss.error = error
        }
    }
}

package struct LogLoss: Sendable {
    package var count = 0
    package var error: SystemError?

    package init(count: Int = 0, error: SystemError? = nil) {
        self.count = count
        self.error = error
    }
}
