import Bytes
import Rendering

/// A part of a JSON document, written as Swift literals; members keep their order.
enum JSONPart: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case text(String)
    case array([JSONPart])
    /// An object, whose names must differ.
    case object([Member])

    struct Member: Hashable, Sendable {
        let name: String
        var value: JSONPart
    }

    init(_ members: [(String, JSONPart)]) {
        self = .object(members.map { Member(name: $0.0, value: $0.1) })
    }

    init(texts: some Sequence<String>) {
        self = .array(texts.map(JSONPart.text))
    }

    var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    var text: ByteBuffer {
        var buffer = ByteBuffer()
        write(to: &buffer)
        return buffer
    }

    func with(_ others: JSONPart) -> JSONPart { .object(members + others.members) }

    var length: Int { text.count }

    func write(to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { write(to: &$0) }
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        // Bounds keep all digits, whatever number type the client parses.
        case .integer(let value): writer.drawn(Array("\(value)".utf8))
        case .text(let text): writer.string(text)
        case .array(let elements):
            writer.array { writer in
                for element in elements { element.write(to: &writer) }
            }
        case .object(let members):
            writer.object { writer in
                for member in members {
                    writer.key(JSONKey(member.name))
                    member.value.write(to: &writer)
                }
            }
        }
    }
}

extension JSONPart: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    init(stringLiteral text: String) { self = .text(text) }
}

extension JSONPart: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONPart: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONPart: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: JSONPart...) { self = .array(elements) }
}

extension JSONPart: ExpressibleByDictionaryLiteral {
    /// Members without a value are left out; ``null`` is a value.
    init(dictionaryLiteral members: (String, JSONPart?)...) {
        self.init(members.compactMap { name, value in value.map { (name, $0) } })
    }
}
