import Bytes
import Database
import Listings

/// Comparisons use the index of the key.
enum KeyType: Hashable {
    case plain(EngineType)
    /// `numeric`, whose ids keep the digits of the value.
    case number
    /// `char(n)`, whose ids have no spaces at the end.
    case characters
    /// An enumeration with this quoted name.
    case enumeration(String)
    /// The place of a row in a table without a key (`ctid`), as in `(0,1)`.
    case tupleID

    /// Reads the type of a ``TableDescription/KeyPart``: the name of a type, or the quoted name of
    /// an enumeration.
    init(_ name: String?) {
        switch name {
        case "numeric": self = .number
        case "bpchar": self = .characters
        case "tid": self = .tupleID
        case .some(let name) where name.hasPrefix("\""): self = .enumeration(name)
        default: self = .plain(EngineType(name))
        }
    }

    /// Nil if the type gives no ids that an index finds.
    func idType(isWhole: Bool) -> ColumnType? {
        switch self {
        case .number: isWhole ? .integer : .text
        case .characters, .enumeration, .tupleID: .text
        case .plain(.int2), .plain(.int4), .plain(.int8): .integer
        case .plain(.text), .plain(.varchar), .plain(.bytewise), .plain(.uuid), .plain(.date),
            .plain(.bool), .plain(.timestamp), .plain(.timestamptz):
            .text
        case .plain: nil
        }
    }

    func comparand(_ name: String) -> Operand {
        switch self {
        case .plain(let type): type.comparand(name)
        case .number: Operand(name, cast: "::numeric")
        case .characters: Operand(name, cast: "::bpchar")
        // Domains of an enumeration have no operators of their own.
        case .enumeration(let type): Operand("\(name)::\(type)", cast: "::\(type)")
        case .tupleID: Operand(name, cast: "::tid")
        }
    }

    func identity(_ name: String, placeholder: String) -> String {
        switch self {
        // Equality is the same in every deterministic collation. Without an explicit collation, the
        // key's own index is used.
        case .plain, .tupleID: "\(name) = \(comparand(name).parameter(placeholder))"
        // Equal numbers can have different digits, but a row has one id.
        case .number:
            "\(name) = \(placeholder)::text::numeric AND \(name)::text = \(placeholder)::text"
        case .characters:
            "\(name) = \(placeholder)::text::bpchar AND \(name)::text = \(placeholder)::text"
        // A cast would fail for a text that is no value.
        case .enumeration(let type):
            "\(name)::\(type) = (SELECT value FROM unnest(enum_range(NULL::\(type))) AS found(value) "
                + "WHERE value::text = \(placeholder)::text)"
        }
    }

    /// It uses the index of the first key for each row of the other table.
    ///
    /// As a set of one value the other key serves no other way to join, whatever the server knows
    /// of the tables' sizes.
    func equality(_ name: String, _ other: String) -> String {
        switch self {
        case .plain, .tupleID: "\(name) = ANY (ARRAY[\(other)])"
        // Equal numbers can have different digits, but a row has one id.
        case .number, .characters:
            "\(name) = ANY (ARRAY[\(other)]) AND \(name)::text = \(other)::text"
        case .enumeration(let type): "\(name)::\(type) = ANY (ARRAY[\(other)::\(type)])"
        }
    }

    /// Whether `max` is available for the type in every supported version.
    var hasGreatest: Bool {
        switch self {
        case .plain(.uuid), .plain(.bool), .tupleID: false
        case .plain, .number, .characters, .enumeration: true
        }
    }

    /// The text must be spelled as shown.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .plain(.bool): text == "true" || text == "false"
        // A day alone is another spelling of its first instant.
        case .plain(.timestamp), .plain(.timestamptz):
            EngineType.timestamp.accepts(text)
                && (text.utf8.count > 10 || text.hasSuffix("infinity"))
        case .plain(.uuid): EngineType.uuid.accepts(text) && text == text.lowercased()
        case .plain(let type): type.accepts(text)
        case .number:
            ExactDecimal.isPlain(text.utf8.span)
                || ["NaN", "Infinity", "-Infinity"].contains(text)
        case .characters: !text.utf8.contains(0) && !text.hasSuffix(" ")
        case .enumeration: !text.utf8.contains(0)
        case .tupleID: Self.isTupleID(text)
        }
    }

    private static func isTupleID(_ text: String) -> Bool {
        guard text.hasPrefix("("), text.hasSuffix(")") else { return false }
        let numbers = text.dropFirst().dropLast().split(
            separator: ",",
            omittingEmptySubsequences: false
        )
        guard numbers.count == 2, let block = UInt32(numbers[0]), let row = UInt16(numbers[1])
        else { return false }
        return text == "(\(block),\(row))"
    }
}
