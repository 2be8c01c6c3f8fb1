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
}

extension RosterValue: Decodable {
    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` for an array or an object, because cells never contain one.
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
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}

/// A column of a list.
public struct RosterColumn: Hashable, Sendable, Decodable, Identifiable {
    /// The key of the column's cells in ``RosterRow/cells``.
    public let id: String
    /// The label for people.
    public let label: String
    /// `text`, `integer`, `real`, `boolean`, `date`, `email` or `link`.
    public let type: String
}
