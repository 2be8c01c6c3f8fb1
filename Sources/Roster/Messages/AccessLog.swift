import Bytes
import HTTP
import HTTPServer
import Locks
import Rendering
import Sockets

/// Writes a line for every answer, and so many a second at most.
///
/// Shared by all loops. What goes over the bound is counted, and the next line says how many there
/// were: a flood of requests must not become a flood of logs. Of an address its pattern and its list
/// are told: ids and conditions may be somebody's personal data.
final class AccessLog: Sendable {
    /// Lines of one second.
    static let maximumLinesPerSecond = 2000

    private let budget = Locked(LogBudget(maximum: maximumLinesPerSecond))
    private let format: LogFormat
    private let clock: @Sendable () -> Int64
    private let write: @Sendable (String) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - format: How the lines are written.
    ///   - clock: Seconds since 1970.
    ///   - write: Writes a line, its end included.
    init(
        _ format: LogFormat = .json,
        clock: @escaping @Sendable () -> Int64 = { WallClock.secondsSince1970() },
        write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
    ) {
        self.format = format
        self.clock = clock
        self.write = write
    }

    /// Writes the line of an answer, or counts it.
    func add(_ record: AccessRecord) {
        let second = clock()
        guard let dropped = budget.withLock({ $0.take(second) }) else { return }
        var buffer = ByteBuffer(minimumCapacity: 256)
        switch format {
        case .json: Self.writeObject(record, second: second, dropped: dropped, to: &buffer)
        case .text: Self.writeText(record, second: second, dropped: dropped, to: &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
        write(buffer.text())
    }

    private static func writeObject(
        _ record: AccessRecord,
        second: Int64,
        dropped: Int,
        to buffer: inout ByteBuffer
    ) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { object in
                object.member("time", LogTime.text(second))
                if let id = record.requestID { object.member("id", id) }
                if let method = record.method { object.member("method", method.name) }
                if let note = record.note {
                    object.member("path", note.pattern)
                    if let list = note.list { object.member("list", list) }
                    if let caller = note.caller { object.member("caller", caller) }
                }
                object.member("status", record.status.code)
                if let rows = record.note?.rows { object.member("rows", rows) }
                object.member("bytes", record.bodyBytes)
                object.duration("queueMilliseconds", record.queued)
                if let reading = record.note?.reading {
                    object.duration("queryMilliseconds", reading)
                }
                object.duration("milliseconds", record.duration)
                if record.isAborted { object.member("aborted", true) }
                if dropped > 0 { object.member("dropped", dropped) }
            }
        }
    }

    private static func writeText(
        _ record: AccessRecord,
        second: Int64,
        dropped: Int,
        to buffer: inout ByteBuffer
    ) {
        let words = [
            LogTime.text(second), record.requestID, record.method?.name, record.note?.pattern,
            record.note?.list.map { "list \($0)" }, record.note?.caller.map { "caller \($0)" },
            "\(record.status.code)", record.note?.rows.map { "\($0) rows" },
            "\(record.bodyBytes) bytes",
        ]
        buffer.append(words.compactMap { $0 }.joined(separator: " "))
        buffer.append(" in " as StaticString)
        buffer.append(milliseconds: record.duration)
        buffer.append(" ms (queue " as StaticString)
        buffer.append(milliseconds: record.queued)
        if let reading = record.note?.reading {
            buffer.append(", query " as StaticString)
            buffer.append(milliseconds: reading)
        }
        buffer.append(")" as StaticString)
        if record.isAborted { buffer.append(" aborted" as StaticString) }
        if dropped > 0 { buffer.append("; \(dropped) lines were dropped before") }
    }
}

/// The time of a line of the log.
enum LogTime {
    /// A second as ISO 8601 writes it.
    static func text(_ secondsSince1970: Int64) -> String {
        var time = ByteBuffer(minimumCapacity: 32)
        HTTPDate(secondsSince1970: secondsSince1970)?.writeTimestamp(into: &time)
        return time.text()
    }
}

extension JSONWriter {
    /// Appends a member that is a time in milliseconds, to the microsecond.
    fileprivate mutating func duration(_ name: StaticString, _ duration: Duration) {
        key(name)
        var number = ByteBuffer(minimumCapacity: 16)
        number.append(milliseconds: duration)
        drawn(number.array())
    }
}

extension ByteBuffer {
    /// Appends a time in milliseconds with three places.
    mutating func append(milliseconds duration: Duration) {
        append(millisecondsOf: Int(duration / .nanoseconds(1)))
    }

    /// Appends a time in nanoseconds as milliseconds with three places.
    mutating func append(millisecondsOf nanoseconds: Int) {
        let microseconds = max(0, nanoseconds / 1000)
        append(decimal: microseconds / 1000)
        append(UInt8(ascii: "."))
        append(decimal: microseconds % 1000, width: 3)
    }
}
