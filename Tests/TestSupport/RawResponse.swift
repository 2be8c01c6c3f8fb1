package struct RawResponse {
    package var status: Int

    /// The version, "HTTP/1.1" or "HTTP/1.0".
    package var version: String

    package var reason: String

    /// The fields in order, names as they were sent.
    package var fields: [(name: String, value: String)]

    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The values of a field, joined by commas; nil when there is none.
    ///
    /// The name may be in any case.
    package func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    package static func parse(
        _ bytes: [UInt8],
        method: String = "GET",
        isEnded: Bool
    ) throws -> (response: RawResponse, count: Int)? {
        guard let headEnd = firstIndex(of: "\r\n\r\n", in: bytes, from: 0) else { return nil }
        let head = String(decoding: bytes[..<headEnd], as: UTF8.self)
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let words = lines.removeFirst().split(
            separator: " ",
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard words.count == 3, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw RawConnectionError.malformed(received: head)
        }
        var response = RawResponse(
            status: status,
            version: String(words[0]),
            reason: String(words[2]),
            fields: [],
            body: []
        )
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else {
                throw RawConnectionError.malformed(received: head)
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            response.fields.append((String(line[..<colon]), String(value)))
        }
        let bodyStart = headEnd + 4
        if method == "HEAD" || status == 204 || status == 304 || status / 100 == 1 {
            return (response, bodyStart)
        }
        return try response.readBody(bytes, from: bodyStart, isEnded: isEnded)
    }

    private mutating func readBody(
        _ bytes: [UInt8],
        from start: Int,
        isEnded: Bool
    ) throws -> (response: RawResponse, count: Int)? {
        if field("Transfer-Encoding") == "chunked" {
            guard field("Content-Length") == nil else {
                throw RawConnectionError.malformed(received: "both framings")
            }
            return try readChunks(bytes, from: start)
        }
        guard let text = field("Content-Length") else {
            guard isEnded else { return nil }
            body = Array(bytes[start...])
            return (self, bytes.count)
        }
        guard let length = Int(text) else {
            throw RawConnectionError.malformed(received: "Content-Length: \(text)")
        }
        guard bytes.count >= start + length else { return nil }
        body = Array(bytes[start..<start + length])
        return (self, start + length)
    }

    private mutating func readChunks(
        _ bytes: [UInt8],
        from start: Int
    ) throws -> (response: RawResponse, count: Int)? {
        var index = start
        while let lineEnd = Self.firstIndex(of: "\r\n", in: bytes, from: index) {
            let line = String(decoding: bytes[index..<lineEnd], as: UTF8.self)
            guard let size = Int(line, radix: 16) else {
                throw RawConnectionError.malformed(received: "chunk size \(line)")
            }
            let end = lineEnd + 2 + size
            guard bytes.count >= end + 2 else { return nil }
            guard bytes[end] == 13, bytes[end + 1] == 10 else {
                throw RawConnectionError.malformed(received: "chunk of \(size) without an end")
            }
            body += bytes[(lineEnd + 2)..<end]
            index = end + 2
            if size == 0 { return (self, index) }
        }
        return nil
    }

    private static func firstIndex(of text: String, in bytes: [UInt8], from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        guard bytes.count - start >= wanted.count else { return nil }
        return (start...(bytes.count - wanted.count)).first { index in
            wanted.indices.allSatisfy { bytes[index + $0] == wanted[$0] }
        }
    }
}
