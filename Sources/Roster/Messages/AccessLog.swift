import Bytes
import HTTP
import HTTPServer
import Locks
import Rendering
import Sockets

/// Writes one JSON object a line for every answer, and so many a second at most.
///
/// Shared by all loops. What goes over the bound is counted, and the next line says how many there
/// were: a flood of requests must not become a flood of logs.
final class AccessLog: Sendable {
    /// Lines of one second.
    static let maximumLinesPerSecond = 2000

    private struct Budget {
        var second: Int64 = 0
        var lines = 0
        var dropped = 0
    }

    private let budget = Locked(Budget())
    private let clock: @Sendable () -> Int64
    private let write: @Sendable (String) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - clock: Seconds since 1970.
    ///   - write: Writes a line, its end included.
    init(
        clock: @escaping @Sendable () -> Int64 = { WallClock.secondsSince1970() },
        write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
    ) {
        self.clock = clock
        self.write = write
    }

    /// Writes the line of an answer, or counts it.
    func add(_ record: AccessRecord) {
        let second = clock()
        let dropped = budget.withLock { budget -> Int? in
            if budget.second != second {
                budget.second = second
                budget.lines = 0
            }
            guard budget.lines < Self.maximumLinesPerSecond else {
                budget.dropped += 1
                return nil
            }
            budget.lines += 1
            defer { budget.dropped = 0 }
            return budget.dropped
        }
        guard let dropped else { return }
        write(Self.line(record, second: second, dropped: dropped))
    }

    private static func line(_ record: AccessRecord, second: Int64, dropped: Int) -> String {
        var time = ByteBuffer(minimumCapacity: 32)
        HTTPDate(secondsSince1970: second)?.writeTimestamp(into: &time)
        let (seconds, attoseconds) = record.duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        var buffer = ByteBuffer(minimumCapacity: 256)
        JSONWriter.write(to: &buffer) { writer in
            writer.object { object in
                object.member("time", time.text())
                if let id = record.requestID { object.member("id", id) }
                if let method = record.method {
                    object.member("method", method.name)
                    object.member("target", record.target)
                }
                object.member("status", record.status.code)
                object.member("bytes", record.bodyBytes)
                object.member("microseconds", Int(microseconds))
                if record.isAborted { object.member("aborted", true) }
                if dropped > 0 { object.member("dropped", dropped) }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.text()
    }
}
