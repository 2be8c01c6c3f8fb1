import Bytes
import HTTP
import HTTPServer
import ListAPI
import Locks
import System

/// A log of one line per response, limited to a maximum number of lines a second.
///
/// All event loops share it. It counts the lines over the limit, and the next line reports the
/// count. A flood of requests therefore does not become a flood of logs.
final class AccessLog: Sendable {
    static let maximumLinesPerSecond = 2000

    private let budget = Locked(LogRateLimit(maximum: maximumLinesPerSecond))
    private let format: LogFormat
    private let clock: @Sendable () -> Int64
    private let write: @Sendable (borrowing ByteBuffer) -> Void

    init(
        _ format: LogFormat = .json,
        clock: @escaping @Sendable () -> Int64 = { WallClock.secondsSince1970() },
        write: @escaping @Sendable (borrowing ByteBuffer) -> Void = { StandardError.write($0) }
    ) {
        self.format = format
        self.clock = clock
        self.write = write
    }

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
