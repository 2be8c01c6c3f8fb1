import Bytes
import HTTP
import HTTPServer
import ListAPI
import Rendering

/// The log line of one response.
///
/// Text and JSON name the pattern of the path, because ids and conditions may be personal data. The
/// combined format has the path as sent, because its readers expect it, but no query.
struct AccessLine {
    private let record: AccessRecord
    private let second: Int64
    private let dropped: Int

    init(_ record: AccessRecord, second: Int64, dropped: Int) {
        self.record = record
        self.second = second
        self.dropped = dropped
    }

    /// The client that a trusted proxy names, else the peer of the connection.
    private var client: String? { record.note?.client ?? record.client }

    private var queued: Duration { record.queued + (record.note?.waiting ?? .zero) }

    private var level: LogLevel { record.status.code >= 500 ? .error : .info }

    func writeObject(to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { object in
                object.key("time")
                object.value { buffer in
                    buffer.append(UInt8(ascii: "\""))
                    LogTime.write(second, to: &buffer)
                    buffer.append(UInt8(ascii: "\""))
                }
                object.member("level", level.rawValue)
                if let id = record.requestID { object.member("id", id) }
                if let client { object.member("client", client) }
                if let method = record.method { object.member("method", method.name) }
                if let note = record.note {
                    object.member("path", note.pattern)
                    if let list = note.list { object.member("list", list) }
                    if let caller = note.caller { object.member("caller", caller) }
                }
                object.member("status", record.status.code)
                if let rows = record.note?.rows { object.member("rows", rows) }
                object.member("bytes", record.bodyBytes)
                object.duration("queueMilliseconds", queued)
                if let reading = record.note?.reading {
                    object.duration("queryMilliseconds", reading)
                }
                object.duration("milliseconds", record.duration)
                if let trace = record.note?.traceID { object.member("trace", trace) }
                if let agent = record.userAgent { object.member("userAgent", agent) }
                if record.isAborted { object.member("aborted", true) }
                if dropped > 0 { object.member("dropped", dropped) }
            }
        }
    }

    func writeText(to buffer: inout ByteBuffer) {
        LogTime.write(second, to: &buffer)
        buffer.append(word: record.requestID)
        buffer.append(word: client)
        buffer.append(word: record.method?.name)
        if let note = record.note {
            buffer.append(word: note.pattern)
            if let list = note.list {
                buffer.append(" list " as StaticString)
                buffer.append(list)
            }
            if let caller = note.caller {
                buffer.append(" caller " as StaticString)
                buffer.append(field: caller)
            }
        }
        buffer.append(UInt8(ascii: " "))
        buffer.append(decimal: record.status.code)
        if let rows = record.note?.rows {
            buffer.append(UInt8(ascii: " "))
            buffer.append(decimal: rows)
            buffer.append(" rows" as StaticString)
        }
        buffer.append(UInt8(ascii: " "))
        buffer.append(decimal: record.bodyBytes)
        buffer.append(" bytes in " as StaticString)
        buffer.append(milliseconds: record.duration)
        buffer.append(" ms (queue " as StaticString)
        buffer.append(milliseconds: queued)
        if let reading = record.note?.reading {
            buffer.append(", query " as StaticString)
            buffer.append(milliseconds: reading)
        }
        buffer.append(UInt8(ascii: ")"))
        if record.isAborted { buffer.append(" aborted" as StaticString) }
        if let trace = record.note?.traceID {
            buffer.append(" trace " as StaticString)
            buffer.append(trace)
        }
        if let agent = record.userAgent {
            buffer.append(UInt8(ascii: " "))
            buffer.append(quoted: agent.utf8.span)
        }
        if dropped > 0 {
            buffer.append("; " as StaticString)
            buffer.append(decimal: dropped)
            buffer.append(" lines were dropped before" as StaticString)
        }
    }

    /// Appends Apache's combined log format:
    /// `%h - %u [%t] "%r" %b "%{Referer}i" "%{User-Agent}i"`.
    func writeCombined(to buffer: inout ByteBuffer) {
        if dropped > 0 {
            let budget = "more than \(AccessLog.maximumLinesPerSecond) in a second"
            buffer.append("roster: \(dropped) access lines were dropped: \(budget)\n")
        }
        buffer.append(field: client)
        buffer.append(" - " as StaticString)
        buffer.append(field: record.note?.caller)
        buffer.append(" [" as StaticString)
        HTTPDate(secondsSince1970: second)?.writeLogTime(into: &buffer)
        buffer.append("] " as StaticString)
        writeRequestLine(to: &buffer)
        buffer.append(UInt8(ascii: " "))
        buffer.append(decimal: record.status.code)
        buffer.append(UInt8(ascii: " "))
        if record.bodyBytes == 0 {
            buffer.append(UInt8(ascii: "-"))
        } else {
            buffer.append(decimal: record.bodyBytes)
        }
        buffer.append(UInt8(ascii: " "))
        Self.writeAddress(record.referrer ?? "-", to: &buffer)
        buffer.append(UInt8(ascii: " "))
        buffer.append(quoted: (record.userAgent ?? "-").utf8.span)
    }

    private func writeRequestLine(to buffer: inout ByteBuffer) {
        guard let method = record.method else {
            return buffer.append("\"-\"" as StaticString)
        }
        buffer.append(UInt8(ascii: "\""))
        buffer.append(escaped: method.name.utf8.span)
        buffer.append(UInt8(ascii: " "))
        Self.writePath(of: record.target, to: &buffer)
        let isOld = record.version == .http10
        buffer.append(isOld ? " HTTP/1.0\"" : " HTTP/1.1\"" as StaticString)
    }

    /// Appends an address in quotes, without its query.
    private static func writeAddress(_ address: String, to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "\""))
        writePath(of: address, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends an address up to its query or fragment, which may hold tokens and conditions.
    private static func writePath(of address: String, to buffer: inout ByteBuffer) {
        let bytes = address.utf8.span
        var end = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
            end += 1
        }
        buffer.append(escaped: bytes.extracting(0..<end))
    }
}

extension JSONWriter {
    /// Appends a member that is a time in milliseconds, to the microsecond.
    fileprivate mutating func duration(_ name: StaticString, _ duration: Duration) {
        key(name)
        value { $0.append(milliseconds: duration) }
    }
}
