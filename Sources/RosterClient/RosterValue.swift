/// A value of a cell, as JSON has it.
///
/// Dates and integers past 2⁵³ arrive as texts; ``RosterColumn/type`` says which they are.
public enum RosterValue: Hashable, Sendable {
    /// There is no value.
    case null
    /// Yes or no.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case real(Double)
    /// A text.
    case text(String)
}

extension RosterValue: Decodable {
    /// Reads the value.
    ///
    /// - Throws: `DecodingError` for an array or an object, which no cell has.
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
    /// The name its cells have in ``RosterRow/cells``.
    public let id: String
    /// What people call it.
    public let label: String
    /// `text`, `integer`, `real`, `boolean`, `date`, `email` or `link`.
    public let type: String
}
