import Bytes
import HTTP
import HTTPServer
import Locks
import Sockets

/// Writes a line for every answer, and so many a second at most.
///
/// Shared by all loops. What goes over the bound is counted, and the next line says how many there
/// were: a flood of requests must not become a flood of logs.
final class AccessLog: Sendable {
    /// Lines of one second.
    static let maximumLinesPerSecond = 2000

    private let budget = Locked(LogBudget(maximum: maximumLinesPerSecond))
    private let format: LogFormat
    private let clock: @Sendable () -> Int64
    private let write: @Sendable (borrowing ByteBuffer) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - format: How the lines are written.
    ///   - clock: Seconds since 1970.
    ///   - write: Writes a line, its end included.
    init(
        _ format: LogFormat = .json,
        clock: @escaping @Sendable () -> Int64 = { WallClock.secondsSince1970() },
        write: @escaping @Sendable (borrowing ByteBuffer) -> Void = { StandardError.write($0) }
    ) {
        self.format = format
        self.clock = clock
        self.write = write
    }

    /// Writes the line of an answer, or counts it.
    func add(_ record: AccessRecord) {
        let second = clock()
        guard let dropped = budget.withLock({ $0.take(second) }) else { return }
        var buffer = ByteBuffer(minimumCapacity: 512)
        let line = AccessLine(record, second: second, dropped: dropped)
        switch format {
        case .json: line.writeObject(to: &buffer)
        case .text: line.writeText(to: &buffer)
        case .combined: line.writeCombined(to: &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
        write(buffer)
    }
}
