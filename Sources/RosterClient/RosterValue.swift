/// A value of a cell, as encoded in JSON.
///
/// Dates, and integers beyond 2⁵³, arrive as texts. ``RosterColumn/type`` gives the type.
public enum RosterValue: Hashable, Sendable {
    /// No value.
    case null
    /// A Boolean value.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case real(Double)
    /// A text.
    case text(String)
    /// A list of values.
    case array([RosterValue])
    /// Values by name. A cell of bytes has their number and their address.
    case object([String: RosterValue])
}

extension RosterValue: Codable {
    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let values = try? container.decode([RosterValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: RosterValue].self))
        }
    }

    /// Encodes the value as it was decoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// A column of a list.
public struct RosterColumn: Hashable, Sendable, Decodable, Identifiable {
    /// The key of the column's cells in ``RosterRow/cells``.
    public let id: String
    /// The label for people.
    public let label: String
    /// `text`, `email`, `link`, `integer`, `real`, `boolean`, `date`, `timestamp`, `json` or
    /// `bytes`.
    public let type: String
}
