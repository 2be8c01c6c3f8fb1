package enum JSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    package init(_ text: String) throws {
        var reader = JSONTextReader(text)
        self = try reader.document()
    }

    /// The member at the end of a path of names; nil where it is missing.
    package subscript(_ path: String...) -> JSON? {
        path.reduce(Optional(self)) { value, name in
            guard case .object(let members) = value else { return nil }
            return members[name]
        }
    }

    /// The elements of an array; none of anything else.
    package var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The text; nil for anything else.
    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The number, where it is whole; nil for anything else.
    package var integer: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(exactly: number)
    }
}

extension Answer {
    package func json() throws -> JSON { try JSON(body) }

    package func errorLines() throws -> [String] {
        (try json()["errors"]?.elements ?? []).map { error in
            guard case .object(var members) = error else { return "no object" }
            let texts = ["parameter", "code", "detail"].map { name in
                members.removeValue(forKey: name)?.text ?? "no \(name)"
            }
            let others = members.sorted { $0.key < $1.key }.map { name, value in
                "; \(name) \(value.integer.map(String.init) ?? value.text ?? "\(value)")"
            }
            return "\(texts[0]) \(texts[1]): \(texts[2])" + others.joined()
        }
    }
}

package struct JSONTextError: Error {
    package let offset: Int
}

/// Reads JSON by its grammar (RFC 8259), so that a test notices what is not quite JSON.
private struct JSONTextReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var error: JSONTextError { JSONTextError(offset: index) }

    mutating func document() throws -> JSON {
        let value = try value()
        skipBlanks()
        guard index == bytes.count else { throw error }
        return value
    }

    private mutating func value() throws -> JSON {
        skipBlanks()
        guard index < bytes.count else { throw error }
        switch bytes[index] {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t") where take("true"): return .boolean(true)
        case UInt8(ascii: "f") where take("false"): return .boolean(false)
        case UInt8(ascii: "n") where take("null"): return .null
        default: return .number(try number())
        }
    }

    private mutating func members() throws -> [String: JSON] {
        var members: [String: JSON] = [:]
        index += 1
        skipBlanks()
        if take("}") { return members }
        repeat {
            skipBlanks()
            let name = try string()
            skipBlanks()
            guard take(":"), members.updateValue(try value(), forKey: name) == nil else {
                throw error
            }
            skipBlanks()
        } while take(",")
        guard take("}") else { throw error }
        return members
    }

    private mutating func elements() throws -> [JSON] {
        var elements: [JSON] = []
        index += 1
        skipBlanks()
        if take("]") { return elements }
        repeat {
            elements.append(try value())
            skipBlanks()
        } while take(",")
        guard take("]") else { throw error }
        return elements
    }

    private mutating func string() throws -> String {
        guard take("\"") else { throw error }
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] >= 0x20 else { throw error }
            if take("\\") {
                try text.append(escaped())
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        guard take("\""), let string = String(validating: text, as: UTF8.self) else { throw error }
        return string
    }

    /// What an escape stands for; Roster writes none beyond ASCII.
    private mutating func escaped() throws -> UInt8 {
        let escapes = ["\"": "\"", "\\": "\\", "/": "/", "n": "\n", "r": "\r", "t": "\t"]
        for (name, character) in escapes where take(name) { return Array(character.utf8)[0] }
        guard take("u"), index + 4 <= bytes.count,
            let code = UInt8(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw error }
        index += 4
        return code
    }

    private mutating func number() throws -> Double {
        let start = index
        while index < bytes.count, "+-.0123456789Ee".utf8.contains(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil,
            let number = Double(text)
        else { throw error }
        return number
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }
}
