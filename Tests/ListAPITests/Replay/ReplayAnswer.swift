import Foundation
import ListAPITestSupport
import TestSupport
import Testing

struct ReplayAnswer {
    /// The status line and the fields, without the ends of their lines.
    var head: [String]
    /// The content, without its framing and coding.
    var body: Data

    init(_ bytes: [UInt8], toHead: Bool) throws {
        let end = try #require(
            bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) },
            "an answer without an end of its head"
        )
        head = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
            .map(String.init)
        body = Data(bytes[(end + 4)...])
        if field("Transfer-Encoding") == "chunked", !toHead { body = try Self.joined(body) }
        let isCompressed = field("Content-Encoding") == "gzip" && !body.isEmpty
        if isCompressed { body = Data(try Gunzip.read(Array(body))) }
        head = head.map { line in
            if line.hasPrefix("Server-Timing: ") {
                return line.replacing(/dur=[0-9.]+/, with: "dur=…")
            }
            // Libraries compress differently.
            return isCompressed && line.hasPrefix("Content-Length: ")
                ? "Content-Length: (gzip)" : line
        }
        changeBody {
            Self.blankAssets(&$0)
        }
    }

    private mutating func changeBody(_ change: (inout Data) -> Void) {
        let count = body.count
        change(&body)
        head = head.map { line in
            guard line.hasPrefix("Content-Length: "), let length = Int(line.dropFirst(16)),
                !body.isEmpty
            else { return line }
            return "Content-Length: \(length + body.count - count)"
        }
    }

    mutating func blank(from start: String, to end: String) {
        let (start, end) = (Data(start.utf8), Data(end.utf8))
        changeBody { body in
            var location = body.startIndex
            while let first = body.range(of: start, in: location..<body.endIndex)?.upperBound,
                let last = body.range(of: end, in: first..<body.endIndex)?.lowerBound
            {
                body.replaceSubrange(first..<last, with: Data("…".utf8))
                location = first
            }
        }
    }

    /// The content of chunks, joined; the sizes of chunks are not compared.
    private static func joined(_ bytes: Data) throws -> Data {
        var rest = bytes[...]
        var content = Data()
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            let size = try #require(Int(line.prefix { $0.isHexDigit }, radix: 16))
            rest = rest[(end + 1)...]
            guard size > 0 else { return content }
            content += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        Issue.record("the last chunk is missing")
        return content
    }

    private static func blankAssets(_ body: inout Data) {
        let mark = Data("/-/assets/".utf8)
        var start = body.startIndex
        while let location = body.range(of: mark, in: start..<body.endIndex) {
            start = location.upperBound
            let name = body[start...].prefix { $0 != UInt8(ascii: "\"") }
            let dots = name.indices.filter { name[$0] == UInt8(ascii: ".") }
            guard dots.count == 2 else { continue }
            body.replaceSubrange(dots[0] + 1..<dots[1], with: Data("(digest)".utf8))
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The value of a field; nil where it is missing.
    func field(_ name: String) -> String? {
        head.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    func link(_ name: String) throws -> String {
        let body = try JSON(String(decoding: body, as: UTF8.self))
        return try #require(body.link(name), "there is no link \(name)")
    }

    /// The answer as a record shows it.
    ///
    /// Rows of JSON begin lines: a sign stands where a line is broken. Control characters are shown
    /// by their numbers.
    var text: String {
        let lines = head.joined(separator: "\n")
        guard !body.isEmpty else { return lines + "\n" }
        var content = ""
        var rest = body[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(where: Self.isControl) ?? rest.endIndex
            content += String(decoding: rest[..<end], as: UTF8.self)
            if end < rest.endIndex { content += "⟦\(String(rest[end], radix: 16))⟧" }
            rest = rest[end...].dropFirst()
        }
        content = content.replacingOccurrences(of: ",{\"id\":", with: ",↩\n{\"id\":")
            .replacingOccurrences(of: "⟦d⟧\n", with: "␍\n")
        return lines + "\n\n" + content + "\n"
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x0A) || byte == 0x7F
    }

    /// Whether another answer has the same bytes.
    ///
    /// An answer that was drawn earlier does not say how long that took.
    func agrees(with other: ReplayAnswer, _ blanks: ReplayBlanks) -> Bool {
        body == other.body && fields(blanks) == other.fields(blanks)
    }

    private func fields(_ blanks: ReplayBlanks) -> [String] {
        head.filter { !$0.hasPrefix("Server-Timing: ") }.map(blanks.blank)
    }
}
