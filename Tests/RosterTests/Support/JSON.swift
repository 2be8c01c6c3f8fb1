import Foundation

/// A JSON document as a test looks into it.
enum JSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    /// Reads a document.
    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    /// The member at the end of a path of names; nil where it is missing.
    subscript(_ path: String...) -> JSON? {
        path.reduce(Optional(self)) { value, name in
            guard case .object(let members) = value else { return nil }
            return members[name]
        }
    }

    /// The elements of an array; none of anything else.
    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The text; nil for anything else.
    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The number, where it is whole; nil for anything else.
    var integer: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(exactly: number)
    }
}

extension JSON: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}

extension Answer {
    /// The body, read as JSON.
    func json() throws -> JSON { try JSON(body) }
}
