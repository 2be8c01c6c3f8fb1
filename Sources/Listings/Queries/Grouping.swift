/// The grouping of a list into sections.
public struct Grouping: Hashable, Sendable {
    /// The part of the column's value that is the key of a section.
    public enum Part: String, Hashable, Sendable {
        /// The whole value.
        case value
        /// The first letter of a text (see ``TextCollation/initial(of:)``); null stays null.
        case initial
    }

    /// The position of the column in the schema.
    public let column: Int
    /// The part of its value that is the key.
    public let part: Part

    /// Groups by a column.
    public init(column: Int, part: Part = .value) {
        self.column = column
        self.part = part
    }

    /// The key of a value's section.
    public func key(for value: CellValue) -> CellValue {
        guard part == .initial, !value.isNull else { return value }
        return .text(TextCollation.initial(of: value.plainText))
    }
}
