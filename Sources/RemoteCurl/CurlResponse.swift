import RemoteLists

/// A response of a server that is received in parts.
final class CurlResponse {
    /// Far above the size of usual responses.
    private static let maximumHeadBytes = 256 << 10

    private let maximumBytes: Int
    private(set) var fields: [RemoteField] = []
    private(set) var body: [UInt8] = []
    private(set) var exceeded: Int?
    private var headByteCount = 0
    private var isHeadComplete = false

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Takes the line with its line break.
    ///
    /// False if it exceeds the limit.
    func take(line: [UInt8]) -> Bool {
        headByteCount += line.count
        guard headByteCount <= Self.maximumHeadBytes else {
            exceeded = Self.maximumHeadBytes
            return false
        }
        let text = String(decoding: line.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        // A head may follow another one, for example after status 100 (RFC 9110 §15.2).
        if text.hasPrefix("HTTP/") {
            fields = []
            isHeadComplete = false
        } else if text.isEmpty {
            isHeadComplete = true
        } else if !isHeadComplete, let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let end = value.lastIndex { $0 != " " && $0 != "\t" }.map { value.index(after: $0) }
            let name = String(text[..<colon])
            fields.append(RemoteField(received: name, String(value[..<(end ?? value.startIndex)])))
        }
        return true
    }

    /// False if the content exceeds the limit.
    func take(content: [UInt8]) -> Bool {
        guard content.count <= maximumBytes - body.count else {
            exceeded = maximumBytes
            return false
        }
        body += content
        return true
    }
}
