package struct StreamedEvent: Hashable, Sendable {
    /// Its name; empty for what is no event.
    package fileprivate(set) var name = ""
    package fileprivate(set) var id: String?
    package fileprivate(set) var data = ""
    package fileprivate(set) var comment: String?
    /// How long to wait before coming back, in milliseconds.
    package fileprivate(set) var retry: String?
}

package final class EventReader {
    package struct Silent: Error {}

    package struct Refused: Error {
        package let status: Int
        package let fields: String
    }

    package let fields: String
    private let connection: RawConnection
    private var text: [UInt8] = []
    private var hasEnded = false

    package init(
        _ target: String,
        lastEventID: String? = nil,
        on connection: RawConnection
    ) throws {
        self.connection = connection
        var head = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        if let lastEventID { head += "Last-Event-ID: \(lastEventID)\r\n" }
        try self.connection.send(head + "Accept-Encoding: gzip\r\n\r\n")
        let bytes = try self.connection.receive { bytes in
            Self.end(of: Array("\r\n\r\n".utf8), in: bytes)
        }
        fields = String(decoding: bytes, as: UTF8.self)
        guard fields.hasPrefix("HTTP/1.1 200 ") else {
            throw Refused(status: Int(fields.dropFirst(9).prefix(3)) ?? 0, fields: fields)
        }
    }

    package convenience init(
        _ server: TestServer,
        _ target: String,
        lastEventID: String? = nil
    ) throws {
        try self.init(target, lastEventID: lastEventID, on: server.connect())
    }

    package func next() throws -> StreamedEvent? {
        while true {
            if let end = Self.end(of: [0x0A, 0x0A], in: text) {
                defer { text.removeFirst(end) }
                return Self.event(String(decoding: text[..<end], as: UTF8.self))
            }
            guard !hasEnded else { return nil }
            try receiveChunk()
        }
    }

    package func nextEvent() throws -> StreamedEvent? {
        var event = try next()
        var comments = 0
        while let said = event, said.name.isEmpty {
            if said.comment != nil { comments += 1 }
            guard comments < 4 else { throw Silent() }
            event = try next()
        }
        return event
    }

    private func receiveChunk() throws {
        let chunk = try connection.receive { bytes in
            guard let end = Self.end(of: [0x0D, 0x0A], in: bytes) else { return nil }
            let size = Int(String(decoding: bytes[..<(end - 2)], as: UTF8.self), radix: 16) ?? 0
            return bytes.count >= end + size + 2 ? end + size + 2 : nil
        }
        let start = Self.end(of: [0x0D, 0x0A], in: chunk) ?? 0
        hasEnded = chunk.count == start + 2
        text.append(contentsOf: chunk[start..<(chunk.count - 2)])
    }

    private static func end(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        for start in 0...(bytes.count - mark.count) where bytes[start] == mark[0] {
            if bytes[start..<(start + mark.count)].elementsEqual(mark) { return start + mark.count }
        }
        return nil
    }

    private static func event(_ block: String) -> StreamedEvent {
        var event = StreamedEvent()
        for line in block.split(separator: "\n") {
            if line.hasPrefix(":") {
                event.comment = String(line.dropFirst(2))
                continue
            }
            let value = String(line.drop { $0 != ":" }.dropFirst(2))
            switch line.prefix(while: { $0 != ":" }) {
            case "event": event.name = value
            case "id": event.id = value
            case "data": event.data += value
            case "retry": event.retry = value
            default: event.comment = "unknown line \(line)"
            }
        }
        return event
    }
}
