import Bytes

/// A form around the content of one file (RFC 7578), which short fields may precede.
struct FileEnvelope: Sendable {
    enum Failure: Error, Hashable, Sendable {
        case noFile
        case tooLong
        case notEnded
    }

    private enum State {
        case fields
        case file
        case end
    }

    private static let maximumFieldBytes = 8 << 10

    private let delimiter: [UInt8]
    private var state = State.fields
    // The first delimiter has no line break before it.
    private var pending = Array("\r\n".utf8)
    private(set) var fields: [String: String] = [:]
    private(set) var fileName = ""
    private var failure: Failure?

    init?(mediaType: String) {
        let parts = mediaType.split(separator: ";")
        guard parts.first?.lowercased() == "multipart/form-data",
            let parameter = parts.lazy.map({ $0.drop { $0 == " " } })
                .first(where: { $0.lowercased().hasPrefix("boundary=") })
        else { return nil }
        let boundary = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
        guard (1...70).contains(boundary.utf8.count) else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    mutating func take(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
        guard failure == nil else { return [] }
        for index in bytes.indices { pending.append(bytes[index]) }
        while state == .fields, readField() {}
        switch state {
        case .fields:
            if pending.count > Self.maximumFieldBytes { failure = .tooLong }
            return []
        case .file:
            let end = position(of: delimiter, from: 0)
            if end != nil { state = .end }
            // The end may begin within the last bytes.
            let count = end ?? max(0, pending.count - delimiter.count + 1)
            defer { pending.removeFirst(count) }
            return Array(pending[..<count])
        case .end:
            if pending.count > delimiter.count + 4 { (failure, pending) = (.notEnded, []) }
            return []
        }
    }

    func finish() throws(Failure) {
        if let failure { throw failure }
        guard state != .fields else { throw .noFile }
        let rest = pending.dropFirst(delimiter.count)
        guard state == .end, rest.elementsEqual("--".utf8) || rest.elementsEqual("--\r\n".utf8)
        else {
            throw .notEnded
        }
    }

    /// Returns whether another part may follow in the bytes.
    private mutating func readField() -> Bool {
        guard pending.starts(with: delimiter),
            let headEnd = position(of: Array("\r\n\r\n".utf8), from: delimiter.count)
        else { return false }
        let head = String(decoding: pending[delimiter.count..<headEnd], as: UTF8.self)
        if let name = Self.parameter("filename", of: head) {
            fileName = name
            state = .file
            pending.removeFirst(headEnd + 4)
            return false
        }
        guard let end = position(of: delimiter, from: headEnd + 4) else { return false }
        if let name = Self.parameter("name", of: head) {
            fields[name] = String(decoding: pending[(headEnd + 4)..<end], as: UTF8.self)
        }
        pending.removeFirst(end)
        return true
    }

    private func position(of bytes: [UInt8], from start: Int) -> Int? {
        var start = start
        while let first = pending[start...].firstIndex(of: bytes[0]) {
            if pending[first...].starts(with: bytes) { return first }
            start = first + 1
        }
        return nil
    }

    private static func parameter(_ name: String, of head: String) -> String? {
        let parts = head.split(separator: "; \(name)=\"", maxSplits: 1)
        return parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }
}
